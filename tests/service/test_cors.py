"""Whose scripts may ask."""

import pytest
from starlette.datastructures import Headers, MutableHeaders

from gossamer.service.cors import is_named, is_preflight, preflight_answer, show_to


@pytest.mark.parametrize(
    ("origins", "origin", "so"),
    [
        (("https://friend.test",), "https://friend.test", True),
        (("https://Friend.test/",), "https://friend.test", True),
        (("https://friend.test",), "http://friend.test", False),
        (("https://friend.test",), "https://friend.test:8443", False),
        (("https://friend.test",), "https://friend.test.evil.test", False),
        (("https://friend.test",), "null", False),
        (("*",), "https://anybody.test", True),
        (("*",), None, False),
        ((), "https://friend.test", False),
    ],
)
def test_an_origin_is_named_or_not(origins: tuple[str, ...], origin: str | None, so: bool) -> None:
    assert is_named(origins, origin) is so


def test_an_answer_is_shown_to_those_who_are_named() -> None:
    told = MutableHeaders({"Vary": "Accept"})
    show_to(("https://friend.test",), "https://friend.test", told)
    assert told["access-control-allow-origin"] == "https://friend.test"
    assert told["vary"] == "Accept, Origin"


def test_where_anybody_is_named_caches_need_not_tell_them_apart() -> None:
    told = MutableHeaders()
    show_to(("*",), "https://anybody.test", told)
    assert told["access-control-allow-origin"] == "*"
    assert "vary" not in told


def test_where_nobody_is_named_nothing_is_said() -> None:
    told = MutableHeaders()
    show_to((), "https://anybody.test", told)
    assert not told.items()


def test_only_a_browser_that_asks_for_a_page_asks_beforehand() -> None:
    asked = {"origin": "https://a.test", "access-control-request-method": "PUT"}
    assert is_preflight("OPTIONS", Headers(asked))
    assert not is_preflight("GET", Headers(asked))
    assert not is_preflight("OPTIONS", Headers({"origin": "https://a.test"}))
    assert not is_preflight("OPTIONS", Headers())


def test_what_may_be_sent_is_named_one_by_one() -> None:
    told = preflight_answer().headers
    assert "*" not in told["access-control-allow-headers"]  # which would leave the token out
