"""`gossamer crawl --frontier`: what is wrong with the address is one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest
from psycopg import conninfo
from tests.crawling.commands import CLEAN
from tests.frontier.server import GUARDED, Server

from gossamer.cli.shared import is_away
from gossamer.errors import DataFolderError, StorageAwayError


def gossamer(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "gossamer", *arguments]
    return subprocess.run(command, env=CLEAN, capture_output=True, text=True, timeout=60)


def refused(data: Path, address: str, *more: str) -> tuple[int, str]:
    """Exit status and last words of a crawl that does not begin."""
    done = gossamer("crawl", "a.test", "--frontier", address, *more, "--data", str(data))
    assert "Traceback" not in done.stderr
    assert "hush" not in done.stdout + done.stderr
    assert not (data / "frontier.db").exists()
    return done.returncode, done.stderr.splitlines()[-1]


def test_what_is_no_address_is_told_what_one_looks_like(tmp_path: Path) -> None:
    for typo in ("postgresq://me:hush@a.test/b", "somewhere", "postgresql://me:hush@ok@a.test/b"):
        status, words = refused(tmp_path / "data", typo, "--local-graph")
        assert status == 2
        assert "Write it like postgresql://user:password@host:5432/database" in words


def test_a_database_that_is_not_there_is_named(tmp_path: Path, server: Server) -> None:
    missing = conninfo.make_conninfo(server.dsn, dbname="mispelled")
    status, words = refused(tmp_path / "data", missing, "--local-graph")
    assert status == 2
    assert "There is no such database: the database mispelled at" in words


def test_a_wrong_password_is_told_apart(tmp_path: Path, server: Server) -> None:
    server.require_own()
    address = conninfo.make_conninfo(server.dsn, user=GUARDED, password="hush")
    status, words = refused(tmp_path / "data", address, "--local-graph")
    assert status == 2
    assert "refuses this user or password" in words


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    status, words = refused(
        tmp_path / "data", "postgresql://me:hush@127.0.0.1:1/b", "--local-graph"
    )
    assert status == 1
    assert "PostgreSQL cannot be reached: the database b at 127.0.0.1:1 (Connection ref" in words


def test_where_quads_go_has_to_be_said(tmp_path: Path, database: str) -> None:
    status, words = refused(tmp_path / "data", database)
    assert status == 2
    assert "--local-graph" in words


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (StorageAwayError("x"), True),
        (ExceptionGroup("x", [StorageAwayError("x"), StorageAwayError("x")]), True),
        (ExceptionGroup("x", [StorageAwayError("x"), DataFolderError("x")]), False),
        (BaseExceptionGroup("x", [KeyboardInterrupt()]), False),
    ],
)
def test_an_error_is_told_from_a_server_that_is_away(error: BaseException, away: bool) -> None:
    assert is_away(error) is away
