"""Reads the log of a crawl: of all nodes, from the database they share, or of one node, from its own files."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

from gossamer.events import EVENTS, LEVELS
from gossamer.log import log_files
from gossamer.moments import to_microseconds
from gossamer.nodes.log_store import LogFilter, NodeLogStore
from gossamer.nodes.log_tail import LogPlace, LogTail

BLOCK_BYTES: Final = 256 * 1024
MOST_SEEN: Final = 10_000  # numbers of lines: a line that came late is among them
SHIFTED: Final = ("at", "started_at", "ended_at")  # moments by the node's clock
Told = Mapping[str, Any]


class LogSource(Protocol):
    """A log to read."""

    def newest(self, wanted: LogFilter, most: int) -> list[Told]:
        """The newest lines that are wanted, the newest first, each with its node."""

    def all(self, wanted: LogFilter) -> Iterator[Told]:
        """All lines that are wanted, the newest first."""

    def follow(self, wanted: LogFilter) -> "Callable[[], list[Told]]":
        """What came in since it was called last, the oldest first."""


@dataclass(frozen=True, slots=True)
class SharedLog:
    """The log of all nodes, in the database they share."""

    store: NodeLogStore

    def newest(self, wanted: LogFilter, most: int) -> list[Told]:
        """The newest lines that are wanted, the newest first."""
        return [{**line.record(), "id": line.id} for line in self.store.newest(wanted, most)]

    def all(self, wanted: LogFilter) -> Iterator[Told]:
        """All lines that are wanted, the newest first."""
        return (line.record() for line in self.store.all(wanted))

    def follow(self, wanted: LogFilter) -> Callable[[], list[Told]]:
        """What came in since it was called last: by number, and those that were given a number and came late."""
        floor = self.store.last_id()
        seen: dict[int, int] = {}  # numbers above the floor, and when they were met

        def more() -> list[Told]:
            nonlocal floor
            found = [*self.store.all(replace(wanted, after_id=floor))]
            new = sorted((line for line in found if line.id not in seen), key=lambda line: line.at)
            seen.update({line.id: line.at for line in new})
            if len(seen) > MOST_SEEN:
                floor = sorted(seen)[-MOST_SEEN // 2]
                for number in [each for each in seen if each <= floor]:
                    del seen[number]
            return [line.record() for line in new]

        return more


@dataclass(frozen=True, slots=True)
class FolderLog:
    """The log of one node, in the files of its folder."""

    folder: Path
    node: str

    def newest(self, wanted: LogFilter, most: int) -> list[Told]:
        """The newest lines that are wanted, the newest first."""
        return [*islice(self.all(wanted), most)]

    def all(self, wanted: LogFilter) -> Iterator[Told]:
        """All lines that are wanted, the newest first."""
        is_wanted = matcher(wanted, self.node)
        for line in lines_from_end(self.folder):
            told = _read(line)
            if told is None:
                continue
            if is_wanted(told):
                yield {"node": self.node, **told}
            elif wanted.since is not None and _moment(told) < wanted.since:
                return

    def follow(self, wanted: LogFilter) -> Callable[[], list[Told]]:
        """What was added to the files since it was called last."""
        tail, is_wanted = LogTail(self.folder), matcher(wanted, self.node)
        place = tail.end() or LogPlace("000001.jsonl", 0)

        def more() -> list[Told]:
            nonlocal place
            part = tail.read(place)
            place = part.place or place
            lines = [told for line in part.lines if (told := _read(line)) is not None]
            return [{"node": self.node, **told} for told in lines if is_wanted(told)]

        return more


def matcher(wanted: LogFilter, node: str) -> Callable[[Told], bool]:
    """Whether a line of a file is wanted."""
    levels = None
    if wanted.level is not None:
        levels = LEVELS[[*LEVELS].index(wanted.level) :]  # type: ignore[arg-type] # one of them

    def is_wanted(told: Told) -> bool:
        return (
            wanted.node in (None, node)
            and wanted.host in (None, told.get("host"))
            and (not wanted.events or told.get("event") in wanted.events)
            and (levels is None or told.get("level") in levels)
            and (wanted.since is None or _moment(told) >= wanted.since)
            and (wanted.before is None or _moment(told) < wanted.before[0])
        )

    return is_wanted


def lines_from_end(folder: Path, block: int = BLOCK_BYTES) -> Iterator[bytes]:
    """The lines of a log from its end."""
    for path in reversed(log_files(folder)):
        with path.open("rb") as file:
            at, held = file.seek(0, 2), b""
            while at > 0:
                size = min(block, at)
                at -= size
                file.seek(at)
                first, *lines = (file.read(size) + held).split(b"\n")
                yield from reversed(lines)
                held = first  # its beginning may be in the block before
            yield held


def by_database_clock(told: Told) -> Told:
    """A line with its moments by the database's clock, by which those of all nodes can be compared."""
    ahead = told.get("clock_ahead")
    if not isinstance(ahead, int | float):
        return told
    shift = timedelta(seconds=ahead)
    return {**told, **{name: _shifted(told[name], shift) for name in SHIFTED if name in told}}


def sentence_of(told: Told) -> str:
    """What a line says, for people."""
    kind = EVENTS.get(str(told.get("event")))
    if kind is not None:
        try:
            return kind.line.format_map(told)
        except (KeyError, ValueError, TypeError):  # of another version
            pass
    hidden = ("node", "at", "event", "level", "id", "clock_ahead", "clock_within")
    rest = {name: value for name, value in told.items() if name not in hidden}
    return f"{told.get('event')} {json.dumps(rest, ensure_ascii=False)}"


def _shifted(text: object, shift: timedelta) -> object:
    try:
        return (datetime.fromisoformat(str(text)) - shift).isoformat(timespec="microseconds")
    except ValueError:
        return text


def _read(line: bytes) -> Told | None:
    if not line.strip():
        return None
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):  # torn by a crash
        return None
    return told if isinstance(told, dict) else None


def _moment(told: Told) -> int:
    try:
        return to_microseconds(datetime.fromisoformat(str(told.get("at"))))
    except ValueError:
        return 0
