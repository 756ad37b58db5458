import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from gossamer.errors import DataFolderError, GossamerError
from gossamer.frontier.schema import SQLITE_VERSIONS as VERSIONS
from gossamer.frontier.sqlite import MARK, SqliteStore, open_database, rewrite, transaction


def test_a_new_file_has_the_present_version(tmp_path: Path) -> None:
    database = open_database(tmp_path / "frontier.db")
    assert database.execute("PRAGMA user_version").fetchone() == (len(VERSIONS),)
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        database = open_database(tmp_path / "frontier.db")
        schema = database.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
        database.close()
    assert any("hosts" in str(sql) for (sql,) in schema)


@pytest.mark.parametrize("version", range(len(VERSIONS)))
def test_every_older_file_is_upgraded(tmp_path: Path, version: int) -> None:
    old = sqlite3.connect(tmp_path / "frontier.db", isolation_level=None)
    old.create_function("site_of", 1, str)
    for statements in VERSIONS[:version]:
        for statement in statements:
            old.execute(statement.format(id="INTEGER PRIMARY KEY", blob="BLOB"))
    old.execute(f"PRAGMA user_version = {version}")
    old.execute(f"PRAGMA application_id = {MARK}")
    old.close()
    database = open_database(tmp_path / "frontier.db")
    fresh = open_database(tmp_path / "fresh.db")
    schema = "SELECT name, sql FROM sqlite_master ORDER BY name"
    assert database.execute(schema).fetchall() == fresh.execute(schema).fetchall()
    database.close()
    fresh.close()


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "frontier.db"
    open_database(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    newer.execute(f"PRAGMA user_version = {len(VERSIONS) + 1}")
    newer.close()
    with pytest.raises(DataFolderError, match="newer Gossamer"):
        open_database(path)


def test_the_file_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "frontier.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA user_version = 1")
    other.close()
    with pytest.raises(DataFolderError, match="no file of Gossamer's"):
        open_database(path)
    path.unlink()
    unmarked = sqlite3.connect(path, isolation_level=None)
    unmarked.execute("CREATE TABLE theirs (x)")
    unmarked.close()
    with pytest.raises(DataFolderError, match="no file of Gossamer's"):
        open_database(path)
    path.write_bytes(b"this is not a database, however long one looks at it" * 100)
    with pytest.raises(DataFolderError, match="cannot be used"):
        open_database(path)


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    database = open_database(tmp_path / "frontier.db")
    insert = "INSERT INTO hosts (host, site) VALUES (?, 'a.test')"
    with pytest.raises(apsw.ConstraintError), transaction(database):
        database.executemany(insert, [("a.test",), ("a.test",)])
    assert database.execute("SELECT count(*) FROM hosts").fetchone() == (0,)
    with transaction(database):
        database.execute(insert, ("a.test",))
    assert database.execute("SELECT count(*) FROM hosts").fetchone() == (1,)
    database.close()


LOCK = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_program_has_locked_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.frontier.sqlite.BUSY_MS", 10)
    path = tmp_path / "frontier.db"
    store = SqliteStore(path)
    with subprocess.Popen(
        [sys.executable, "-c", LOCK, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(DataFolderError, match="is locked by another program"):
            store.transact(lambda txn: txn.rows("DELETE FROM hosts"))
        other.communicate()
    assert store.transact(lambda txn: txn.rows("DELETE FROM hosts")) == []
    store.close()


FILL = """
import pathlib, resource, sys
from gossamer.config import Politeness
from gossamer.errors import StorageFullError
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url

def some(n):
    return [Url(f"https://h{k % 7}.test/{n}/{k}" + "x" * 200) for k in range(50)]

def make_room():
    if ballast.exists():
        ballast.unlink()
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, hard))

path = pathlib.Path(sys.argv[1])
ballast = path.with_name("ballast")
frontier = SqlFrontier(SqliteStore(path), "one", Politeness())
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
if sys.argv[2] == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
else:
    ballast.write_bytes(bytes(4_000_000))
said, n = None, 0
while said is None:
    assert n < 1000
    try:
        frontier.add([NewUrl(url) for url in some(n)])
        n += 1
    except StorageFullError as full:
        said = str(full)
assert n > 5
# What was done is there, before and after there is room; what was under way is not.
counts = frontier.counts()
assert counts.known == counts.pending == 50 * n, counts
assert frontier.page(some(n)[0]) is None
for again in range(2):
    assert all(frontier.page(url) is not None for k in range(n) for url in some(k)[:3])
    make_room() if not again else None
    assert frontier.add([NewUrl(url) for url in some(n)]) == 50 * (not again)
assert frontier.counts().known == 50 * (n + 1)
(checked,) = frontier._store.read(lambda txn: txn.rows("PRAGMA integrity_check"))
assert checked == ("ok",), checked
frontier.close()
print(said)
"""


def filled(path: Path, how: str, *before: str) -> str:
    done = subprocess.run(
        [*before, sys.executable, "-c", FILL, str(path), how],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_file_that_may_not_grow_pauses_the_crawl_and_loses_nothing(tmp_path: Path) -> None:
    assert "over its quota or limit" in filled(tmp_path / "frontier.db", "limit")


def test_a_full_disk_pauses_the_crawl_and_loses_nothing(tmp_path: Path) -> None:
    mount = f"mount -t tmpfs -o size=8m none {tmp_path}"
    alone = [shutil.which("unshare") or "unshare", "-Urm", "sh", "-c"]
    if shutil.which("unshare") is None or subprocess.run([*alone, mount], check=False).returncode:
        pytest.skip("needs namespaces: no small disk can be made here (unshare -Urm, mount)")
    said = filled(tmp_path / "frontier.db", "disk", *alone, f'{mount} && exec "$@"', "sh")
    assert "The disk is full" in said
    assert "Nothing is lost; make room and go on" in said


def test_a_file_that_cannot_be_written_anew_stays_and_no_draft_takes_room(tmp_path: Path) -> None:
    path = tmp_path / "frontier.db"
    open_database(path).close()
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        with pytest.raises(GossamerError):
            rewrite(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [each.name for each in tmp_path.iterdir()] == ["frontier.db"]
    assert path.read_bytes() == before
    rewrite(path)
    open_database(path).close()
