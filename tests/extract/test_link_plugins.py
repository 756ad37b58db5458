from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.extract import link_plugins
from gossamer.extract.link_plugins import filter_links, has_filters, has_priorities, link_points
from gossamer.model import Url

PAGE = "http://a.test/"
ONE, TWO, SHUNNED = Url("http://a.test/1"), Url("http://a.test/2"), Url("http://b.test/")
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package with a link filter of this source."""

    def package(source: str, group: str = "links") -> None:
        (tmp_path / "a_filter.py").write_text(f"def links(page, urls):\n    {source}\n")
        info = tmp_path / "a_filter-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-filter\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[gossamer.{group}]\nmine = a_filter:links\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(__import__("sys").modules, "a_filter", raising=False)
        link_plugins._installed.cache_clear()

    yield package
    link_plugins._installed.cache_clear()


def test_without_filters_all_links_are_followed() -> None:
    assert not has_filters()
    assert filter_links(PAGE, [ONE], [SHUNNED]) == ([ONE], [SHUNNED], ())


def test_a_filter_leaves_links_out_and_cannot_add_any(install: Install) -> None:
    install("return [url for url in urls if url.endswith('1')] + ['http://evil.test/', page]")
    assert filter_links(PAGE, [ONE, TWO], [SHUNNED]) == ([ONE], [], [])


@pytest.mark.parametrize("source", ["raise KeyError('no')", "return 5", "return [[]]"])
def test_a_filter_that_fails_has_no_say_and_is_named(install: Install, source: str) -> None:
    install(source)
    vouched, unvouched, (problem,) = filter_links(PAGE, [ONE, TWO], [SHUNNED])
    assert (vouched, unvouched) == ([ONE, TWO], [SHUNNED])
    assert problem.message.startswith("The link filter mine failed: ")


def test_a_filter_that_cannot_be_loaded_is_named(install: Install) -> None:
    install("return urls\nimport nothing_of_that_name")
    assert has_filters()
    _, _, (problem,) = filter_links(PAGE, [ONE], [])
    assert "cannot be loaded: ModuleNotFoundError" in problem.message


@pytest.mark.parametrize(
    ("source", "points"),
    [
        ("return 300 if b'Product' in urls else 0", 300),
        ("return 10**9", 1000),
        ("return float('-inf')", -1000),
    ],
)
def test_a_priority_gives_points_within_bounds(install: Install, source: str, points: int) -> None:
    install(source, "priorities")
    assert has_priorities()
    assert link_points(PAGE, b"<http://schema.org/Product>") == (points, [])


@pytest.mark.parametrize("source", ["return 'much'", "raise KeyError('no')", "return float('nan')"])
def test_a_priority_that_fails_has_no_say_and_is_named(install: Install, source: str) -> None:
    install(source, "priorities")
    points, (problem,) = link_points(PAGE, b"")
    assert points == 0
    assert problem.message.startswith("The priority mine failed: ")
