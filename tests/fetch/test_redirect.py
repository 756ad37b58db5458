import asyncio
from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fetch.answers import PAGE, answer
from tests.fetch.servers import AGENT, answered, answering, failure, serving

from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.response import REDIRECTS, redirect_of
from gossamer.model import MAX_HOPS, Cause, Refusal, Url
from gossamer.urls import canonical, host_of


def to(*locations: str, status: int = 301, hops: int = 0) -> Url | Refusal | None:
    return redirect_of(answer(status, *(("Location", each) for each in locations)), hops)


def refused(target: Url | Refusal | None) -> Refusal:
    assert isinstance(target, Refusal), target
    return target


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("http://other.test/", "http://other.test/"),
        ("HTTPS://WWW.Site.Test:443", "https://www.site.test/"),
        ("b", "http://site.test/a/b"),
        ("/b?c", "http://site.test/b?c"),
        ("//other.test/b", "http://other.test/b"),
        ("?z", "http://site.test/a/page?z"),
        ("http://me:secret@other.test/", "http://other.test/"),
        ("/b#part", "http://site.test/b"),
        ("/caf\u00c3\u00a9", "http://site.test/caf%C3%A9"),  # UTF-8, read as Latin-1
        ("/caf\u00e9", "http://site.test/caf%E9"),  # Latin-1 itself
        ("/a b", "http://site.test/a%20b"),
    ],
)
def test_a_location_is_joined_and_brought_into_its_one_form(location: str, target: str) -> None:
    assert to(location) == target


@pytest.mark.parametrize("status", sorted(REDIRECTS))
def test_every_kind_of_redirect_is_one(status: int) -> None:
    assert to("/b", status=status) == "http://site.test/b"


@pytest.mark.parametrize("status", [200, 201, 204, 304, 305, 306, 404, 500])
def test_a_location_on_any_other_answer_means_nothing(status: int) -> None:
    assert to("/b", status=status) is None


def test_a_choice_that_the_server_leaves_to_us_is_no_redirect() -> None:
    assert to(status=300) is None


def test_a_refresh_is_no_redirect() -> None:
    assert redirect_of(answer(200, ("Refresh", "0; url=/b")), 0) is None
    assert refused(redirect_of(answer(302, ("Refresh", "0; url=/b")), 0)).rule == "redirect"


@pytest.mark.parametrize("locations", [(), ("",), ("/b", "/c"), ("/a/page?q",), ("#top",)])
def test_a_redirect_that_leads_nowhere_is_refused(locations: tuple[str, ...]) -> None:
    refusal = refused(to(*locations))
    assert refusal.rule == "redirect"
    assert refusal.why.startswith("The redirect ")


def test_one_place_named_twice_is_one_place() -> None:
    assert to("/b", "/b") == "http://site.test/b"


@pytest.mark.parametrize(
    "location",
    ["javascript:alert(1)", "file:///etc/passwd", "http://", "mailto:a@b.test", "ftp://x/"],
)
def test_a_redirect_out_of_the_web_is_refused(location: str) -> None:
    assert refused(to(location)).rule.startswith("url-")


def test_ten_redirects_in_a_row_are_enough() -> None:
    assert to("/b", hops=MAX_HOPS - 1) == "http://site.test/b"
    assert refused(to("/b", hops=MAX_HOPS)).why == "The redirect is number 11 in a row."


@given(st.text(st.characters(max_codepoint=255)), st.integers(0, 20))
def test_whatever_a_server_says_leads_to_a_page_or_a_reason(location: str, hops: int) -> None:
    target = to(location, hops=hops)
    assert target is not None
    if not isinstance(target, Refusal):
        assert target != PAGE
        assert canonical(target) == target


def is_public(host: str) -> bool:
    """By Python's own idea, so that a slip in this table can never lead outside."""
    address = ip_address(host.strip("[]"))
    last = IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.is_global and last.is_global


@pytest.mark.parametrize(
    "inside",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f.1:{port}/",
        "http://0:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://[64:ff9b::7f00:1]:{port}/",
        "http://[2002:7f00:1::]:{port}/",
        "http://169.254.169.254/latest/meta-data/",
        "http://\u2460\u2461\u2466.0.0.1:{port}/",  # digits in circles, which a URL parser unwinds
    ],
)
def test_a_redirect_to_an_address_of_ours_is_a_target_that_nobody_contacts(inside: str) -> None:
    async def run() -> None:
        async with serving(answering(b"")) as target:
            location = inside.format(port=target.port).encode()
            moved = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n" % location
            async with (
                serving(answering(moved)) as server,
                HttpFetcher(server.fetch(), AGENT) as http,
            ):
                url = redirect_of(answered(await http.get(Url("http://site.test/"))), 0)
                assert url is not None
                assert not isinstance(url, Refusal)
                assert host_of(url) == "localhost" or not is_public(host_of(url))
                assert failure(await http.get(url)).cause is Cause.REFUSED_ADDRESS
            assert target.connections == 0

    asyncio.run(run())
