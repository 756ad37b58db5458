"""Rules that say which node is in trouble, by its last report and the database's moment. Pure.

A trouble that has begun ends later than it would begin: figures that go up and down about a limit are one
alarm, not many. Of a node that is silent we know nothing new: its other troubles stay as they were.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from gossamer.config import MIB
from gossamer.frontier.rows import microseconds
from gossamer.moments import from_microseconds, told_moment
from gossamer.nodes.report import DiskRoom, NodeReport, load_report
from gossamer.nodes.store import NodeRow
from gossamer.values import written
from gossamer.wording import told_size

SILENT_AFTER: Final = timedelta(seconds=30)  # six beats; a lease lasts two minutes
ROOM: Final = 2  # times what its crawl leaves free: then it has time for somebody to come
SPARE: Final = 512 * MIB  # and this much more
SHARE: Final = 0.02  # of a disk that is large, and no more than
MOST_SHARE: Final = 2048 * MIB
RELIEF: Final = 1.2  # times as much room, for the alarm to end
CLOCK_BEGINS: Final = 10.0  # seconds off, for certain; clocks that somebody keeps are within one
CLOCK_ENDS: Final = 5.0


class AlarmKind(StrEnum):
    """What may be wrong with a node."""

    SILENT = "silent"
    DISK = "disk"
    CLOCK = "clock"
    VERSION = "version"
    DATABASE = "database"  # which the node itself finds out, and tells when it is back


@dataclass(frozen=True, slots=True)
class NodeTrouble:
    """Something that is wrong with a node now."""

    node: str
    kind: AlarmKind
    subject: str  # which of several: the parts on a disk; else empty
    message: str

    @property
    def key(self) -> "TroubleKey":
        """What tells it from all others: there is one of them at a time."""
        return self.node, self.kind.value, self.subject


TroubleKey = tuple[str, str, str]
"""A node, a kind and a subject."""


def silent_for(row: NodeRow, now: int) -> timedelta:
    """How long nothing was heard of a node."""
    return timedelta(microseconds=max(now - row.heard_at, 0))


def is_silent(row: NodeRow, now: int, watched_since: int = 0) -> bool:
    """Whether a node that has not left is silent; while nobody watched it could not be heard."""
    quiet = now - max(row.heard_at, watched_since)
    return not row.has_left and quiet > microseconds(SILENT_AFTER)


def find_troubles(
    rows: Sequence[NodeRow],
    now: int,
    known: AbstractSet[TroubleKey] = frozenset(),
    watched_since: int = 0,
) -> list[NodeTrouble]:
    """What is wrong now; `known` has begun before, and lasts until it is plainly over."""
    present = [row for row in rows if not row.has_left and not is_silent(row, now, 0)]
    usual = usual_version([row.version for row in present])
    found: list[NodeTrouble] = []
    for row in rows:
        if row.has_left:
            continue
        if is_silent(row, now, watched_since) or (
            (row.node, AlarmKind.SILENT.value, "") in known and row not in present
        ):
            found.append(_silence(row))
        if row in present:
            report = load_report(row.report)
            found += _of_disks(row.node, report, known)
            found += _of_clock(row.node, report, known)
            found += _of_version(row, usual)
    return found


def still_unknown(rows: Sequence[NodeRow], now: int) -> set[str]:
    """The nodes of which nothing new is known: their troubles of other kinds have not ended."""
    return {row.node for row in rows if is_silent(row, now)}


def usual_version(versions: Sequence[str]) -> str | None:
    """The version that most nodes have; of as many, the latest. None where all have one."""
    counts: Mapping[str, int] = Counter(versions)
    if len(counts) < 2:
        return None
    return max(counts, key=lambda version: (counts[version], _order(version)))


def _order(version: str) -> tuple[tuple[int, str], ...]:
    """What sorts versions: numbers by their size."""
    parts = version.replace("+", ".").split(".")
    return tuple((int(part) if part.isdecimal() else -1, part) for part in parts)


def _silence(row: NodeRow) -> NodeTrouble:
    heard = told_moment(from_microseconds(row.heard_at))
    return NodeTrouble(
        row.node, AlarmKind.SILENT, "", f"Nothing was heard of this node since {heard}."
    )


def _of_disks(
    node: str, report: NodeReport, known: AbstractSet[TroubleKey]
) -> Iterator[NodeTrouble]:
    for disk in report.disks:
        least = least_room(disk, report.least_free or 0)
        if (node, AlarmKind.DISK.value, disk.parts) in known:
            least = int(least * RELIEF)
        if disk.free < least:
            ends = f", and its crawl ends below {told_size(report.least_free or 0)}"
            yield NodeTrouble(
                node,
                AlarmKind.DISK,
                disk.parts,
                f"{told_size(disk.free)} of {told_size(disk.total)} are free on the disk of "
                f"{disk.parts}{ends if report.least_free else ''}.",
            )


def least_room(disk: DiskRoom, least_free: int) -> int:
    """The room below which a disk is nearly full, in bytes."""
    share = min(int(disk.total * SHARE), MOST_SHARE)
    return max(min(ROOM * least_free + SPARE, disk.total // 4), least_free, share)


def _of_clock(
    node: str, report: NodeReport, known: AbstractSet[TroubleKey]
) -> Iterator[NodeTrouble]:
    if report.clock_ahead is None:
        return
    off = max(abs(report.clock_ahead) - (report.clock_within or 0.0), 0.0)
    begun = (node, AlarmKind.CLOCK.value, "") in known
    if off < (CLOCK_ENDS if begun else CLOCK_BEGINS):
        return
    way = "ahead of" if report.clock_ahead > 0 else "behind"
    yield NodeTrouble(
        node,
        AlarmKind.CLOCK,
        "",
        f"Its clock is {written(timedelta(seconds=round(off)))} {way} the database's: the times in its "
        "archive and log are wrong.",
    )


def _of_version(row: NodeRow, usual: str | None) -> Iterator[NodeTrouble]:
    if usual is not None and row.version != usual:
        yield NodeTrouble(
            row.node,
            AlarmKind.VERSION,
            "",
            f"It runs version {row.version}, and most others {usual}.",
        )
