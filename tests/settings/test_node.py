"""A data folder knows who it is, and finds its frontier again."""

import json
import shutil
import stat
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from psycopg import conninfo

from gossamer.config import Config, Frontier, Politeness
from gossamer.errors import ConfigError, DataFolderError, StorageAwayError
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import NewUrl
from gossamer.model import Url
from gossamer.settings.node import (
    Node,
    OpenFolder,
    has_frontier,
    keep_node,
    node_of,
    open_folder,
    open_store,
    where,
)

NOWHERE = Frontier()
AT_ONCE = Config(politeness=Politeness(delay=timedelta(0)))
SEEDS = [NewUrl(Url(f"http://{name}.test/"), seed=True) for name in "ab"]


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "one")
    made.make()
    return made


def joined(data: DataFolder, address: str) -> str:
    """Have the folder join the crawl in a database; its name there."""
    with open_folder(data, Frontier(address=address), joining=True) as place:
        place.frontier(AT_ONCE)
        place.join({"crawl.workers": "2"})
        return place.node.name


def test_a_folder_keeps_its_name(data: DataFolder) -> None:
    assert node_of(data) == node_of(data)


def test_two_folders_have_two_names(data: DataFolder, tmp_path: Path) -> None:
    assert node_of(data).name != node_of(DataFolder(tmp_path)).name


def test_the_copy_of_a_folder_is_another_node(data: DataFolder, tmp_path: Path) -> None:
    keep_node(data, Node("me", "postgresql://a.test/b", "crawl", {"crawl.workers": "2"}))
    shutil.copytree(data.path, tmp_path / "copy")
    copy = node_of(DataFolder(tmp_path / "copy"))
    assert copy.name != "me"
    assert (copy.address, copy.crawl) == ("postgresql://a.test/b", "crawl")
    assert copy == node_of(DataFolder(tmp_path / "copy"))
    assert node_of(data).name == "me"


def test_a_folder_that_was_moved_with_its_disk_to_another_machine_is_another_node(
    data: DataFolder,
) -> None:
    name = node_of(data).name
    written = json.loads(data.node_file.read_text())
    data.node_file.write_text(json.dumps({**written, "host": "another.test"}))
    assert node_of(data).name != name


def test_nobody_else_can_read_the_address(data: DataFolder) -> None:
    keep_node(data, Node("me", "postgresql://me:secret@a.test/b"))
    assert stat.S_IMODE(data.node_file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"name": 1', "\x00"])
def test_a_damaged_file_is_a_sentence(data: DataFolder, text: str) -> None:
    data.node_file.write_text(text)
    with pytest.raises(DataFolderError, match=r"node.json is damaged. Delete it"):
        node_of(data)


def test_without_an_address_the_frontier_is_a_file(data: DataFolder) -> None:
    assert not has_frontier(data)
    with open_folder(data, NOWHERE) as place:
        assert not place.is_shared
        place.frontier(AT_ONCE)
    assert data.frontier_file.exists()
    assert has_frontier(data)


def test_a_folder_finds_its_database_again(data: DataFolder, database: str) -> None:
    joined(data, database)
    assert has_frontier(data)
    assert not data.frontier_file.exists()
    with open_folder(data, NOWHERE) as place:
        assert place.is_shared
        assert place.address == database
        assert place.node.options == {"crawl.workers": "2"}


def test_a_folder_is_not_led_to_another_crawl(
    data: DataFolder, database: str, server: object
) -> None:
    joined(data, database)
    elsewhere = conninfo.make_conninfo(database, dbname="postgres")
    with (
        pytest.raises(DataFolderError, match=r"is not in the database postgres at"),
        open_folder(data, Frontier(address=elsewhere)),
    ):
        pass


def test_a_crawl_in_a_file_does_not_move_into_a_database(data: DataFolder, database: str) -> None:
    with open_folder(data, NOWHERE) as place:
        place.frontier(AT_ONCE).add(SEEDS)
    with (
        pytest.raises(DataFolderError, match="keeps its frontier in the folder"),
        open_folder(data, Frontier(address=database), joining=True),
    ):
        pass
    with open_folder(data, Frontier(address=database)) as place:  # who only asks is answered
        assert not place.is_shared


def test_clocks_that_a_check_left_in_a_file_are_no_crawl(data: DataFolder, database: str) -> None:
    with open_folder(data, NOWHERE) as place:
        place.frontier(AT_ONCE)
    joined(data, database)
    with open_folder(data, NOWHERE) as place:
        assert place.is_shared


def test_a_wrong_address_is_a_sentence_without_the_password(data: DataFolder) -> None:
    with (
        pytest.raises(ConfigError, match="Write it like postgresql://user:password@host") as wrong,
        open_folder(data, Frontier(address="postgresq://me:hush@a.test/b"), joining=True),
    ):
        pass
    assert "hush" not in str(wrong.value)


# ---- taking over


def held(place: OpenFolder) -> list[str]:
    """The hosts that the node's successor would be given now."""
    leases = place.frontier(AT_ONCE).lease(10)
    return sorted(lease.host for lease in leases)


def test_a_successor_takes_over_its_own_leases_and_nobody_elses(
    data: DataFolder, tmp_path: Path, database: str
) -> None:
    other = DataFolder(tmp_path / "other")
    joined(data, database)
    with (
        open_folder(data, NOWHERE) as mine,
        open_folder(other, Frontier(address=database), joining=True) as theirs,
    ):
        frontier = mine.frontier(AT_ONCE)
        frontier.add(SEEDS)
        (lease,) = frontier.lease(1)
        (others,) = theirs.frontier(AT_ONCE).lease(1)
    with open_folder(data, NOWHERE) as heir:
        assert held(heir) == []
        heir.take_over(heir.frontier(AT_ONCE))
        assert held(heir) == [lease.host]
    with open_folder(other, Frontier(address=database)) as theirs:
        assert set(theirs.frontier(AT_ONCE).renew([others.token])) == {others.token}


def test_in_a_file_the_owner_is_the_only_one(data: DataFolder) -> None:
    with open_folder(data, NOWHERE) as place:
        SqlFrontier(place.store, "somebody", AT_ONCE.politeness).add(SEEDS)
        assert len(SqlFrontier(place.store, "somebody", AT_ONCE.politeness).lease(2)) == 2
        place.take_over(place.frontier(AT_ONCE))
        assert held(place) == ["a.test", "b.test"]


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
from gossamer.settings.node import open_store
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
