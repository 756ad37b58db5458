"""Sites with so many pages and so many statements on each: all of them are found."""

from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, crawled_site

SEED = "http://tree.test/"
JSON_LD = '<script type="application/ld+json">{"@id": "%s", %s}</script>'


def tree_pages(branches: int, depth: int) -> int:
    """How many pages a tree has."""
    return sum(branches**level for level in range(depth + 1))


def tree_page(url: str, branches: int, depth: int, statements: int) -> Sent | None:
    """A page of a tree: its path names the branches that lead to it."""
    steps = [step for step in url.removeprefix(SEED).split("/") if step]
    if len(steps) > depth or not all(step.isdecimal() and int(step) < branches for step in steps):
        return None
    below = range(branches if len(steps) < depth else 0)
    links = "".join(f'<p><a href="{url}{branch}/">on</a>' for branch in below)
    said = ", ".join(f'"http://n.test/p{number}": "{number}"' for number in range(statements))
    return Sent(links + (JSON_LD % (url, said) if statements else "") + '<a href="/">top</a>')


TREES = [(1, 1, 2), (2, 2, 7), (1, 9, 10), (4, 2, 21), (3, 4, 121), (5, 3, 156)]
LARGE_TREES = [(2, 9, 1023), (4, 5, 1365), (5, 5, 3906)]


def check(folder: Path, branches: int, depth: int, statements: int) -> None:
    """Crawl a tree, and find all of it."""
    found, site = crawled_site(
        folder, lambda url, _: tree_page(url, branches, depth, statements), [SEED], hurried()
    )
    pages = tree_pages(branches, depth)
    assert found.summary.pages == pages
    assert found.summary.quads == statements * pages
    assert len(site.pages_asked) == len(set(site.pages_asked)) == pages
    assert max(page.depth for page in found.pages.values()) == depth


@pytest.mark.parametrize(("branches", "depth", "pages"), TREES)
def test_every_page_and_statement_is_found(
    tmp_path: Path, branches: int, depth: int, pages: int
) -> None:
    assert tree_pages(branches, depth) == pages
    check(tmp_path, branches, depth, statements=(branches + depth) % 4)


def test_so_it_is_with_thousands_of_pages(
    tmp_path_factory: pytest.TempPathFactory, full_size: bool
) -> None:
    for branches, depth, pages in LARGE_TREES if full_size else [(4, 4, 341)]:
        assert tree_pages(branches, depth) == pages
        for statements in range(4) if full_size else [3]:
            check(tmp_path_factory.mktemp("tree"), branches, depth, statements)
