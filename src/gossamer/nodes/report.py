"""The report of a node on itself: its machine, its processes and its crawl. A value, and JSON of bounded size.

Nodes of one crawl may be of different versions: what a reader does not know is passed over, and what a
writer did not say is None. Sizes are in bytes, times in seconds; `cpu` is in processors: 1.5 is one and a half.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, TypeVar

MOST_PROCESSES: Final = 32  # kinds of them
MOST_DISKS: Final = 16
MOST_TEXT: Final = 300  # characters of a name
MOST_BYTES: Final = 64 * 1024

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class MachineMemory:
    """The memory of a machine, in bytes; `free` is what programs may still take."""

    used: int
    free: int
    total: int


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """The room on one disk, and which parts of the node's folder lie there."""

    parts: str  # such as "archive, log"
    free: int
    total: int
    device: int | None = None  # its number, on this machine


@dataclass(frozen=True, slots=True)
class ProcessFigures:
    """What the processes of one kind take together."""

    kind: str
    count: int
    cpu: float | None  # processors, since the report before
    memory: int


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """How a node's part of the crawl stands."""

    pages_per_second: float
    quads_per_second: float
    bytes_per_second: float | None
    pages: int  # with content, in this run
    hosts_held: int
    in_flight: int  # hosts that are asked now
    waiting: int  # pages that were answered and are not settled
    slowest: str | None  # the phase that most pages wait for
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReport:
    """What a node tells of itself; what it cannot know is None."""

    host: str | None = None  # the name of its machine
    machine: str | None = None  # which it shares with others that say the same
    system: str | None = None
    cores: int | None = None
    cpu: float | None = None  # of the machine, by all programs
    load: float | None = None  # of the last minute
    memory: MachineMemory | None = None
    disks: Sequence[DiskRoom] = ()
    least_free: int | None = None  # below which its crawl ends
    clock_ahead: float | None = None  # of the database's clock: the middle of what it may be
    clock_within: float | None = None  # and how much more or less
    processes: Sequence[ProcessFigures] = ()
    crawl: CrawlFigures | None = None
    service: str | None = None  # where its pages are, if it serves any
    ended: str | None = None  # how its crawl ended, as the last that it tells
    log_dropped: int = 0  # lines of this run that the database does not have

    def dump(self) -> bytes:
        """The report as JSON; one that grew beyond all bounds loses its longest parts."""
        told = {name: value for name, value in asdict(self).items() if value is not None}
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        return data.encode(errors="replace") if len(data) <= MOST_BYTES else b"{}"


NO_REPORT: Final = NodeReport()


def load_report(data: bytes) -> NodeReport:
    """The report again; damaged parts are as if they were not said."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return NO_REPORT
    if not isinstance(told, dict):
        return NO_REPORT
    return NodeReport(
        host=_text(told.get("host")),
        machine=_text(told.get("machine")),
        system=_text(told.get("system")),
        cores=_whole(told.get("cores")),
        cpu=_number(told.get("cpu")),
        load=_number(told.get("load")),
        memory=_record(MachineMemory, told.get("memory")),
        disks=_records(DiskRoom, told.get("disks"), MOST_DISKS),
        least_free=_whole(told.get("least_free")),
        clock_ahead=_number(told.get("clock_ahead")),
        clock_within=_number(told.get("clock_within")),
        processes=_records(ProcessFigures, told.get("processes"), MOST_PROCESSES),
        crawl=_record(CrawlFigures, told.get("crawl")),
        service=_text(told.get("service")),
        ended=_text(told.get("ended")),
        log_dropped=_whole(told.get("log_dropped")) or 0,
    )


def _records(kind: type[V], told: object, most: int) -> tuple[V, ...]:
    if not isinstance(told, list):
        return ()
    return tuple(each for one in told[:most] if (each := _record(kind, one)) is not None)


def _record(kind: type[V], told: object) -> V | None:
    """A record of flat values; None where one that it needs is missing or of another type."""
    if not isinstance(told, dict):
        return None
    found: dict[str, Any] = {}
    for field in fields(kind):  # type: ignore[arg-type] # a dataclass, as mypy cannot say
        name, _, otherwise = getattr(field.type, "__name__", str(field.type)).partition(" | ")
        value = _READERS[name](told.get(field.name))
        if value is None and not otherwise:
            return None
        found[field.name] = value
    return kind(**found)


def _text(told: object) -> str | None:
    return told[:MOST_TEXT] if isinstance(told, str) else None


def _number(told: object) -> float | None:
    is_number = isinstance(told, int | float) and not isinstance(told, bool)
    return float(told) if is_number and math.isfinite(told) else None  # type: ignore[arg-type]


def _whole(told: object) -> int | None:
    number = _number(told)
    return None if number is None else int(number)


_READERS: Final[Mapping[str, Any]] = {"str": _text, "int": _whole, "float": _number}
