import asyncio
from collections.abc import Mapping, Sequence
from ipaddress import ip_address

import pytest
from tests.fetch.name_server import resolver_of

from gossamer.fetch.connect_to import Endpoint, connect_to_rules
from gossamer.fetch.guard import allowed_networks
from gossamer.fetch.names import Unreachable
from gossamer.fetch.route import THROUGH_PROXY, Route, Router, port_of, tried
from gossamer.model import Cause, Url


def route(
    url: str,
    *,
    names: Mapping[str, Sequence[str]] | None = None,
    connect_to: Sequence[str] = (),
    allow: Sequence[str] = (),
    proxied: bool = False,
    keep_off: Sequence[str] = (),
) -> Route:
    """Where a URL leads, in a world where only these names are known."""

    def look_up(name: str) -> Sequence[str]:
        known = {"ipv4only.arpa": ["192.0.0.170"], **(names or {})}
        return known[name]  # a name that nobody should ask for raises

    async def run() -> Route:
        resolver = resolver_of(look_up)
        rules, networks = connect_to_rules(connect_to), allowed_networks(allow)
        try:
            off = [Url(each) for each in keep_off]
            router = Router(None if proxied else resolver, rules, networks, off)
            return await router.route(Url(url))
        finally:
            resolver.close()

    return asyncio.run(run())


def endpoints(found: Route) -> list[str]:
    assert not isinstance(found, Unreachable), found
    return [str(each) for each in found]


def refusal(found: Route) -> Unreachable:
    assert isinstance(found, Unreachable), found
    return found


@pytest.mark.parametrize(
    ("url", "port"),
    [
        ("http://a.org/", 80),
        ("https://a.org/x:9/", 443),
        ("http://a.org:8080/", 8080),
        ("https://[::1]/", 443),
        ("http://[::1]:81/", 81),
    ],
)
def test_the_port_is_the_written_one_or_the_schemes(url: str, port: int) -> None:
    assert port_of(Url(url)) == port


def test_a_name_leads_to_its_addresses_in_order() -> None:
    names = {"a.org": ["2606:4700::1111", "1.1.1.1"]}
    assert endpoints(route("https://a.org/", names=names)) == [
        "[2606:4700::1111]:443",
        "1.1.1.1:443",
    ]


def test_addresses_that_are_refused_are_left_out() -> None:
    names = {"a.org": ["10.0.0.1", "1.1.1.1", "::1"]}
    assert endpoints(route("http://a.org:81/", names=names)) == ["1.1.1.1:81"]


def test_a_name_with_none_but_refused_addresses_is_refused() -> None:
    refused = refusal(route("http://a.org/", names={"a.org": ["169.254.169.254", "fd00::1"]}))
    assert refused.cause is Cause.REFUSED_ADDRESS
    assert refused.why.startswith("a.org: 169.254.169.254 is a metadata service")


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://[::1]/", "http://[::ffff:a00:1]/"])
def test_an_address_in_a_url_passes_the_same_guard(url: str) -> None:
    assert refusal(route(url)).cause is Cause.REFUSED_ADDRESS


@pytest.mark.parametrize(
    "inner",
    ["::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "::10.0.0.1", "fe80::1", "2001:db8::1"],
)
def test_an_address_that_a_name_server_gives_passes_the_same_guard(inner: str) -> None:
    refused = refusal(route("http://a.org/", names={"a.org": [inner]}))
    assert refused.cause is Cause.REFUSED_ADDRESS


def test_localhost_is_this_machine_and_asks_nobody() -> None:
    assert refusal(route("http://localhost/")).cause is Cause.REFUSED_ADDRESS
    assert refusal(route("http://a.localhost./")).cause is Cause.REFUSED_ADDRESS
    assert endpoints(route("http://localhost:81/", allow=["127.0.0.0/8"])) == ["127.0.0.1:81"]


@pytest.mark.parametrize("host", ["a.test", "a.test.", "a.invalid", "a.example", "a.onion"])
def test_a_reserved_name_is_refused_and_says_how_to_reach_it(host: str) -> None:
    refused = refusal(route(f"http://{host}/"))
    assert refused.cause is Cause.RESERVED_NAME
    assert "--connect-to" in refused.why


@pytest.mark.parametrize("url", ["http://a.test/", "https://a.test:444/", "http://a.test./"])
def test_the_users_word_needs_no_look_up_and_no_permission(url: str) -> None:
    assert endpoints(route(url, connect_to=["*.test=127.0.0.1:8099"])) == ["127.0.0.1:8099"]


def test_only_names_that_have_to_be_looked_up_are_looked_up_ahead() -> None:
    asked: list[str] = []

    def look_up(name: str) -> Sequence[str]:
        asked.append(name)
        return ["1.1.1.1"]

    async def run() -> None:
        resolver = resolver_of(look_up)
        router = Router(resolver, connect_to_rules(["b.org=127.0.0.1:80"]), ())
        router.resolve_ahead(["a.org", "b.org", "c.test", "localhost", "[::1]", "1.1.1.1"])
        assert endpoints(await router.route(Url("http://a.org/"))) == ["1.1.1.1:80"]
        Router(None, (), ()).resolve_ahead(["d.org"])
        resolver.close()

    asyncio.run(run())
    assert asked == ["a.org"]


def test_behind_a_proxy_names_are_its_business_and_addresses_still_ours() -> None:
    assert route("http://a.org/", proxied=True) == THROUGH_PROXY
    assert route("http://1.1.1.1/", proxied=True) == THROUGH_PROXY
    assert refusal(route("http://10.0.0.1/", proxied=True)).cause is Cause.REFUSED_ADDRESS
    assert refusal(route("http://localhost/", proxied=True)).cause is Cause.REFUSED_ADDRESS
    assert refusal(route("http://a.test/", proxied=True)).cause is Cause.RESERVED_NAME


def test_behind_a_proxy_the_users_word_still_leads_there_directly() -> None:
    found = route("http://a.test/", proxied=True, connect_to=["a.test=127.0.0.1:8099"])
    assert endpoints(found) == ["127.0.0.1:8099"]


NAMES = {"sparql.org": ["1.1.1.1"], "evil.org": ["2.2.2.2", "1.1.1.1"], "a.org": ["3.3.3.3"]}


@pytest.mark.parametrize(
    "url",
    ["http://sparql.org:7878/x", "http://evil.org:7878/", "http://1.1.1.1:7878/", "http://p.test/"],
)
def test_no_name_leads_to_a_server_that_we_keep_off(url: str) -> None:
    found = route(
        url,
        names=NAMES,
        connect_to=["p.test=1.1.1.1:7878"],
        keep_off=["http://sparql.org:7878/"],
    )
    assert refusal(found).cause is Cause.REFUSED_ADDRESS
    assert "the user's own" in refusal(found).why


@pytest.mark.parametrize("url", ["http://sparql.org/", "http://evil.org/", "http://a.org:7878/"])
def test_who_is_elsewhere_is_not_kept_off(url: str) -> None:
    assert endpoints(route(url, names=NAMES, keep_off=["http://sparql.org:7878/"]))


def test_a_server_on_loopback_is_kept_off_by_all_its_names() -> None:
    for url in ("http://localhost:7878/", "http://127.0.0.1:7878/", "http://[::1]:7878/"):
        found = route(url, allow=["127.0.0.0/8", "::1/128"], keep_off=["http://localhost:7878/"])
        assert refusal(found).cause is Cause.REFUSED_ADDRESS


def test_a_server_is_kept_off_through_a_proxy_by_its_name() -> None:
    off = ["http://sparql.org:7878/"]
    assert refusal(route("http://sparql.org:7878/x", proxied=True, keep_off=off))
    assert route("http://a.org/", proxied=True, keep_off=off) == THROUGH_PROXY


@pytest.mark.parametrize(
    ("known", "first"),
    [
        (["2001:db8::1"], ["2001:db8::1"]),
        (["::1", "::2", "192.0.2.1"], ["::1", "::2", "192.0.2.1"]),
        (["::1", "::2", "::3", "::4", "192.0.2.1"], ["::1", "192.0.2.1", "::2"]),
        (["192.0.2.1", "192.0.2.2", "192.0.2.3", "::1"], ["192.0.2.1", "::1", "192.0.2.2"]),
        (["::1", "::2", "::3", "::4"], ["::1", "::2", "::3"]),
    ],
)
def test_a_few_addresses_are_tried_and_of_both_families(
    known: Sequence[str], first: Sequence[str]
) -> None:
    endpoints = tuple(Endpoint(ip_address(each), 80) for each in known)
    assert tried(endpoints) == tuple(Endpoint(ip_address(each), 80) for each in first)
    assert tried(THROUGH_PROXY) == THROUGH_PROXY


@pytest.mark.parametrize("port", [0, 1, 22, 25, 6000, 6667, 6669, 10080])
def test_nothing_is_sent_to_ports_of_other_protocols(port: int) -> None:
    found = refusal(route(f"http://a.org:{port}/", names={"a.org": ["8.8.8.8"]}))
    assert found.cause is Cause.REFUSED_PORT
    assert f"Port {port} of a.org" in found.why
    assert refusal(route(f"http://192.0.2.1:{port}/", allow=["192.0.2.0/24"])).cause is found.cause
    assert refusal(route(f"http://a.org:{port}/", proxied=True)).cause is found.cause


def test_where_the_user_says_where_a_host_is_the_port_of_the_url_is_not_used() -> None:
    there = route("http://a.org:25/", connect_to=["a.org=127.0.0.1:8025"])
    assert endpoints(there) == ["127.0.0.1:8025"]


def test_a_name_behind_a_translator_of_this_network_does_not_lead_into_it() -> None:
    probe = {"ipv4only.arpa": ["2606:4700:5::c000:aa", "192.0.0.170"]}
    inside = {**probe, "a.org": ["2606:4700:5::a00:1"], "b.org": ["2606:4700:5::808:808"]}
    found = refusal(route("http://a.org/", names=inside))
    assert found.cause is Cause.REFUSED_ADDRESS
    assert "10.0.0.1 within it" in found.why
    assert endpoints(route("http://b.org/", names=inside)) == ["[2606:4700:5::808:808]:80"]
    assert refusal(route("http://[2606:4700:5::7f00:1]/", names=probe))
    assert endpoints(route("http://a.org/", names={"a.org": ["2606:4700:5::a00:1"]}))


def test_a_network_that_cannot_say_whether_it_translates_is_taken_to_have_no_translator() -> None:
    names = {"ipv4only.arpa": [], "a.org": ["2606:4700:5::a00:1"]}
    assert endpoints(route("http://a.org/", names=names))
