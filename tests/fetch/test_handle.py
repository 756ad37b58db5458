import asyncio
from datetime import timedelta

import pytest
from tests.fetch.servers import AGENT, PAGE, answered, answering, ok, serving

from gossamer.errors import ConfigError
from gossamer.fetch.handle import Handle, checked_proxy
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.transfer import Patience, Transfer, TransferLimits
from gossamer.model import Url

TRANSFER = Transfer(PAGE, TransferLimits(1000, 1000), Patience(1, 1, 1, 1, 1), lambda: 0.0)


@pytest.mark.parametrize(
    "proxy", ["http://p.org:3128", "https://u:p@p.org:1/", "socks5h://[::1]:1"]
)
def test_a_proxy_that_resolves_names_itself_can_be_used(proxy: str) -> None:
    assert checked_proxy(proxy) == proxy


@pytest.mark.parametrize("proxy", ["socks5://p.org:1", "p.org:3128", "http://", "http://a b:1", ""])
def test_a_proxy_that_would_leave_names_to_us_is_refused(proxy: str) -> None:
    with pytest.raises(ConfigError, match=r"fetch\.upstream_proxy .* socks5h://HOST:PORT"):
        checked_proxy(proxy)


def test_a_refused_proxy_is_not_repeated_for_its_password() -> None:
    with pytest.raises(ConfigError) as refused:
        checked_proxy("socks5://user:secret@p.org:1")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "header",
    [("A", "1\r\nB: 2"), ("A\r\nB", "1"), ("", "1"), ("A B", "1"), ("A", "\0"), ("A", "\u20ac")],
)
def test_a_header_that_is_none_is_never_sent(header: tuple[str, str]) -> None:
    handle = Handle(AGENT, timedelta(seconds=1), None, None)
    with pytest.raises(ValueError, match="not a header"):
        handle.begin(PAGE, [header], None, TRANSFER)
    handle.close()


@pytest.mark.parametrize("url", [PAGE, Url("http://site.test:8080/a?b=1")])
@pytest.mark.parametrize("more", [(), (("Accept", "text/turtle"), ("If-None-Match", '"\xe9"'))])
def test_the_headers_we_say_were_sent_are_those_the_server_saw(
    url: Url, more: tuple[tuple[str, str], ...]
) -> None:
    async def run() -> tuple[bytes, tuple[tuple[str, str], ...]]:
        async with serving(answering(ok(b""))) as server:
            async with HttpFetcher(server.fetch(), AGENT) as http:
                got = answered(await http.get(url, headers=more))
            return server.requests[0], got.request_headers

    seen, told = asyncio.run(run())
    lines = "".join(f"{name}: {value}\r\n" for name, value in told).encode("latin-1")
    assert seen.partition(b"\r\n")[2] == lines + b"\r\n"
