"""Where events go: JSON lines in the data folder, and lines for people on stderr."""

import asyncio
import fcntl
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from errno import EDQUOT, EFBIG, ENOSPC
from json.encoder import encode_basestring
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Final

from gossamer.config import Log
from gossamer.errors import DataFolderError, GossamerError, StorageFullError
from gossamer.events import LEVELS, Event, Level, Proxied, Requested, RequestFailed, plain
from gossamer.moments import now_utc

FULL: Final = (ENOSPC, EDQUOT, EFBIG)
BATCH_SECONDS: Final = 0.1
OF_CLIENTS: Final = ("proxy", "lease")  # purposes of requests that others asked for

_JSON: Final = json.JSONEncoder(ensure_ascii=False)  # `dumps` would make one for every line
# Of each kind of event that was met: its line but for the values, and what gives them.
_FORMS: dict[str, tuple[str, Callable[[Event], tuple[object, ...]]]] = {}


class _Moments:
    """Moments in UTC as JSON has them: most are of the same second as the one before."""

    def __init__(self) -> None:
        # A second, and how it is written.
        self._last = (datetime(1970, 1, 1, tzinfo=UTC), "1970-01-01T00:00:00")

    def __call__(self, moment: datetime) -> str:
        second, text = self._last
        since = moment - second
        if since.days or since.seconds:
            second = moment.astimezone(UTC).replace(microsecond=0)
            text, since = second.isoformat()[:19], moment - second
            self._last = (second, text)
        return f'"{text}.{since.microseconds:06}+00:00"'


# The encoder takes longer to begin than most values are long.
_WRITTEN: Final[defaultdict[type, Callable[[Any], str]]] = defaultdict(
    lambda: lambda value: _JSON.encode(plain(value)),
    {
        str: encode_basestring,
        int: repr,
        datetime: _Moments(),
        timedelta: lambda length: repr(length.total_seconds()),
    },
)

Sink = Callable[[Event], None]
"""Takes events, and writes them down or leaves them out."""


@dataclass(slots=True)
class JsonLog:
    """Appends events to `NNNNNN.jsonl`, starting a new file at a size, keeping so many.

    What is told at once is one write, and a line torn by a crash is closed before the next one.
    """

    folder: Path
    config: Log
    clock: Callable[[], datetime] = now_utc
    _file: IO[bytes] | None = field(default=None, init=False)
    _size: int = field(default=0, init=False)  # of the file

    def __call__(self, event: Event) -> None:
        """Append the event, if its level is high enough."""
        self.all((event,))

    def all(self, events: Sequence[Event]) -> None:
        """Append those of some events whose level is high enough."""
        levels = LEVELS[LEVELS.index(self.config.level) :]
        moment = self.clock().isoformat(timespec="milliseconds")
        if not self.config.client_queries:
            events = [without_query(each) for each in events]
        lines = [_line(each, moment) for each in events if each.level in levels]
        if lines:
            self._append("".join(lines).encode())

    def _append(self, lines: bytes) -> None:
        try:
            written = self._write(lines)
            self._size += written
            if written < len(lines):
                raise OSError(ENOSPC, "there is room for half a line")
        except OSError as error:
            self.close()  # what is torn is closed when it is opened again
            kind = StorageFullError if error.errno in FULL else DataFolderError
            raise kind(f"The log in {self.folder} cannot be written: {error.strerror}.") from None

    def _write(self, lines: bytes) -> int:
        while True:
            file = self._open()
            number = file.fileno()
            fcntl.flock(number, fcntl.LOCK_SH)  # against whoever writes the file anew (`forget`)
            try:
                if os.fstat(number).st_nlink:
                    return file.write(lines)
            finally:
                fcntl.flock(number, fcntl.LOCK_UN)
            self.close()  # it was replaced: what is written to it nobody would read

    def close(self) -> None:
        """Close the file; a further event opens it again."""
        if self._file:
            self._file.close()
            self._file = None

    def _open(self) -> IO[bytes]:
        if self._file and self._size >= self.config.rotate_bytes:
            self.close()
        if not self._file:
            self._file = self._next_file()
            self._size = self._file.tell()
        return self._file

    def _next_file(self) -> IO[bytes]:
        self.folder.mkdir(parents=True, exist_ok=True)
        files = log_files(self.folder)
        newest = files[-1] if files else self.folder / "000001.jsonl"
        if files and newest.stat().st_size >= self.config.rotate_bytes:
            newest = self.folder / f"{int(newest.stem) + 1:06}.jsonl"
            for old in files[: -self.config.keep_files]:
                old.unlink(missing_ok=True)
        file = newest.open("ab+", buffering=0)
        try:
            _end_torn_line(file)
        except BaseException:
            file.close()
            raise
        return file


def without_query(event: Event) -> Event:
    """The event, with no query in the URL where a client of ours asked for that; `?` says there was one."""
    if not isinstance(event, Proxied | Requested | RequestFailed) or "?" not in event.url:
        return event
    if not isinstance(event, Proxied) and event.purpose not in OF_CLIENTS:
        return event
    return replace(event, url=event.url.partition("?")[0] + "?")


def _line(event: Event, moment: str) -> str:
    """The event as JSON, with the fields of `Event.record`; this is written for every request."""
    form, values_of = _FORMS.get(event.name) or _FORMS.setdefault(event.name, _form(event))
    return form % (moment, *[_WRITTEN[type(value)](value) for value in values_of(event)])


def _form(event: Event) -> tuple[str, Callable[[Event], tuple[object, ...]]]:
    """The line of an event's kind, but for its values, and what gives them."""
    names = event.field_names()
    stated = "".join([f', "{name}": %s' for name in names])
    form = f'{{"at": "%s", "event": %s, "level": %s{stated}}}\n'
    return form, attrgetter("name", "level", *names)


def _end_torn_line(file: IO[bytes]) -> None:
    if file.tell():
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")


def log_files(folder: Path) -> list[Path]:
    """The log files of a data folder, oldest first."""
    return sorted(folder.glob("[0-9]*.jsonl"))


def read_events(folder: Path) -> Iterator[dict[str, object]]:
    """Every event in the log, oldest first; a line torn by a crash is passed over."""
    for path in log_files(folder):
        with path.open("rb") as lines:
            for line in lines:
                with suppress(ValueError):
                    yield json.loads(line)


@dataclass(frozen=True, slots=True)
class HumanLog:
    """Writes a line for people, for events from a level on."""

    stream: IO[str]
    least: Level = "warning"

    def all(self, events: Sequence[Event]) -> None:
        """Write the sentences of some: mostly of none."""
        levels = LEVELS[LEVELS.index(self.least) :]
        for event in [each for each in events if each.level in levels]:
            self(event)

    def __call__(self, event: Event) -> None:
        """Write the event's sentence."""
        if LEVELS.index(event.level) >= LEVELS.index(self.least):
            prefix = {"warning": "warning: ", "error": "error: "}.get(event.level, "")
            with suppress(OSError):  # a full disk, or nobody there: then nobody can be told
                self.stream.write(f"{prefix}{event.sentence()}\n")
                self.stream.flush()


@dataclass(frozen=True, slots=True)
class Both:
    """One sink that hands each event to several."""

    sinks: tuple[Sink, ...]

    def __call__(self, event: Event) -> None:
        """Hand on one."""
        for sink in self.sinks:
            sink(event)

    def all(self, events: Sequence[Event]) -> None:
        """Hand on some: the first sink gets all of them, then the second."""
        for sink in self.sinks:
            tell_all(sink, events)


def both(*sinks: Sink) -> Sink:
    """One sink that hands each event to several."""
    return Both(sinks)


def tell_all(sink: Sink, events: Sequence[Event]) -> None:
    """Hand events on in their order, at once where the sink can take them so."""
    if isinstance(sink, JsonLog | HumanLog | Both):
        sink.all(events)
    else:
        for event in events:
            sink(event)


class Batch:
    """A sink that hands events on together, in their order, a moment after they happened. Close it at the end.

    What is written for a request is not part of answering it; and a hundred lines in one write take a fifth
    of the time that they take one by one.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._events: list[Event] = []
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, event: Event) -> None:
        """Take an event."""
        self._events.append(event)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_SECONDS, self.close)

    def close(self) -> None:
        """Hand on what is here."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        events, self._events = self._events, []
        # A full disk costs lines of a log; whoever is answered meanwhile does not pay for it.
        with suppress(GossamerError):
            tell_all(self._sink, events)
