"""`gossamer join`: one more machine for a crawl, from an address or an invitation; a second run resumes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from psycopg import conninfo
from tests.cli.conftest import Gossamer, here
from tests.crawl.commands import CrawlCommand
from tests.crawl.comparing import assert_truth
from tests.crawl.nodes import CASE, demo, ended, folders, nodes, order, result
from tests.frontier.server import Server

from gossamer.folder.data import DataFolder
from gossamer.log import read_events
from gossamer.politeness.audit import REQUESTS
from gossamer.settings.node import known_node

__all__ = ["here"]  # a fixture

REST = ("--config", "crawl.max_pages=none", "--workers", "1", "--agent-contact", "me@a.test")


def test_who_was_invited_crawls_the_rest_and_goes_on_as_the_same_node(
    here: Gossamer, server: Server, database: str, tmp_path: Path
) -> None:
    server.require_own()
    first, second = data = folders(tmp_path, 2)
    token = tmp_path / "token"
    with demo(CASE, tmp_path) as web:
        told = order(CASE, web, database, "--max-pages", "1")
        with nodes([first], *told) as crawls:
            ended(crawls)
        invited = here("nodes", "invite", "--data", str(first))
        token.write_text(invited.stdout)
        assert invited.stdout.count("\n") == 1
        assert "from this machine only" in invited.stderr  # tests have a socket
        own = told[told.index("--config") : told.index("--frontier")]
        reach = own[own.index("--connect-to") : own.index("--agent-contact")]
        settings = [each for each in own if each.startswith(("fetch.", "crawl.concurrency"))]
        mine = [word for each in settings for word in ("--config", each)]
        join = (f"@{token}", *REST, *reach, *mine)
        with CrawlCommand(second, *join, command="join") as node:
            summary = node.summary()
        assert "warning:" not in node.words
        found = result(CASE, web, database, data, summary)
        known = known_node(DataFolder(second))
        with CrawlCommand(second, *join, command="join") as node:  # with what was used up
            assert node.summary()["ended"] == "done"
        with CrawlCommand(second, *reach, command="join") as node:  # and by what it remembers
            assert node.summary()["ended"] == "done"
    assert summary["ended"] == "done"
    assert_truth(found)
    assert known_node(DataFolder(second)).name == known.name
    assert token.read_text().strip() != known.address
    status = here(
        "status", "--data", str(second), GOSSAMER_FRONTIER_ADDRESS=token.read_text().strip()
    )
    assert (status.returncode, "shared, in the database" in status.stdout) == (0, True)
    _assert_one_log(here, *data)
    listed = json.loads(here("nodes", "invite", "--list", "--json", "--data", str(first)).stdout)
    assert [each["node"] for each in listed] == [known.name]
    name = listed[0]["name"]
    wrong = here("nodes", "invite", "--revoke", name[:-1], "--data", str(first))
    assert (wrong.returncode, f"Did you mean {name}?" in wrong.stderr) == (2, True)
    assert here("nodes", "invite", "--revoke", name, "--data", str(first)).returncode == 0
    out = here("join", "--data", str(second))
    assert (out.returncode, "`gossamer nodes invite` makes another" in out.stderr) == (2, True)


def test_an_address_on_the_command_line_works_and_is_warned_of(
    here: Gossamer, database: str, tmp_path: Path
) -> None:
    with demo(CASE, tmp_path) as web:
        told = order(CASE, web, database, "--max-pages", "1")
        with nodes([tmp_path / "one"], *told) as crawls:
            ended(crawls)
        address = conninfo.make_conninfo(database, password="hush")
        done = here("join", address, "--data", "two", *told[told.index("--connect-to") :][:4])
    assert done.returncode == 0
    assert "which every user of this machine can read" in done.stderr
    assert "hush" not in done.stdout + done.stderr
    assert "of the crawl in the database" not in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((), 2, "Name the database of the crawl to join"),
        (("@none.txt",), 1, "none.txt cannot be read"),
        (("@two.txt",), 1, "two.txt is to hold one line"),
        (("somewhere",), 2, "Write it like postgresql://user:password@host:5432/database"),
        (("postgresql://me@127.0.0.1:1/b",), 1, "does a firewall let us through?"),
    ],
)
def test_what_cannot_be_joined_is_told_why(
    here: Gossamer, tmp_path: Path, words: tuple[str, ...], status: int, said: str
) -> None:
    (tmp_path / "two.txt").write_text("one\ntwo\n")
    done = here("join", *words)
    assert (done.returncode, said in done.stderr) == (status, True), done.stderr
    assert not (tmp_path / "gossamer-data").exists()


def test_a_database_without_a_crawl_is_not_joined(here: Gossamer, database: str) -> None:
    done = here("join", database)
    assert (done.returncode, "There is no crawl in the database" in done.stderr) == (1, True)


def _assert_one_log(here: Gossamer, first: Path, second: Path) -> None:
    """The log of both nodes is in the database, also that of the one who was invited, until it is forgotten."""
    names = {known_node(DataFolder(each)).name for each in (first, second)}

    def lines(*words: str) -> list[dict[str, object]]:
        done = here("log", "--json", "--since", "1h", *words, "--data", str(first))
        return [json.loads(line) for line in done.stdout.splitlines()]

    sent = lines("--event", "requested", "--event", "request-failed")
    assert {each["node"] for each in sent} == names
    own = [*read_events(DataFolder(first).log_folder), *read_events(DataFolder(second).log_folder)]
    assert len(sent) == sum(event["event"] in REQUESTS for event in own)
    audit = here("audit", "--json", "--data", str(second))
    told = json.loads(audit.stdout)
    assert (audit.returncode, sum(each["requests"] for each in told)) == (0, len(sent))
    shown = json.loads(here("nodes", "--json", "--data", str(first)).stdout)
    assert {each["node"]: each["state"] for each in shown} == dict.fromkeys(names, "left")
    host = str(sent[0]["host"])
    assert here("forget", host, "--data", str(first)).returncode == 0
    assert lines("--host", host) == []
    assert len(lines("--event", "requested")) > 0


@pytest.mark.parametrize(
    "words",
    [
        ("join", "postgresql://127.0.0.1:1/crawl", "--data", "new"),
        ("nodes", "invite", "--data", "new", "--frontier", "postgresql://127.0.0.1:1/crawl"),
    ],
)
def test_without_psycopg_there_is_a_sentence_on_how_to_get_it(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    script = f"""
import sys
sys.modules["psycopg"] = None
sys.argv = {["gossamer", *words]!r}
from gossamer.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert "pip install 'gossamer[postgres]'" in done.stderr
    assert done.returncode == 2
