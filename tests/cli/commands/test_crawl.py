import json
import os
import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.crawl.commands import states

from gossamer.demo.process import DemoServer
from gossamer.demo.truth import Rules, truth
from gossamer.demo.world import World
from gossamer.frontier.schema import SETTLED

WORLD = World(seed=4, pages=30, hosts=3)
QUICK = ("--delay", "0", "--workers", "1")


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer(WORLD) as running:
        yield running


def test_a_crawl_ends_with_its_summary_and_can_be_taken_up(
    gossamer: Gossamer, server: DemoServer, tmp_path: Path
) -> None:
    reach = ("--connect-to", server.connect_to)
    first = gossamer(
        "crawl", "www.site0.test", "--json", "--max-pages", "3", "--data", "d", *QUICK, *reach
    )
    assert first.returncode == 0, first.stderr
    summary = json.loads(first.stdout)
    assert (summary["pages"], summary["ended"]) == (3, "pages")
    assert "Traceback" not in first.stderr
    # The options are those of the first run, but for what is said anew.
    second = gossamer("crawl", "--data", "d", "--json", "--max-pages", "1000")
    summary = json.loads(second.stdout)
    said = truth(WORLD, [WORLD.front(0)], rules=Rules(sitemaps=True))
    counted = (summary["pages"], summary["refused"], summary["quads"], summary["ended"])
    assert counted == (len(said.visited), len(said.refused), said.quads(), "done")
    assert (tmp_path / "d" / "graph").is_dir()


def test_limits_on_time_and_bytes_are_for_the_run_that_they_are_given_to(
    gossamer: Gossamer, server: DemoServer
) -> None:
    reach = ("--connect-to", server.connect_to, "--depth", "1", "--json")
    limits = [("--max-time", "0s"), ("--config", "crawl.max_bytes=1"), ()]
    runs = [gossamer("crawl", "www.site0.test", *QUICK, *reach, *limit) for limit in limits]
    assert [json.loads(run.stdout)["ended"] for run in runs] == ["time", "bytes", "done"]
    assert "This folder remembers" not in "".join(run.stderr for run in runs)


def test_a_crawl_begins_with_what_it_remembers_and_a_limit_on_pages_says_that_it_counts_all_runs(
    gossamer: Gossamer, server: DemoServer
) -> None:
    reach = ("--connect-to", server.connect_to)
    gossamer("crawl", "www.site0.test", "--max-pages", "2", *QUICK, *reach)
    second = gossamer("crawl", "--delay", "0.01")
    lines = second.stderr.splitlines()
    assert lines[0] == (
        "This folder remembers, from earlier command lines: "
        f"--connect-to '{server.connect_to}', --max-pages 2, --workers 1."
    )
    assert any(each.startswith("The limit of 2 pages, which counts all runs,") for each in lines)
    assert "gossamer crawl --max-pages none " in second.stderr


def test_without_a_seed_there_is_nothing_to_go_on_with(gossamer: Gossamer, tmp_path: Path) -> None:
    done = gossamer("crawl")
    assert done.returncode == 2
    assert "Name a seed" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_where_the_place_to_serve_is_taken_no_folder_is_made(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = gossamer("crawl", "a.test", "--serve", place)
    assert "cannot be listened on" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_crawl_whose_seed_is_refused_says_why(gossamer: Gossamer) -> None:
    done = gossamer("crawl", "http://127.0.0.1:9/")
    assert "http://127.0.0.1:9/ (refused): 127.0.0.1 is loopback" in done.stderr
    assert "gossamer problems" in done.stderr


def test_a_crawl_that_had_no_seed_says_so_and_fails(gossamer: Gossamer, server: DemoServer) -> None:
    bad, none_had = "http://127.0.0.1:9/", "No seed could be had, so the exit status is 1."
    good = ("www.site0.test", "--depth", "0", *QUICK, "--connect-to", server.connect_to)
    runs = [
        ((bad,), 1),
        ((), 1),  # there is still no other
        ((bad, *good), 0),
        ((), 0),
        (("http://127.0.0.1:10/",), 1),  # the one that was named
        (("www.site0.test", "http://www.site0.test/"), 0),  # known already
        (("--max-time", "0s", "http://127.0.0.1:11/"), 0),  # the limit came first
    ]
    for arguments, status in runs:
        done = gossamer("crawl", *arguments, "--json")
        assert done.returncode == status, done.stderr
        assert (none_had in done.stderr) is bool(status)
        assert ("(refused): 127.0.0.1 is loopback" in done.stderr) >= bool(status)
        assert "ended" in json.loads(done.stdout)


def test_a_seed_that_is_out_of_scope_is_not_had(gossamer: Gossamer) -> None:
    assert gossamer("crawl", "http://a.test/", "--exclude", "a.test").returncode == 1


@pytest.mark.parametrize("seed", ["ftp://a.test/", "http://", "@no-such-file"])
def test_a_seed_that_is_none_is_a_sentence(gossamer: Gossamer, seed: str) -> None:
    done = gossamer("crawl", seed)
    assert done.returncode
    assert "Traceback" not in done.stderr
    assert seed.removeprefix("@") in done.stderr


@pytest.mark.parametrize(("options", "status"), [(("--service",), 0), ((), 130)])
def test_a_crawl_that_is_still_loading_ends_as_asked_too(
    here: Gossamer, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], status: int
) -> None:
    def loading(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("gossamer.cli.run_crawl.run_crawl", loading)
    assert here("crawl", "a.test", *options).returncode == status


def test_seeds_can_stand_in_a_file(gossamer: Gossamer, server: DemoServer, tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("http://www.site0.test/\n\n  data.site0.test\n")
    done = gossamer(
        "crawl", "@seeds", "--depth", "0", "--json", "--connect-to", server.connect_to, *QUICK
    )
    assert json.loads(done.stdout)["pages"] == 2
    assert "gossamer search WORDS" in done.stderr


def test_a_crawl_without_words_does_not_send_people_to_search(
    gossamer: Gossamer, server: DemoServer
) -> None:
    off = ("--config", "index.words=false", "--depth", "0", "--connect-to", server.connect_to)
    done = gossamer("crawl", "www.site0.test", *off, *QUICK)
    assert "gossamer query" in done.stderr
    assert "gossamer search" not in done.stderr


def test_known_pages_are_asked_for_again_when_they_are_old_enough(
    gossamer: Gossamer, server: DemoServer, tmp_path: Path
) -> None:
    once = gossamer(
        *("crawl", "www.site0.test", "--depth", "1", "--json", "--connect-to", server.connect_to),
        *QUICK,
    )
    pages = json.loads(once.stdout)["pages"]
    settled = sum(state == SETTLED for state in states(tmp_path / "gossamer-data").values())
    with closing(sqlite3.connect(tmp_path / "gossamer-data" / "frontier.db")) as database:
        had = f"SELECT count(*) FROM pages WHERE state = {SETTLED} AND ended <> 'refused'"
        ((asked_before,),) = database.execute(had)
    asked = [
        (("7d",), "0 pages are"),
        (("0",), f"{settled} pages are"),
        (("0", "--depth", "0"), "1 page is"),  # the others are beyond that
        (("0",), f"{asked_before} pages are"),  # an earlier command's depth is for new pages
    ]
    for age, said in asked:
        again = gossamer("crawl", "--again", "--older-than", *age, "--json")
        assert json.loads(again.stdout)["pages"] == pages
        assert json.loads(again.stdout)["quads"] == json.loads(once.stdout)["quads"]
        assert f"{said} asked for again." in again.stderr.splitlines()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--older-than", "7d"), "give both"),
        (("--again", "--older-than", "old"), "--older-than: 'old' is not a time"),
        (("--again", "--older-than", "-1d"), "at least 0"),
    ],
)
def test_an_age_that_is_none_is_a_sentence(
    gossamer: Gossamer, options: tuple[str, ...], said: str
) -> None:
    done = gossamer("crawl", *options)
    assert done.returncode == 2
    assert said in done.stderr
