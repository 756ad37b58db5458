"""Fields that no cache tells apart."""

import pytest

from gossamer.proxy.cache.unkeyed import is_unkeyed


@pytest.mark.parametrize(
    "name",
    [
        b"forwarded",
        b"x-forwarded-host",
        b"x-forwarded-scheme",
        b"x_forwarded_proto",
        b"x-original-url",
        b"x-rewrite-url",
        b"x-host",
        b"x-http-method-override",
        b"x-http-method",
        b"x-method-override",
        b"x-real-ip",
        b"proxy",
    ],
)
def test_what_servers_heed_without_saying_so_is_unkeyed(name: bytes) -> None:
    assert is_unkeyed(name)


@pytest.mark.parametrize(
    "name",
    [
        b"accept",
        b"accept-language",
        b"cookie",
        b"user-agent",
        b"x-requested-with",
        b"x-test-header",
    ],
)
def test_what_programs_send_every_day_is_not(name: bytes) -> None:
    assert not is_unkeyed(name)
