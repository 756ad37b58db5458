import pytest
from tests.demo.conftest import MALICE, WORLD

from gossamer.demo.lookup import knows_host, resource_at
from gossamer.demo.resources import NOT_FOUND, File, Moved, Sorry
from gossamer.demo.robots import RobotsKind


def test_every_page_is_at_its_url() -> None:
    for number in range(WORLD.pages):
        page = WORLD.page(number)
        assert resource_at(WORLD, page.host_name, page.path) == page


@pytest.mark.parametrize(
    ("host", "expected"),
    [(1, Sorry(404)), (4, Sorry(503)), (10, Sorry(403))],
)
def test_some_robots_txt_are_only_a_status(host: int, expected: Sorry) -> None:
    assert resource_at(WORLD, WORLD.page(WORLD.layout.starts[host]).host_name, "/robots.txt") == (
        expected
    )


@pytest.mark.parametrize("kind", [RobotsKind.REDIRECTED, RobotsKind.ELSEWHERE])
def test_redirected_robots_txt_lead_to_a_file(kind: RobotsKind) -> None:
    host = list(RobotsKind).index(kind)
    name = WORLD.front(host).split("/")[2]
    moved = resource_at(WORLD, name, "/robots.txt")
    assert isinstance(moved, Moved)
    assert moved.target is not None
    target_name, _, path = moved.target.removeprefix("http://").partition("/")
    assert (target_name == name) == (kind is RobotsKind.REDIRECTED)
    assert isinstance(resource_at(WORLD, target_name, "/" + path), File)


@pytest.mark.parametrize("path", ["/files/4.zip", "/files/14.zip", "/files/7.png"])
def test_files_are_where_pages_link_to_them(path: str) -> None:
    assert isinstance(resource_at(WORLD, "www.site0.test", path), File)


@pytest.mark.parametrize(
    "path",
    ["/files/04.zip", "/files/5.zip", "/files/999994.zip", "/files/4.png", "/files/.zip", "/x", ""],
)
def test_other_paths_hold_nothing(path: str) -> None:
    assert resource_at(WORLD, "www.site0.test", path) == NOT_FOUND


def test_malice_is_there_only_if_asked_for() -> None:
    assert not knows_host(WORLD, "trap.malice.test")
    assert resource_at(WORLD, "trap.malice.test", "/") == NOT_FOUND
    assert resource_at(WORLD, "www.site0.test", "/gone/1") == NOT_FOUND
    assert knows_host(MALICE, "trap.malice.test")
    assert knows_host(MALICE, "malice.test")
    assert resource_at(MALICE, "www.site0.test", "/gone/1") == Sorry(410)
    assert not knows_host(MALICE, "127.0.0.1")
