from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Traps
from gossamer.demo.content import Format
from gossamer.demo.robots import RobotsKind
from gossamer.demo.world import CHARSETS, World
from gossamer.urls import canonical, trapped

GREAT = World(seed=5, pages=1_000_000, hosts=10_000)


@pytest.mark.parametrize(
    "world",
    [
        World(pages=10, hosts=1),
        World(pages=10, hosts=10),
        World(seed=9, pages=137, hosts=20),
        World(seed=2, pages=5_000, hosts=300),
    ],
    ids=repr,
)
def test_every_number_has_one_url_of_its_own_that_leads_back(world: World) -> None:
    urls = [world.url(number) for number in range(world.pages)]
    assert len(set(urls)) == world.pages
    assert [world.number(url) for url in urls] == list(range(world.pages))


@given(st.integers(0, GREAT.pages - 1))
def test_it_is_so_in_the_greatest_world_too(number: int) -> None:
    assert GREAT.number(GREAT.url(number)) == number


@given(st.integers(0, GREAT.pages - 1))
def test_urls_are_canonical_and_no_traps(number: int) -> None:
    url = GREAT.url(number)
    assert canonical(url) == url
    assert trapped(url, datetime(2026, 7, 1, tzinfo=UTC), Traps()) is None


@pytest.mark.parametrize(
    "url",
    [
        "https://www.site0.test/",
        "http://www.site0.test",
        "http://www.site0.test/people/999999",
        "http://www.site99.test/",
        "http://elsewhere.test/",
        "http://www.site0.test/private/",
        "",
    ],
)
def test_other_urls_are_no_pages(url: str) -> None:
    assert World().number(url) is None


def test_a_path_with_the_right_number_and_the_wrong_folder_is_no_page() -> None:
    world = World()
    page = world.page(7)
    assert world.find(page.host_name, page.path) == page
    assert world.find(page.host_name, f"/elsewhere/{page.index}") is None


@pytest.mark.parametrize("seed", range(12))
def test_sixty_pages_hold_every_format_and_charset(seed: int) -> None:
    world = World(seed=seed, pages=60, hosts=12)
    pages = [world.page(number) for number in range(world.pages)]
    assert {page.format for page in pages} == set(Format)
    assert {page.charset for page in pages} == set(CHARSETS)
    assert {page.zipped for page in pages} == {True, False}


def test_the_mix_of_formats_is_the_documented_one() -> None:
    world = World(pages=401, hosts=1)
    counts = Counter(world.page(number).format for number in range(1, world.pages))
    assert counts[Format.RDFA] == counts[Format.HTML] == counts[Format.JSON_LD_IN_HTML] == 60
    assert counts[Format.MICRODATA] == 40
    assert counts[Format.RSS] == counts[Format.N_TRIPLES] == 10


def test_front_pages_are_html_and_ask_for_nothing() -> None:
    for host in range(GREAT.hosts):
        page = GREAT.page(GREAT.layout.starts[host])
        assert page.is_html
        assert page.meta is page.header is None
        assert page.url == GREAT.front(host)


def test_only_html_pages_have_a_charset_and_a_meta_element() -> None:
    world = World(pages=2_000, hosts=5)
    others = [page for n in range(world.pages) if not (page := world.page(n)).is_html]
    assert others
    assert all(page.charset == "utf-8" and page.meta is None for page in others)


def test_twelve_hosts_have_every_kind_of_robots_txt() -> None:
    assert [World().robots(host) for host in range(12)] == list(RobotsKind)


def test_another_seed_is_another_world() -> None:
    one, other = World(seed=1), World(seed=2)
    assert [one.url(n) for n in range(60)] != [other.url(n) for n in range(60)]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"pages": 9}, "pages must be from 10 to 1,000,000, not 9"),
        ({"pages": 1_000_001}, "pages must be"),
        ({"hosts": 0}, "hosts must be from 1 to 120, not 0"),
        ({"pages": 10, "hosts": 11}, "hosts must be from 1 to 10"),
        ({"seed": -1}, "seed must be"),
        ({"crawl_delay": -1}, "crawl_delay must be"),
        ({"slow_seconds": -1}, "slow_seconds must be"),
    ],
)
def test_numbers_out_of_range_are_refused_with_the_range(
    numbers: dict[str, int], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        World(**numbers)  # type: ignore[arg-type] # each key is a field of its type
