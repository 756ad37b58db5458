"""Freshness over REST, on its page, for Prometheus and at the command line."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service.fresh_pages import NEWS, keep_some_fresh
from tests.service.running import Client, service_on
from tests.web.conftest import BROWSER
from tests.web.reading import read

from gossamer.config import Service
from gossamer.folder.data import DataFolder
from gossamer.web.pages.explain import steps


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fresh") / "data"
    keep_some_fresh(DataFolder(path))
    return path


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with service_on(DataFolder(folder), Service()) as client:
        yield client


def test_freshness_is_told_together_and_by_host(client: Client) -> None:
    told = client("/api/freshness").json
    books, news = told["hosts"]
    assert (books["host"], news["host"]) == ("books.test", "news.test")
    assert (told["pages"], books["pages"], news["pages"]) == (15, 9, 6)
    assert news["rate"] > 3 * books["rate"]
    for each in (told, books, news):
        assert 0 < each["expected"] <= 1
        assert 0 < each["measured"] <= 1
    assert books["measured"] == 1
    assert news["measured"] < 0.9
    assert 0 <= news["changes"] == news["looks"]
    assert told["keeps"] is False
    assert told["next_at"]


def test_hosts_come_page_by_page_and_alone(client: Client) -> None:
    answer = client("/api/freshness", limit=1)
    assert [each["host"] for each in answer.json["hosts"]] == ["books.test"]
    assert "after=books.test" in answer.headers["link"]
    rest = client("/api/freshness", after=answer.json["next"])
    assert [each["host"] for each in rest.json["hosts"]] == ["news.test"]
    assert rest.json["next"] is None
    one = client("/api/freshness", host="news.test").json["hosts"]
    assert [each["host"] for each in one] == ["news.test"]
    assert client("/api/freshness", host="none.test").json["hosts"] == []
    assert client("/api/freshness", limit="many").status == 400


def test_the_page_shows_both(client: Client) -> None:
    page = read(client("/freshness", headers={"Accept": BROWSER}))
    assert "15 pages are expected to be fresh" in page.text
    assert "freshness.keep is off" in page.text
    rows = [row.text() for row in page.all("tbody tr")]
    assert len(rows) == 2
    assert "books.test" in rows[0]
    nobody = read(client("/freshness", host="none.test", headers={"Accept": BROWSER}))
    assert "No page of this host" in nobody.text


def test_commands_tell_rate_next_look_and_why(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    keep_some_fresh(DataFolder(folder), days=10)
    nobody = ("--connect-to", "*.test=127.0.0.1:1")
    command = [sys.executable, "-m", "gossamer", "explain", NEWS[0], "--data", str(folder), *nobody]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "next look  at 2026-" in shown.stdout, shown.stderr
    assert "of which found a change" in shown.stdout
    told = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    record = json.loads(told.stdout)
    look = record["page"]["look"]
    assert look["rate"] > 0
    assert look["changes"] >= 0.9 * look["looks"] > 0
    assert look["why"]
    (step,) = (step for step in steps(record) if step.title == "Freshness")
    assert "The next look is at 2026-" in step.says
    assert look["why"] in step.says

    command = [sys.executable, "-m", "gossamer", "status", "--data", str(folder)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "15 pages kept so" in shown.stdout


def test_status_and_metrics_have_it(client: Client) -> None:
    metrics = client("/metrics").body.decode()
    assert "gossamer_fresh_pages 15" in metrics
    assert 'gossamer_freshness{how="measured"}' in metrics
    assert client("/api/status").json["fresh"]["pages"] == 15
