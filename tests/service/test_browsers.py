"""Whose scripts may ask."""

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers, MutableHeaders

from gossamer.config import Service
from gossamer.service.browsers import (
    Sender,
    is_named,
    is_preflight,
    names_another_site,
    preflight_answer,
    sender_of,
    show_to,
)
from gossamer.service.guard import Door


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


FRIEND: Final = "https://friend.test"
EVIL: Final = "https://evil.test"
OURS: Final = "http://localhost:8717"
PAGE: Final = "text/html,application/xhtml+xml,*/*;q=0.8"


def fetched(site: str, mode: str, dest: str, **more: str) -> Mapping[str, str]:
    told = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    return told | {name.replace("_", "-"): value for name, value in more.items()}


CASES: Final[Mapping[str, tuple[Mapping[str, str], Sender]]] = {
    # programs
    "curl": ({"Accept": "*/*", "User-Agent": "curl/8"}, Sender.OURSELVES),
    "nothing at all": ({}, Sender.OURSELVES),
    # somebody at the browser, and our own pages
    "typed": (fetched("none", "navigate", "document"), Sender.OURSELVES),
    "our own script": (fetched("same-origin", "cors", "empty", Referer=OURS), Sender.OURSELVES),
    "our own frame": (fetched("same-origin", "navigate", "iframe"), Sender.OURSELVES),
    "our own font": (fetched("same-origin", "cors", "font", Origin=OURS), Sender.OURSELVES),
    "our own link, old browser": ({"Referer": f"{OURS}/search"}, Sender.OURSELVES),
    "our own script, old browser": ({"Origin": OURS}, Sender.OURSELVES),
    # scripts of those who are named
    "a friend's fetch": (fetched("cross-site", "cors", "empty", Origin=FRIEND), Sender.OURSELVES),
    "a friend's fetch, old browser": ({"Origin": FRIEND}, Sender.OURSELVES),
    "a friend's picture": (
        fetched("cross-site", "no-cors", "image", Referer=FRIEND),
        Sender.OTHER_SITE,
    ),
    # pages of others
    "link": (fetched("cross-site", "navigate", "document", Referer=EVIL), Sender.LINK),
    "link from another port": (fetched("same-site", "navigate", "document"), Sender.LINK),
    "link, old browser": ({"Referer": EVIL, "Accept": PAGE}, Sender.LINK),
    "fetch": (fetched("cross-site", "cors", "empty", Origin=EVIL), Sender.OTHER_SITE),
    "fetch without cors": (fetched("cross-site", "no-cors", "empty"), Sender.OTHER_SITE),
    "fetch from another port": (
        fetched("same-site", "cors", "empty", Origin="http://localhost:3000"),
        Sender.OTHER_SITE,
    ),
    "picture": (fetched("cross-site", "no-cors", "image"), Sender.OTHER_SITE),
    "script": (fetched("cross-site", "no-cors", "script"), Sender.OTHER_SITE),
    "style": (fetched("same-site", "no-cors", "style"), Sender.OTHER_SITE),
    "frame": (fetched("cross-site", "navigate", "iframe"), Sender.OTHER_SITE),
    "old frame": (fetched("cross-site", "navigate", "frame"), Sender.OTHER_SITE),
    "object": (fetched("cross-site", "navigate", "object"), Sender.OTHER_SITE),
    "embed": (fetched("cross-site", "navigate", "embed"), Sender.OTHER_SITE),
    "prefetch": (
        fetched("cross-site", "navigate", "document", Sec_Purpose="prefetch;prerender"),
        Sender.OTHER_SITE,
    ),
    "a site that nobody has heard of": (
        fetched("elsewhere", "navigate", "iframe"),
        Sender.OTHER_SITE,
    ),
    "metadata by halves": ({"Sec-Fetch-Site": "cross-site"}, Sender.OTHER_SITE),
    "extension": (
        fetched("none", "cors", "empty", Origin="chrome-extension://a"),
        Sender.OTHER_SITE,
    ),
    "sandboxed": (fetched("cross-site", "cors", "empty", Origin="null"), Sender.OTHER_SITE),
    "fetch, old browser": ({"Origin": EVIL, "Referer": EVIL, "Accept": PAGE}, Sender.OTHER_SITE),
    "picture, old browser": ({"Referer": EVIL, "Accept": "image/*,*/*"}, Sender.OTHER_SITE),
    "sandboxed, old browser": ({"Origin": "null"}, Sender.OTHER_SITE),
    "origin that is no address": ({"Origin": "http://[x"}, Sender.OTHER_SITE),
    "our name inside another": ({"Origin": "http://localhost:8717.evil.test"}, Sender.OTHER_SITE),
    "our name before an @": ({"Origin": "http://localhost:8717@evil.test"}, Sender.OTHER_SITE),
}
STATUS: Final = {
    Sender.OURSELVES: (None, None),
    Sender.LINK: (403, None),  # to pages only
    Sender.OTHER_SITE: (403, 403),
}
HERE: Final = Door(Service(origins=(FRIEND,)), is_loopback=True)


@pytest.mark.parametrize("name", CASES)
def test_what_a_browser_says_tells_who_has_it_ask(name: str) -> None:
    told, sender = CASES[name]
    headers = Headers({"Host": "localhost:8717", **told})
    assert sender_of(headers, (FRIEND,)) is sender
    for_programs = HERE.refusal("GET", headers, is_open=False)
    page = HERE.refusal("GET", headers, is_open=False, is_page=True)
    statuses = (for_programs and for_programs.status, page and page.status)
    assert statuses == STATUS[sender]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nobody_is_led_to_change_things(name: str, method: str) -> None:
    told, sender = CASES[name]
    headers = Headers({"Host": "localhost:8717", **told})
    assert names_another_site(headers, (FRIEND,)) is (sender is not Sender.OURSELVES)
    refusal = HERE.refusal(method, headers, is_open=True, is_page=True)
    assert (refusal is not None) is (sender is not Sender.OURSELVES)


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_no_link_has_another_method(method: str) -> None:
    headers = Headers({"Host": "localhost:8717", **CASES["link"][0]})
    refusal = HERE.refusal(method, headers, is_open=True, is_page=True)
    assert refusal is not None
    assert refusal.code == "other-origin"


_TEXT = st.text(st.characters(codec="latin-1"))


@given(_TEXT, _TEXT, _TEXT)
def test_no_headers_break_the_check(origin: str, referer: str, site: str) -> None:
    for told in ({"origin": origin}, {"referer": referer}, {"sec-fetch-site": site}):
        sender_of(Headers({"host": "localhost", **told}), ())
