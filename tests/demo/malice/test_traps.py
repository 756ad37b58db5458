from datetime import UTC, date, datetime
from ipaddress import ip_address
from itertools import pairwise

import pytest
from ada_url import join_url
from tests.demo.walker import Client, links

from gossamer.config import Traps
from gossamer.demo.malice.traps import (
    FAMILIES,
    INTERNAL,
    LONG_PATH,
    MANY_LINKS,
    NAME,
    NO_PAGES,
    Family,
    trap_at,
)
from gossamer.model import Refusal, Url
from gossamer.urls import canonical, trapped

TODAY = date(2026, 7, 1)
HERE = f"http://{NAME}"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.rule)
def test_a_member_leads_to_the_next_for_as_long_as_anyone_looks(
    malice_client: Client, family: Family
) -> None:
    path = family.path(family.first)
    for place in range(family.first, family.first + 40):
        assert family.place(path) == place
        (following,) = links(malice_client.get(HERE + path), "gossamer")
        assert following == HERE + family.path(place + 1)
        path = following.removeprefix(HERE)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.rule)
@pytest.mark.parametrize("today", [date(2026, 1, 31), TODAY, date(2033, 6, 1)])
def test_it_stops_where_our_own_checks_of_urls_stop(family: Family, today: date) -> None:
    now = datetime(today.year, today.month, today.day, tzinfo=UTC)
    for place in range(family.first, family.first + 40):
        path = family.path(place)
        refusal = trapped(Url(HERE + path), now, Traps())
        assert trap_at(NAME, path, Traps(), today) == (refusal and refusal.rule)
        if refusal:
            return
    pytest.fail("nothing stopped it")


def test_a_family_is_taken_up_to_its_limit_and_no_further() -> None:
    for family in FAMILIES:
        places = range(family.first, family.first + 40)
        stops = [bool(trap_at(NAME, family.path(p), Traps(), TODAY)) for p in places]
        assert not stops[0]
        assert stops[-1]
        assert all(later >= sooner for sooner, later in pairwise(stops))


def test_the_long_url_is_too_long() -> None:
    assert trap_at(NAME, LONG_PATH, Traps(), TODAY) == "trap-length"
    assert trap_at(NAME, LONG_PATH, Traps(max_length=4_000), TODAY) is None
    assert trap_at("elsewhere.test", LONG_PATH, Traps(), TODAY) is None


@pytest.mark.parametrize(("href", "url"), INTERNAL)
def test_internal_links_lead_inside_however_they_are_spelled(href: str, url: str) -> None:
    assert join_url(HERE, href) == url
    address = url.split("/")[2]
    address = address.partition("]")[0][1:] if address[0] == "[" else address.partition(":")[0]
    assert not ip_address(address).is_global


@pytest.mark.parametrize("href", NO_PAGES)
def test_some_links_are_no_links(href: str) -> None:
    assert isinstance(canonical(href, Url(f"{HERE}/internal")), Refusal)


def test_ten_thousand_links_lead_to_few_pages(malice_client: Client) -> None:
    found = links(malice_client.get(f"{HERE}/many"), "gossamer")
    assert len(found) == MANY_LINKS
    assert len(set(found)) == 200
    assert malice_client.get(found[-1]).status == 200
    assert malice_client.get(f"{HERE}/many/200").status == 404
