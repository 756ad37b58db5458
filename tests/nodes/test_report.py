import json

from hypothesis import given
from hypothesis import strategies as st

from gossamer.nodes.report import (
    NO_REPORT,
    CrawlFigures,
    DiskRoom,
    MachineMemory,
    NodeReport,
    ProcessFigures,
    load_report,
)

REPORT = NodeReport(
    host="a.test",
    cores=2,
    cpu=1.5,
    load=0.3,
    memory=MachineMemory(1, 2, 3),
    disks=(DiskRoom("archive, log", 5, 9),),
    clock_ahead=-0.2,
    clock_within=0.01,
    processes=(ProcessFigures("crawl", 1, 0.5, 100), ProcessFigures("reader", 2, None, 200)),
    crawl=CrawlFigures(1.5, 20.0, None, 3, 4, 5, 6, "read", 7),
    service="127.0.0.1:8717",
    log_dropped=3,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_a_report_survives_its_way() -> None:
    assert load_report(REPORT.dump()) == REPORT
    assert load_report(NO_REPORT.dump()) == NO_REPORT


def test_what_a_newer_node_says_is_passed_over_and_what_an_older_does_not_is_none() -> None:
    told = load_report(b'{"cpu":2,"fans":3,"memory":{"used":1},"disks":[{"parts":"log"},7]}')
    assert told == NodeReport(cpu=2.0)


@given(st.dictionaries(st.sampled_from(["cpu", "memory", "disks", "crawl", "host", "cores"]), JSON))
def test_whatever_a_node_says_is_read_without_a_fault(told: dict[str, object]) -> None:
    load_report(json.dumps(told).encode())


@given(st.binary())
def test_no_bytes_are_a_fault(data: bytes) -> None:
    assert isinstance(load_report(data), NodeReport)


def test_a_report_beyond_all_bounds_is_not_kept() -> None:
    assert NodeReport(host="x" * 100_000).dump() == b"{}"
