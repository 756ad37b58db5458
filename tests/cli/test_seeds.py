"""Commands in a folder where a crawl is running."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests.crawl.commands import CrawlCommand, has_begun, until

from gossamer.cli.seeds import seed_texts, what_was_added
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.errors import InputError

from .conftest import Gossamer

WORLD = World(seed=4, pages=30, hosts=3)


def refused(done: CompletedProcess[str]) -> str:
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


def test_a_second_crawl_adds_to_the_first(gossamer: Gossamer, tmp_path: Path) -> None:
    other = WORLD.front(1)
    with DemoServer(WORLD, tmp_path / "access.jsonl") as server:
        reach = ("--connect-to", server.connect_to)
        with CrawlCommand(tmp_path / "d", WORLD.front(0), *reach, "--delay", "100") as running:
            until(lambda: has_begun(tmp_path / "d"))
            process = running.process.pid

            added = gossamer("crawl", other, WORLD.front(0), "--json", "--data", "d", *reach)
            assert added.returncode == 0, added.stderr
            known = {"added": 1, "known": 1, "again": 0, "process": process}
            assert json.loads(added.stdout) == known
            assert added.stderr == what_was_added(known) + "\n"

            said = refused(gossamer("crawl", other, "--depth", "1", "--data", "d"))
            assert "running here with other options (crawl.depth is none)" in said
            said = refused(gossamer("crawl", "--data", "d"))
            assert f"A crawl is running in d already (process {process})" in said
            for command in (["forget", "www.site0.test"], ["rebuild"]):
                said = refused(gossamer(*command, "--data", "d"))
                assert "`gossamer stop` it first" in said

            gossamer("config", "set", "politeness.delay=0", "--data", "d")
            assert running.summary()["ended"] == "done"
        asked = [f"http://{each.host}{each.path}" for each in server.accesses()]
        assert other in asked
        assert len([url for url in asked if url.startswith(other)]) > 2  # its host is in scope too
        # A crawl that has ended is no obstacle.
        assert gossamer("forget", "www.site0.test", "--data", "d").returncode == 0


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ({"added": 2}, "2 seeds added"),
        ({"added": 1, "known": 3}, "1 seed added (3 known before)"),
        ({"again": 1200}, "1,200 pages to be asked for again"),
        ({}, "nothing new"),
    ],
)
def test_people_are_told_what_was_added(added: dict[str, int], words: str) -> None:
    told = what_was_added({"process": 7, "added": 0, "known": 0, "again": 0, **added})
    assert told == f"A crawl is running here (process 7): {words}. It goes on with that."


def test_a_seed_is_itself() -> None:
    assert seed_texts("example.org") == ["example.org"]


def test_a_file_has_a_seed_a_line_and_may_name_other_files(tmp_path: Path) -> None:
    more, seeds = tmp_path / "more", tmp_path / "seeds"
    more.write_text("c.test\n")
    seeds.write_text(
        f"\ufeff# mine\na.test\n\n  # b\n  b.test/ü#c \r\n@{more}\n@{more}\n", encoding="utf-8"
    )
    assert seed_texts(f"@{seeds}") == ["a.test", "b.test/ü#c", "c.test", "c.test"]


def test_a_file_that_is_not_there_or_no_text_is_told_in_a_sentence(tmp_path: Path) -> None:
    latin = tmp_path / "latin"
    latin.write_bytes("a.test/ü".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin is not text in UTF-8 \(byte 7\)"):
        seed_texts(f"@{latin}")
    with pytest.raises(InputError, match="nowhere cannot be read: No such file"):
        seed_texts(f"@{tmp_path / 'nowhere'}")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        seed_texts(f"@{tmp_path}")


def test_files_that_name_each_other_are_told_in_a_sentence(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text(f"@{other}\n")
    other.write_text(f"@{one}\n")
    with pytest.raises(InputError, match="one names itself"):
        seed_texts(f"@{one}")
