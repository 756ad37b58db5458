from dataclasses import replace

from gossamer.config import MIB
from gossamer.nodes.report import NO_REPORT, DiskRoom, NodeReport
from gossamer.nodes.rules import AlarmKind, find_troubles, is_silent, usual_version
from gossamer.nodes.store import NodeRow

SECOND = 1_000_000
NOW = 1_000 * SECOND


def node(name: str = "one", heard: float = 0, report: NodeReport = NO_REPORT) -> NodeRow:
    """A node that was heard of so many seconds ago."""
    return NodeRow(
        node=name,
        joined_at=0,
        started_at=0,
        heard_at=NOW - int(heard * SECOND),
        left_at=None,
        version="1.0",
        state="running",
        wish=None,
        wished_at=None,
        report=report.dump(),
    )


def kinds(*rows: NodeRow, **more: object) -> list[tuple[str, str]]:
    return [(each.node, each.kind.value) for each in find_troubles(rows, NOW, **more)]  # type: ignore[arg-type]


def test_nodes_that_tell_of_themselves_and_lack_nothing_are_well() -> None:
    disk = DiskRoom("folder, log", 500_000 * MIB, 1_000_000 * MIB)
    report = NodeReport(disks=(disk,), least_free=256 * MIB, clock_ahead=0.5, clock_within=0.1)
    assert kinds(node(report=report), node("two", 29, report)) == []


def test_a_node_is_silent_after_some_beats_that_did_not_come() -> None:
    assert kinds(node(heard=31)) == [("one", "silent")]
    (trouble,) = find_troubles([node(heard=31)], NOW)
    assert trouble.message == "Nothing was heard of this node since 1970-01-01 00:16:09 UTC."
    assert kinds(replace(node(heard=31), left_at=NOW)) == []


def test_who_could_not_be_heard_is_not_silent() -> None:
    assert kinds(node(heard=500), watched_since=NOW - 10 * SECOND) == []
    assert is_silent(node(heard=500), NOW, NOW - 31 * SECOND)
    # What was silent before stays so, until something is heard.
    known = {("one", "silent", "")}
    assert kinds(node(heard=500), watched_since=NOW, known=known) == [("one", "silent")]
    assert kinds(node(heard=1), watched_since=NOW, known=known) == []


def test_a_disk_is_nearly_full_before_the_crawl_ends_for_it_and_until_there_is_plainly_room() -> (
    None
):
    def with_free(mib: int) -> NodeRow:
        disk = DiskRoom("archive", mib * MIB, 100_000 * MIB)
        return node(report=NodeReport(disks=(disk,), least_free=256 * MIB))

    known = {("one", "disk", "archive")}
    assert kinds(with_free(3_000)) == []
    assert kinds(with_free(1_900)) == [("one", "disk")]
    assert kinds(with_free(2_100), known=known) == [("one", "disk")]
    assert kinds(with_free(3_000), known=known) == []
    (trouble,) = find_troubles([with_free(1_900)], NOW)
    assert trouble.subject == "archive"
    assert trouble.message == (
        "2.0 GB of 104.9 GB are free on the disk of archive, and its crawl ends below 268 MB."
    )


def test_a_small_disk_is_not_full_from_the_start() -> None:
    disk = DiskRoom("folder", 900 * MIB, 1_024 * MIB)
    assert kinds(node(report=NodeReport(disks=(disk,), least_free=0))) == []


def test_a_clock_is_off_where_it_is_so_for_certain() -> None:
    def off(seconds: float, within: float = 0.5) -> NodeRow:
        return node(report=NodeReport(clock_ahead=seconds, clock_within=within))

    known = {("one", "clock", "")}
    assert kinds(off(10.2)) == []
    assert kinds(off(-120)) == [("one", "clock")]
    assert kinds(off(30, within=25)) == []
    assert kinds(off(8), known=known) == [("one", "clock")]
    assert kinds(off(1), known=known) == []
    (trouble,) = find_troubles([off(-120)], NOW)
    assert "behind the database's" in trouble.message


def test_the_version_that_differs_is_the_one_that_fewer_have_or_the_older() -> None:
    def of(name: str, version: str) -> NodeRow:
        return replace(node(name), version=version)

    assert kinds(of("a", "1.2"), of("b", "1.2"), of("c", "1.10")) == [("c", "version")]
    assert kinds(of("a", "1.2"), of("b", "1.10")) == [("a", "version")]
    # Who is silent or has left has no say.
    gone = replace(of("c", "1.2"), left_at=NOW)
    assert kinds(of("b", "1.10"), gone) == []
    assert usual_version(["1.9", "1.10"]) == "1.10"
    assert usual_version([]) is None


def test_of_a_silent_node_nothing_else_is_told() -> None:
    report = NodeReport(disks=(DiskRoom("archive", 0, 100_000 * MIB),), clock_ahead=900)
    assert kinds(node(heard=40, report=report)) == [("one", AlarmKind.SILENT.value)]
