import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from tests.cli.conftest import Gossamer

from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.nodes.report import CrawlFigures, MachineMemory, NodeReport
from gossamer.nodes.store import NodeStore

REPORT = NodeReport(
    host="machine-7",
    cores=4,
    cpu=1.5,
    memory=MachineMemory(1_000_000, 2_000_000, 3_000_000),
    clock_ahead=90.0,
    clock_within=0.1,
    crawl=CrawlFigures(3.5, 10.0, None, 7, 2, 1, 3, "read", 0),
)


@pytest.fixture
def reported(small_crawl: DataFolder) -> None:
    with closing(SqliteStore(small_crawl.frontier_file)) as store:
        NodeStore(store).join("node-1", "1.0", REPORT.dump())
        NodeStore(store).join("node-2", "1.0", NodeReport(cpu=0.5, cores=2).dump())


@pytest.mark.usefixtures("reported")
def test_nodes_are_shown_with_totals_and_what_is_wrong_with_which(here: Gossamer) -> None:
    done = here("nodes")
    assert done.returncode == 0
    head, one, _two, total, *trouble = done.stdout.splitlines()
    assert head.split()[:3] == ["NODE", "STATE", "CPU"]
    assert one.split()[:5] == ["node-1", "running", "1.5", "of", "4"]
    assert total.split()[:5] == ["2", "nodes", "2.0", "of", "6"]
    assert trouble[1] == "node-1 (on machine-7, version 1.0) is in trouble:"
    assert trouble[2].startswith("  clock since ")
    assert trouble[3] == "  It holds no hosts."


@pytest.mark.usefixtures("reported")
def test_json_has_what_the_contract_names(here: Gossamer) -> None:
    one, two = json.loads(here("nodes", "--json").stdout)
    assert (one["node"], one["cpu"], one["pages_per_second"]) == ("node-1", 1.5, 3.5)
    assert one["memory"] == {"used": 1_000_000, "free": 2_000_000, "total": 3_000_000}
    assert (one["processes"], one["heard_at"][:2]) == ([], "20")
    assert (two["memory"], two["troubles"]) == (None, [])


@pytest.mark.usefixtures("small_crawl")
def test_without_a_word_from_a_node_that_is_said(here: Gossamer) -> None:
    done = here("nodes")
    assert (done.returncode, done.stdout) == (0, "")
    assert "No node of the crawl" in done.stderr


def test_a_node_that_is_gone_is_removed_and_one_at_work_is_not(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    with closing(SqliteStore(small_crawl.frontier_file, lambda: hour_ago)) as store:
        NodeStore(store).join("gone", "1.0")
    with closing(SqliteStore(small_crawl.frontier_file)) as store:
        NodeStore(store).join("there", "1.0")
    assert "If it is gone for good: gossamer nodes remove gone" in here("nodes").stdout
    done = here("nodes", "remove", "there")
    assert (done.returncode, "so it is not gone" in done.stderr) == (2, True)
    done = here("nodes", "remove", "go")
    assert (done.returncode, "gone is removed" in done.stderr) == (0, True)
    assert "gone has left already" in here("nodes", "remove", "gone").stderr
    assert "in trouble" not in here("nodes").stdout
    assert "No node of this crawl is called x" in here("nodes", "remove", "x").stderr


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("nodes", "--data", "nowhere")
    assert (done.returncode, "There is no crawl in" in done.stderr) == (1, True)
    done = here("nodes", "show")
    assert (done.returncode, "No such command" in done.stderr) == (2, True)
