"""The machines of a crawl: here one, whose crawl has ended."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.service.running import Client
from tests.web.conftest import Look

from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.nodes.heartbeat import point_of
from gossamer.nodes.report import CrawlFigures, DiskRoom, MachineMemory, NodeReport, ProcessFigures
from gossamer.nodes.store import NodeStore
from gossamer.web.pages.nodes import charts_of

REPORT = NodeReport(
    host="machine-7",
    system="Linux 6",
    cores=4,
    cpu=1.5,
    load=0.7,
    memory=MachineMemory(1_000_000, 2_000_000, 3_000_000),
    disks=(DiskRoom("folder, log", 5_000_000_000, 9_000_000_000),),
    clock_ahead=90.0,
    clock_within=0.1,
    processes=(ProcessFigures("readers", 2, 0.5, 1_000_000),),
    crawl=CrawlFigures(3.5, 10.0, None, 7, 2, 1, 3, "read", 0),
    service="http://127.0.0.1:8717/",
)


@pytest.fixture(scope="module")
def reported(crawl: DataFolder) -> Iterator[None]:
    with closing(SqliteStore(crawl.frontier_file)) as store:
        nodes = NodeStore(store)
        nodes.join("skewed <node>", "1.0", REPORT.dump())
        nodes.beat("skewed <node>", "1.0", "running", REPORT.dump(), point_of(REPORT))
        yield
        nodes.leave("skewed <node>")  # others look at this crawl too


@pytest.mark.usefixtures("reported")
def test_a_node_is_shown_with_its_machine_and_what_is_wrong_with_it(look: Look) -> None:
    page = look("/nodes")
    note = page.one(".note--bad").text()
    assert "skewed <node> on machine-7 is in trouble" in note
    assert "Its clock is 1.5min ahead" in note or "Its clock is 90s ahead" in note
    rows = [each.text() for each in page.all("tbody th")]
    assert any("skewed <node>" in row for row in rows)
    text = page.text
    for told in ("1.5 of 4", "1.0 MB of 3.0 MB", "5.0 GB", "readers, 2 processes", "machine-7"):
        assert told in text, told


@pytest.mark.usefixtures("reported")
def test_the_record_of_a_node_has_what_the_contract_names(ask: Client) -> None:
    told = ask("/api/nodes", charts="true").json
    (node,) = [each for each in told["nodes"] if each["node"] == "skewed <node>"]
    assert node["memory"] == {"used": 1_000_000, "free": 2_000_000, "total": 3_000_000}
    assert (node["cpu"], node["pages_per_second"]) == (1.5, 3.5)
    assert node["processes"] == [{"kind": "readers", "count": 2, "cpu": 0.5, "memory": 1_000_000}]
    assert node["heard_at"].startswith("20")
    assert told["charts"]["skewed <node>"]["series"]["pages_per_second"] == [3.5]
    assert "charts" not in ask("/api/nodes").json
    samples = ask("/metrics").body.decode()
    assert 'gossamer_node_cpu_processors{node="skewed <node>"} 1.5' in samples
    assert 'gossamer_node_alarm{node="skewed <node>",kind="clock",subject=""} 1' in samples


@pytest.mark.usefixtures("reported")
def test_health_says_which_node_is_in_trouble(ask: Client) -> None:
    told = ask("/health").json
    assert told["status"] == "degraded"
    assert told["ready"]
    assert "Node skewed <node>: Its clock is" in told["parts"]["nodes"]["trouble"]


def test_a_chart_needs_two_points() -> None:
    assert charts_of(None) == []
    assert charts_of({"at": [1.0], "series": {"cpu": [1.0]}}) == []
    (chart,) = charts_of({"at": [1.0, 2.0], "series": {"cpu": [1.0, 1.5], "free": [1, 2]}})
    assert (chart.title, chart.last) == ("Processors", "1.5")
