import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.errors import StorageAwayError
from gossamer.frontier.opening import open_store, where


def test_without_an_address_it_is_a_file(tmp_path: Path) -> None:
    store, give_up = open_store(tmp_path / "frontier.db", None)
    with closing(store):
        give_up()  # nobody waits for a file
        assert store.read(lambda txn: txn.rows("SELECT 1")) == [(1,)]


def test_with_one_it_is_a_database(tmp_path: Path, database: str) -> None:
    store, _ = open_store(tmp_path / "frontier.db", database)
    with closing(store):
        assert store.read(lambda txn: txn.rows("SELECT current_schema()")) == [("gossamer",)]
    assert not (tmp_path / "frontier.db").exists()


def test_a_server_that_was_never_there_is_not_waited_for_long(tmp_path: Path) -> None:
    told: list[str] = []
    missing = f"postgresql://me:hush@/crawl?host={tmp_path}"
    with pytest.raises(StorageAwayError, match=r"cannot be reached: the database crawl at"):
        open_store(tmp_path / "frontier.db", missing, tell=told.append)
    assert len(told) == 1
    assert "Retrying until" in told[0]
    assert "hush" not in told[0]


def test_a_database_is_named_without_its_password() -> None:
    assert where("postgresql://me:hush@a.test:77/crawl") == "the database crawl at a.test:77"


def test_without_psycopg_a_file_serves_and_a_database_is_a_sentence(tmp_path: Path) -> None:
    script = f"""
import sys
sys.modules["psycopg"] = None
from pathlib import Path
from gossamer.errors import ConfigError
from gossamer.frontier.opening import open_store
open_store(Path({str(tmp_path / "frontier.db")!r}), None)[0].close()
try:
    open_store(Path("unused"), "postgresql://a.test/b")
except ConfigError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "pip install 'gossamer[postgres]'" in done.stdout
