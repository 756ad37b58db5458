"""The malicious part as a whole: what `gossamer.demo.malice` itself says."""

from tests.demo.conftest import MALICE
from tests.demo.walker import Client, links

from gossamer.demo.links import HUB
from gossamer.demo.malice import HUB_NAME, MALICE_HOSTS, closed_by_robots, malice_at, misplaced
from gossamer.demo.resources import Moved, Sorry


def test_the_hub_links_to_every_host(malice_client: Client) -> None:
    assert links(malice_client.get(HUB), "gossamer") == [f"http://{name}/" for name in MALICE_HOSTS]


def test_every_host_has_a_front_page(malice_client: Client) -> None:
    for name in (HUB_NAME, *MALICE_HOSTS):
        assert malice_client.get(f"http://{name}/").status == 200


def test_closed_hosts_are_those_whose_robots_txt_cannot_be_had() -> None:
    closed = {name for name in MALICE_HOSTS if closed_by_robots(name)}
    assert closed == {name for name in MALICE_HOSTS if malice_at(name, "/robots.txt") is not None}
    assert len(closed) == 3


def test_ordinary_hosts_have_moved_and_gone_pages() -> None:
    moved = misplaced(MALICE, 0, "/moved/1")
    assert isinstance(moved, Moved)
    assert moved.target == MALICE.url(2)
    assert misplaced(MALICE, 0, "/gone/13") == Sorry(410)
    assert misplaced(MALICE, 0, "/missing/7") is None
    assert misplaced(MALICE, 0, "/gone/x") is None


def test_the_page_after_the_last_is_the_first() -> None:
    last = MALICE.layout.size(0) - 1
    moved = misplaced(MALICE, 0, f"/moved/{last}")
    assert isinstance(moved, Moved)
    assert moved.target == MALICE.front(0)
