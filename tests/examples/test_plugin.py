"""`examples/plugin`, installed as people install it, does what it says in a crawl."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest
from tests.api.chains import Chain, served
from tests.slowness import patience

import gossamer

PLUGIN = Path(__file__).resolve().parents[2] / "examples" / "plugin"
PAGES = {
    "/": "<a href='/people.csv'>.</a><a href='/print'>.</a>",
    "/people.csv": "Ada,https://ada.example/\n",
    "/print": "<p>",
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("packages")
    order = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run(
        [sys.executable, "-m", "pip", *order, "--target", str(target), str(PLUGIN)],
        check=True,
        timeout=patience(60),
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    return target


@pytest.fixture
def installed(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(packages))


class People(Chain):
    """A site with a list of people, and a version of it for printing."""

    def page(self, path: str) -> tuple[int, str]:
        """The status and text of a page."""
        return (200, PAGES[path]) if path in PAGES else (404, "")


@pytest.mark.usefixtures("installed")
def test_its_reader_filter_and_sink_work_in_a_crawl(tmp_path: Path) -> None:
    table = tmp_path / "pages.db"
    with served(kind=People) as site:
        crawl = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "gossamer",
                    "crawl",
                    "http://a.test/",
                    "-o",
                    f"sqlite:{table}",
                ),
                *("--data", str(tmp_path / "data"), "--connect-to", f"*.test={site.address}"),
                *("--delay", "0", "--workers", "1", "--config", "sitemaps.use=false"),
            ],
            capture_output=True,
            text=True,
            timeout=patience(60),
            check=True,
        )
    assert "sink" not in crawl.stderr
    with closing(sqlite3.connect(table)) as database:
        found = dict(database.execute("SELECT url, outcome FROM pages"))
    there = [path for path in PAGES if path != "/print"]
    assert found == {f"http://a.test{path}": "fetched" for path in there}
    with gossamer.open(tmp_path / "data") as data:
        assert data.query("ASK { ?ada foaf:name 'Ada' ; foaf:homepage <https://ada.example/> }")


def test_its_priority_puts_products_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PLUGIN / "src")
    points = import_module("gossamer_example.priorities").products_first
    page = gossamer.extract(
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product"}</script>',
        url="http://a.test/",
    )
    assert points(page.url, page.nquads) > points(page.url, b"") == 0


@pytest.mark.usefixtures("installed")
def test_its_rule_finds_products_without_offers(tmp_path: Path) -> None:
    lamp = {"@context": "https://schema.org", "@type": "Product", "@id": "http://a.test/#lamp"}
    sold = {**lamp, "@id": "http://a.test/#desk", "offers": {"@type": "Offer", "price": 5}}
    page = f'<script type="application/ld+json">{json.dumps([lamp, sold])}</script>'
    (tmp_path / "page.html").write_text(page)
    report = subprocess.run(
        [sys.executable, "-m", "gossamer", "report", "page.html", "--to", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=True,
    )
    (finding,) = json.loads(report.stdout)["findings"]
    assert (finding["rule"], finding["entity"]) == ("offers", "http://a.test/#lamp")
