"""Pages that are the same thing, as people see them: the command, `explain`, search, tables, REST."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, crawled_site
from tests.service.running import service_on

from gossamer.cli.commands.duplicates import _rows
from gossamer.config import Service
from gossamer.folder.data import DataFolder

A = "http://a.test/"


def product(name: str, links: str = "", canonical: str | None = None) -> str:
    words = " ".join(f"{name}{number}" for number in range(40))
    named = "" if canonical is None else f'<link rel="canonical" href="{canonical}">'
    data = json.dumps({"@context": "https://schema.org", "@type": "Product", "name": name})
    return (
        f"<title>{name}</title>{named}<p>{words}</p>{links}"
        f'<script type="application/ld+json">{data}</script>'
    )


GONE = "<title>Shop</title><p>We are sorry: nothing is here.</p>"
LINKS = "".join(f'<a href="/{path}">.</a>' for path in ("tea?print=1", "cup", *"12345"))
PAGES: Pages = {
    A: f"<title>Shop</title>{LINKS}",
    f"{A}tea?print=1": product("Tea", '<a href="/tea"></a>', canonical="/tea"),
    f"{A}tea": product("Tea"),
    f"{A}cup": product("Cup"),
    **{f"{A}{number}": GONE for number in "12345"},
}


@pytest.fixture
def shop(tmp_path: Path) -> DataFolder:
    data = DataFolder(tmp_path / "gossamer-data")
    crawled_site(data.path, PAGES, [A], hurried(scope="host"))
    return data


@pytest.mark.usefixtures("shop")
def test_one_page_at_two_addresses_is_shown_once(here: Gossamer) -> None:
    done = here("duplicates")
    assert done.returncode == 0, done.stderr
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["PAGES", "KIND", "REPRESENTATIVE", "WHY"]
    (tea,) = (line for line in lines if "duplicates" in line)
    assert f"{A}tea" in tea
    assert "others name it as canonical" in tea
    assert any("soft-404" in line and line.split()[0] == "5" for line in lines)

    explained = json.loads(here("explain", f"{A}tea?print=1", "--json").stdout)
    assert explained["duplicates"]["representative"] == f"{A}tea"
    told = here("explain", f"{A}tea?print=1").stdout
    assert f"{A}tea stands for its group of 2 pages" in told
    assert "print has changed nothing so far, at 1 of 5 addresses" in told
    assert "it stands for a group of 2 pages" in here("explain", f"{A}tea").stdout
    assert "probably nothing is there" in here("explain", f"{A}1").stdout

    rows = here("table", "Product", "--to", "jsonl").stdout.splitlines()
    assert sorted(json.loads(row)["name"] for row in rows) == ["Cup", "Tea"]
    graphs = "SELECT ?g { GRAPH ?g { ?s a <http://schema.org/Product> } }"
    assert len(json.loads(here("query", graphs, "--to", "json").stdout)["results"]["bindings"]) == 3


@pytest.mark.usefixtures("shop")
def test_search_shows_pages_once_unless_all_are_wanted(here: Gossamer) -> None:
    def found(*options: str) -> list[str]:
        answer = json.loads(here("search", "tea", "--pages", "--json", *options).stdout)
        return sorted(page for result in answer["results"] for page in result["pages"])

    assert found() == [f"{A}tea"]
    assert found("--all") == [f"{A}tea", f"{A}tea?print=1"]


def test_rest_tells_groups_page_by_page(shop: DataFolder) -> None:
    with service_on(shop, Service()) as client:
        first = client("/api/duplicates", limit=1)
        assert len(first.json["groups"]) == 1
        rest = client("/api/duplicates", after=first.json["next"]).json
        kinds = {each["kind"] for each in first.json["groups"] + rest["groups"]}
        assert kinds == {"duplicates", "soft-404"}
        assert client("/api/duplicates", host="b.test").json["groups"] == []
        assert client("/api/duplicates", after="x").status == 400


@pytest.mark.usefixtures("shop")
def test_a_host_without_any_is_a_sentence(here: Gossamer) -> None:
    done = here("duplicates", "--host", "b.test")
    assert (done.returncode, done.stdout) == (0, "")
    assert "No pages of b.test" in done.stderr


def test_whoever_shares_a_body_keeps_it_when_the_other_page_is_forgotten(
    tmp_path: Path, here: Gossamer
) -> None:
    data = DataFolder(tmp_path / "gossamer-data")
    cup = product("A cup of tea" * 9)
    pages = {A: '<a href="/cup">.</a><a href="/cup?b=1">.</a>', f"{A}cup": cup, f"{A}cup?b=1": cup}
    crawled_site(data.path, pages, [A], hurried(scope="host"))
    listed = here("archive", "list", f"{A}cup?b=1", "--json").stdout
    assert f"{A}cup" in listed
    assert here("forget", f"{A}cup").returncode == 0
    assert here("archive", "get", f"{A}cup?b=1").stdout == cup
    done = here("rebuild")
    assert done.returncode == 0, done.stderr
    graphs = "SELECT ?g { GRAPH ?g { ?s a <http://schema.org/Product> } }"
    rows = json.loads(here("query", graphs, "--to", "json").stdout)["results"]["bindings"]
    assert [row["g"]["value"] for row in rows] == [f"{A}cup?b=1"]
    assert f'"{A}cup"' not in here("archive", "list", "--json").stdout


def test_large_groups_are_cut_short() -> None:
    group = {
        "members": 1_000,
        "kind": "soft-404",
        "representative": A,
        "why": "it is shorter",
        "others": [f"{A}{number}" for number in range(200)],
    }
    assert list(_rows(group))[-1][2] == "  and 996 more"
