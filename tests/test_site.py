"""The documentation as a site: every page has its place, and links lead where they did in the source."""

import runpy
import subprocess
from pathlib import Path

import pytest
from tests.conftest import IS_FULL_SIZE

ROOT = Path(__file__).resolve().parent.parent
SITE = runpy.run_path(str(ROOT / "tools/site/__main__.py"))


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page() -> None:
    listed = list(SITE["navigation"]())
    named = {name for name in SITE["pages"]().values() if name.endswith(".md")}
    assert len(listed) == len(set(listed))
    assert sorted(set(listed) - named) == [], "zensical.toml names pages that are not there"
    # Decisions are found by their index.
    missing = {name for name in named if not name.startswith("decisions/")} - set(listed)
    assert missing == set(), "add these pages to the navigation in zensical.toml"


def test_links_lead_to_pages_of_the_site_and_links_to_other_files_become_their_names(
    tmp_path: Path,
) -> None:
    docs, readme = tmp_path / "docs", tmp_path / "README.md"
    page, decision = docs / "page.md", docs / "decisions" / "0001-one.md"
    named = {readme: "index.md", page: "page.md", decision: "decisions/0001-one.md"}
    code = "```sh\n[not a link](page.md)\n```\n"
    for source, text, wanted in (
        (readme, "[a](docs/page.md#b)", "[a](page.md#b)"),
        (page, "[a](../README.md)", "[a](index.md)"),
        (page, "[`loop.py`](../src/loop.py)", "`loop.py`"),
        (page, "[a](https://example.org/) [b](#c)", "[a](https://example.org/) [b](#c)"),
        (decision, "[a](../page.md)", "[a](../page.md)"),
        (page, code, code),
    ):
        assert SITE["rewritten"](text, source, named) == wanted


def test_what_leads_nowhere_or_is_loaded_from_elsewhere_is_complained_of(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text("<h2 id=here>Here</h2>")
    assert list(SITE["complaints"](tmp_path)) == []
    (tmp_path / "index.html").write_text(
        '<link rel=canonical href="https://a.test/"><link rel=stylesheet href="//b.test/x.css">'
        '<a href="a/#here">a</a><a href="a/#there">b</a><a href=c.md>c</a><a href=mailto:a@b>d</a>'
    )
    (tmp_path / "x.css").write_text("@import 'https://c.test/y.css'; a { background: url(z.png) }")
    assert set(SITE["complaints"](tmp_path)) == {
        "index.html loads //b.test/x.css",
        "index.html: a/#there leads to no place in that page",
        "index.html: c.md leads to no page",
        "x.css loads https://c.test/y.css",
    }


@pytest.mark.skipif(
    not IS_FULL_SIZE, reason="needs soak: the builder has an environment of its own"
)
def test_the_site_is_built_without_a_warning() -> None:
    subprocess.run(["make", "--no-print-directory", "site"], cwd=ROOT, check=True)
    assert (ROOT / "dist" / "site" / "commands" / "index.html").is_file()
