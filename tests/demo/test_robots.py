import pytest
from protego import Protego

from gossamer.demo.paths import Shelf
from gossamer.demo.robots import EVERYTHING, KINDS, NOTHING, RobotsKind, forbidden, robots_text

PATHS = {
    Shelf.PUBLIC: "/people/3/printed",
    Shelf.PRIVATE: "/private/3.html",
    Shelf.PRIVATE_OPEN: "/private/open/3",
    Shelf.DRAFTS: "/drafts/3.ttl",
    Shelf.PRINT: "/people/3/print",
}
AGENTS = ("gossamer", "otherbot", "somebody-else", "stranger")
WITH_A_FILE = [
    kind
    for kind in KINDS
    if kind
    not in (
        RobotsKind.NONE,
        RobotsKind.FAILING,
        RobotsKind.FORBIDDEN,
        RobotsKind.REDIRECTED,
        RobotsKind.ELSEWHERE,
    )
]


def closed(rules: Protego, agent: str) -> frozenset[Shelf]:
    """The shelves that a file closes, by another's reading."""
    return frozenset(
        shelf for shelf, path in PATHS.items() if not rules.can_fetch(f"http://a.test{path}", agent)
    )


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", WITH_A_FILE)
def test_the_file_says_what_the_table_says(kind: RobotsKind, agent: str) -> None:
    text = robots_text(kind, "a.test", 2)[: 512 * 1024].decode("utf-8-sig")
    assert closed(Protego.parse(text), agent) == forbidden(kind, agent)


def test_the_rule_past_the_limit_would_close_more() -> None:
    text = robots_text(RobotsKind.HUGE, "a.test", 2)
    assert text.index(b"Disallow: /drafts/") > 600 * 1024
    assert text.index(b"Disallow: /private/") < 512
    read_whole = closed(Protego.parse(text.decode()), "gossamer")
    assert read_whole == forbidden(RobotsKind.HUGE, "gossamer") | {Shelf.DRAFTS}


def test_wherever_a_reader_cuts_the_huge_file_it_cuts_a_comment() -> None:
    text = robots_text(RobotsKind.HUGE, "a.test", 2)
    for limit in (500 * 1024, 512 * 1000, 512 * 1024):
        line = text[:limit].rpartition(b"\n")[2]
        assert line.startswith(b"#") or not line.strip()


def test_the_crawl_delay_is_the_worlds() -> None:
    text = robots_text(RobotsKind.CRAWL_DELAY, "a.test", 2.5).decode()
    assert Protego.parse(text).crawl_delay("gossamer") == 2.5


@pytest.mark.parametrize("kind", [RobotsKind.SIMPLE, RobotsKind.SITEMAPS])
def test_sitemaps_are_named(kind: RobotsKind) -> None:
    rules = Protego.parse(robots_text(kind, "a.test", 1).decode())
    (sitemap,) = rules.sitemaps
    assert sitemap.startswith("http://a.test/sitemap")


def test_a_403_closes_unless_told_otherwise() -> None:
    assert forbidden(RobotsKind.FORBIDDEN, "gossamer") == EVERYTHING
    assert forbidden(RobotsKind.FORBIDDEN, "gossamer", forbidden_closes=False) == NOTHING
    assert forbidden(RobotsKind.FAILING, "gossamer", forbidden_closes=False) == EVERYTHING


def test_a_host_without_a_file_has_no_text() -> None:
    with pytest.raises(ValueError, match=r"no robots\.txt of their own"):
        robots_text(RobotsKind.NONE, "a.test", 1)
