from pathlib import Path

import pytest
from tests.polite_world import WORLD, politely

from gossamer.cli.build_client import visit
from gossamer.demo.accesslog import audit
from gossamer.demo.robots import RobotsKind
from gossamer.demo.world import World
from gossamer.errors import InputError
from gossamer.fetch.decode import decode
from gossamer.reading.inputs import Input


def visited(folder: Path, text: str, world: World = WORLD) -> Input:
    page, _, _ = politely(folder, lambda client: visit(client, text), world=world)
    return page


def test_a_page_comes_with_what_the_server_said_of_it(tmp_path: Path) -> None:
    page = visited(tmp_path, "www.site0.test")
    assert page.url == "http://www.site0.test/"
    assert (page.content_type or "").startswith("text/html")
    assert b"</html>" in decode(page.body, page.content_encoding, 1_000_000).body


MALICE = World(seed=1, pages=20, hosts=4, malice=True)


@pytest.mark.parametrize(
    ("path", "lands"),
    [
        ("301", "http://redirects.malice.test/landed/301"),
        ("relative", "http://redirects.malice.test/landed/relative"),
        ("fragment", "http://redirects.malice.test/landed/fragment"),
        ("short/3", "http://redirects.malice.test/landed/short"),
        ("elsewhere", "http://www.site0.test/"),
    ],
)
def test_redirects_are_followed_one_by_one(tmp_path: Path, path: str, lands: str) -> None:
    assert visited(tmp_path, f"http://redirects.malice.test/{path}", MALICE).url == lands


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("loop/a", "redirects without end"),
        ("self", "leads to itself"),
        ("long/15", "is number 11 in a row"),
        ("forbidden", "may not be fetched"),
        ("internal", "may not be fetched"),
        ("file", "Only http and https"),
        ("script", "Only http and https"),
    ],
)
def test_a_redirect_passes_every_check_of_its_own(tmp_path: Path, path: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        visited(tmp_path, f"http://redirects.malice.test/{path}", MALICE)


def test_robots_txt_is_heeded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"may not be fetched: Line 3 of robots\.txt"):
        visited(tmp_path, "http://www.site0.test/private/1")


def test_the_host_is_asked_at_its_pace(tmp_path: Path) -> None:
    host = next(h for h in range(WORLD.hosts) if WORLD.robots(h) is RobotsKind.CRAWL_DELAY)
    _, log, _ = politely(tmp_path, lambda client: visit(client, WORLD.front(host)))
    gap = audit(log)["data.site2.test"].smallest_gap
    assert gap is not None
    assert gap >= WORLD.crawl_delay


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://www.site1.test/nowhere", "the server answered 404"),
        ("http://127.0.0.1/", "may not be fetched: 127.0.0.1 is"),
        ("mailto:a@b.test", "Only http and https"),
    ],
)
def test_what_cannot_be_had_is_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        visited(tmp_path, text)
