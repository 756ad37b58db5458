import asyncio
import json
import subprocess
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from tests.cli.commands.test_extract import write_warc
from tests.cli.conftest import Gossamer
from tests.crawl.sites import Sent, served

from gossamer.cli.run_report import old_tables
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
            "file": "site/bad.html",
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
            "file": "site/bad.html",
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
    assert (
        wrong.returncode,
        "does not end in one of .json, .md, .html, .sarif, .xml" in wrong.stderr,
    ) == (
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
    rules = {each["rule"] for each in archive["findings"]}
    assert {"syntax"} <= rules <= {"syntax", "noindex"}  # the demo web has some
    with DemoServer(world, tmp_path / "access.log") as web:
        reach = ("--connect-to", web.connect_to, "--agent-contact", "you@example.org")
        done = here("report", world.front(0), "--max-pages", "1", "--to", "json", *reach)
        assert (done.returncode, json.loads(done.stdout)["pages"]) == (0, 1)
        assert not (tmp_path / "gossamer-data").exists()
        fast = ("--config", "politeness.delay=0", "--data", "kept", *reach)
        done = here("report", world.front(0), "--to", "json", *fast)
        crawled = json.loads(done.stdout)
    assert (done.returncode, crawled["pages"] > 5) == (0, True)
    again = json.loads(here("report", "--data", "kept", "--to", "json").stdout)
    assert {**again, "run": None} == {**crawled, "run": None}


@pytest.mark.usefixtures("site")
def test_what_a_baseline_has_fails_no_build(here: Gossamer, tmp_path: Path) -> None:
    assert here("report", "site", "-o", "known.json").returncode == 0
    again = ("report", "site", "--baseline", "known.json", "--fail-on", "error")
    done = here(*again)
    assert (done.returncode, done.stderr) == (
        0,
        "2 errors and 0 warnings on 2 pages, 0 of them new\n",
    )
    (tmp_path / "site" / "more.html").write_text(BAD)
    assert here(*again).returncode == 1
    (tmp_path / "known.json").write_text("[]")
    wrong = here(*again)
    assert (wrong.returncode, "is no report in JSON" in wrong.stderr) == (1, True)


@pytest.mark.usefixtures("site")
def test_a_report_that_replaces_the_last_one_has_its_trend(here: Gossamer, tmp_path: Path) -> None:
    here("report", "site", "-o", "report.html")
    (tmp_path / "site" / "bad.html").write_text(GOOD)
    here("report", "site", "-o", "report.html")
    assert "-2 errors" in (tmp_path / "report.html").read_text()


def test_sites_and_files_are_not_mixed_and_a_report_needs_something(here: Gossamer) -> None:
    mixed = here("report", "example.test/", "page.html")
    assert (mixed.returncode, "Name sites or files" in mixed.stderr) == (2, True)
    none = here("report")
    assert (none.returncode, "There is no crawl in" in none.stderr) == (1, True)


def test_profiles_and_shapes_are_checked_in_the_worker(here: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "good.html").write_text(GOOD.replace("Person", "Product"))
    (tmp_path / "own.ttl").write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <http://schema.org/> .\n"
        "[] sh:targetClass s:Product ; sh:property [ sh:path s:sku ; sh:minCount 1 ] ."
    )
    chosen = ("--profile", "rich-results", "--profile", "own.ttl")
    done = here("report", "good.html", "--to", "json", *chosen)
    assert {each["rule"] for each in json.loads(done.stdout)["findings"]} == {"required", "shape"}
    wrong = here("report", "good.html", "--profile", "rich")
    assert (wrong.returncode, "There are bioschemas, croissant" in wrong.stderr) == (2, True)
    (tmp_path / "own.ttl").write_text("no shapes")
    assert "has no shapes that we can use" in here("report", "good.html", *chosen).stderr


def test_a_vocabulary_is_fetched_once_and_its_terms_are_checked(
    here: Gossamer, tmp_path: Path
) -> None:
    terms = (
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
        "<http://boats.test/terms#mast> a rdf:Property ."
    )
    turtle = {"Content-Type": "text/turtle"}
    moved = Sent("", 301, {"Location": "http://boats.test/terms"})
    pages = {"http://boats.test/terms": Sent(terms, 200, turtle), "http://boats.test/old": moved}

    async def add() -> tuple[str, str, list[str]]:
        async with served(pages) as site:
            reach = ("--connect-to", f"*.test={site.address}", "--agent-contact", "me@example.org")
            vocab = (sys.executable, "-m", "gossamer", "vocab", "add", *reach)
            run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, check=False)
            first = await asyncio.to_thread(run, [*vocab, "http://boats.test/old"])
            done = await asyncio.to_thread(run, [*vocab, "http://boats.test/terms"])
            return first.stderr, done.stderr, site.asked

    redirected, added, asked = asyncio.run(add())
    assert "`gossamer vocab add http://boats.test/terms`" in redirected
    assert "http://boats.test/terms#: 0 classes and 1 property." in added
    assert asked.count("http://boats.test/terms") == 1
    assert here("vocab", "list").stdout.startswith("http://boats.test/terms#  1 term")
    (tmp_path / "boat.html").write_text('<p vocab="http://boats.test/terms#" property="mats">x')
    told = json.loads(here("report", "boat.html", "--to", "json").stdout)["findings"]
    assert [(each["rule"], each["fix"]) for each in told] == [("unknown-term", "Write mast.")]
    assert here("vocab", "remove", "http://boats.test/terms#").returncode == 0
    assert json.loads(here("report", "boat.html", "--to", "json").stdout)["findings"] == []


def test_old_tables_are_told() -> None:
    assert "schema.org is known as of" in (old_tables(datetime(2040, 1, 1, tzinfo=UTC)) or "")


def test_links_are_asked_for_only_when_that_is_wished_and_as_robots_txt_allows(
    tmp_path: Path,
) -> None:
    names = ("there.jpg", "gone.jpg", "private.jpg")
    images = [f"http://pictures.test/{name}" for name in names]
    thing = {"@context": "https://schema.org", "@type": "Product", "image": images}
    (tmp_path / "page.html").write_text(
        f'<script type="application/ld+json">{json.dumps(thing)}</script>'
    )
    pages: dict[str, Sent | str] = {
        "http://pictures.test/robots.txt": "User-agent: *\nDisallow: /private.jpg",
        images[0]: Sent("", 302, {"Location": "/moved.jpg"}),
        "http://pictures.test/moved.jpg": "x" * 10_000,
    }

    async def report() -> tuple[list[str], list[str]]:
        async with served(pages) as site:
            reach = ("--connect-to", f"*.test={site.address}", "--delay", "0")
            words = (sys.executable, "-m", "gossamer", "report", "page.html", "--to", "json")
            run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True, check=False)
            await asyncio.to_thread(run, [*words, *reach])
            assert site.asked == []
            done = await asyncio.to_thread(run, [*words, *reach, "--check-links", "10"])
            found = json.loads(done.stdout)["findings"]
            return [each["message"] for each in found], site.pages_asked

    messages, asked = asyncio.run(report())
    assert messages == [
        f'The image "{images[1]}" was answered with 404.',
        f'robots.txt keeps all robots from the image "{images[2]}".',
    ]
    assert set(asked) == {images[0], images[1], "http://pictures.test/moved.jpg"}
