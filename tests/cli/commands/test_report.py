import json
from pathlib import Path

import pytest
from tests.cli.commands.test_extract import write_warc
from tests.cli.conftest import Gossamer

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

GOOD = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Person"}</script>'
BAD = GOOD.replace('"Person"', '"Prsn",')


@pytest.fixture
def site(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "bad.html").write_text(f"<!doctype html>\n{BAD}\n")
    (tmp_path / "site" / "good.html").write_text(GOOD)


@pytest.mark.usefixtures("site")
def test_a_folder_is_checked_and_json_has_one_shape(here: Gossamer) -> None:
    done = here("report", "site", "--url", "http://a.test/", "--to", "json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "2 errors and 0 warnings on 2 pages\n")
    assert told["findings"] == [
        {
            "rule": "syntax",
            "severity": "error",
            "page": "http://a.test/bad.html",
            "line": 2,
            "entity": None,
            "message": "jsonld: Comma too many left out.",
            "fix": None,
            "see": None,
        },
        {
            "rule": "unknown-type",
            "severity": "error",
            "page": "http://a.test/bad.html",
            "line": 2,
            "entity": told["findings"][1]["entity"],
            "message": 'schema.org has no type "Prsn".',
            "fix": "Write Person.",
            "see": "https://schema.org/Person",
        },
    ]
    assert (told["pages"], told["counts"]["error"]) == (2, 2)


@pytest.mark.usefixtures("site")
def test_a_limit_decides_the_exit_status(here: Gossamer) -> None:
    assert here("report", "site/bad.html", "--fail-on", "error").returncode == 1
    assert here("report", "site/good.html", "--fail-on", "warning").returncode == 0


@pytest.mark.usefixtures("site")
def test_a_file_has_the_format_of_its_name(here: Gossamer, tmp_path: Path) -> None:
    done = here("report", "site", "-o", "report.html")
    assert (done.stdout, done.stderr) == ("", "2 errors and 0 warnings on 2 pages: report.html\n")
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
    assert here("report", "site").stdout.startswith("# Structured data: 2 errors")
    wrong = here("report", "site", "-o", "report.txt")
    assert (wrong.returncode, "does not end in one of .json, .md, .html" in wrong.stderr) == (
        2,
        True,
    )


def test_what_cannot_be_read_is_a_finding_and_a_failure(here: Gossamer) -> None:
    done = here("report", "nosuch.html", "--to", "json")
    (finding,) = json.loads(done.stdout)["findings"]
    assert done.returncode == 1
    assert (finding["rule"], finding["severity"]) == ("unreadable", "error")
    assert finding["message"] == "There is no such file or folder."


def test_a_page_that_is_too_much_is_a_finding(here: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>x" * 2_000_000)
    done = here("report", "page.html", "--to", "json", "--config", "transform.time_limit=0.01")
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["rule"], "took longer than" in finding["message"]) == ("unreadable", True)


def test_an_archive_and_a_url_are_checked(here: Gossamer, tmp_path: Path) -> None:
    world = World(seed=2, pages=20, hosts=2)
    write_warc(tmp_path / "crawl.warc.gz", world)
    archive = json.loads(here("report", "crawl.warc.gz", "--to", "json").stdout)
    assert archive["pages"] == 20
    assert {each["rule"] for each in archive["findings"]} == {"syntax"}  # the demo web has some
    with DemoServer(world, tmp_path / "access.log") as web:
        reach = ("--connect-to", web.connect_to, "--agent-contact", "you@example.org")
        done = here("report", world.front(0), "--to", "json", *reach)
    assert (done.returncode, json.loads(done.stdout)["pages"]) == (0, 1)
