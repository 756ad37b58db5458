"""The access log and the figures: each answer is logged and counted once, and what is under way can be seen."""

import time
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from gossamer.events import Proxied, ProxyFault
from gossamer.log import Sink
from gossamer.model import Url
from gossamer.proxy.refusals import FAULT
from gossamer.proxy.reply import Reply
from gossamer.urls import host_of

NO_TIME: Final = timedelta(0)
MOST_SHOWN: Final = 500  # requests at once; more are counted alone
CACHE, SERVER, OURSELVES = "cache", "server", "ourselves"  # who answers


class Stage(StrEnum):
    """The stage that a request has reached."""

    READING = "reading"  # its body
    WAITING = "waiting"  # for its host's turn, or for somebody else's fetch of the same page
    ASKING = "asking"  # the server
    ANSWERING = "answering"  # the client
    TUNNEL = "tunnel"


@dataclass(eq=False, slots=True)
class Entry:
    """One request, while it is here."""

    client: str
    method: str
    url: Url
    began: float
    stage: Stage = Stage.READING
    waits_from: float | None = None
    turn_at: float | None = None  # when it was its turn

    def waits(self) -> None:
        """Note that a request waits for its turn."""
        self.stage = Stage.WAITING
        if self.waits_from is None:
            self.waits_from = time.monotonic()

    def goes(self, stage: Stage) -> None:
        """Note that a request has its turn."""
        self.stage = stage
        self.turn_at = time.monotonic()

    @property
    def waited(self) -> timedelta:
        """How long it waited for its turn, or did so far."""
        if self.waits_from is None:
            return NO_TIME
        until = time.monotonic() if self.turn_at is None else self.turn_at
        return timedelta(seconds=until - self.waits_from)


@dataclass(slots=True)
class Figures:
    """Sums since the proxy began, and what is under way."""

    connections: int = 0  # of clients, now
    answers: Counter[str] = field(default_factory=Counter)  # by who answered
    statuses: Counter[int] = field(default_factory=Counter)  # 0: the client left before
    received: int = 0  # bytes of bodies from servers
    sent: int = 0  # to clients
    waited: float = 0.0  # seconds for turns
    tunnels: int = 0  # that were made: what is asked inside is not paced
    tunnel_bytes: int = 0
    entries: set[Entry] = field(default_factory=set)

    def enter(self, client: str, method: str, url: Url, stage: Stage = Stage.READING) -> Entry:
        """Add a request that is under way."""
        entry = Entry(client, method, url, time.monotonic(), stage)
        self.entries.add(entry)
        return entry

    def leave(self, entry: Entry | None, status: int, by: str) -> timedelta:
        """Count a request that was answered, and return how long it had waited.

        There is no entry where it could not be read, or did not have to wait for anything.
        """
        self.answers[by] += 1
        self.statuses[status] += 1
        if entry is None:
            return NO_TIME
        self.entries.discard(entry)
        if entry.waits_from is None:
            return NO_TIME
        waited = entry.waited
        self.waited += waited.total_seconds()
        return waited

    def record(self, address: str, cache: Mapping[str, int], *, intercepts: bool) -> dict[str, Any]:
        """All figures, as JSON has them."""
        now = time.monotonic()
        entries = sorted(self.entries, key=lambda entry: entry.began)
        clients = sorted({entry.client for entry in entries})
        hosts = sorted({host_of(entry.url) for entry in entries})
        return {
            "address": address,
            "intercepts": intercepts,
            "connections": self.connections,
            "answers": dict(self.answers),
            "statuses": {str(status): count for status, count in sorted(self.statuses.items())},
            "received_bytes": self.received,
            "sent_bytes": self.sent,
            "waited_seconds": round(self.waited, 3),
            "tunnels": self.tunnels,
            "tunnel_bytes": self.tunnel_bytes,
            "cache": dict(cache),
            "stages": dict(Counter(entry.stage.value for entry in entries)),
            "clients": [
                {"client": name, **_tally([each for each in entries if each.client == name])}
                for name in clients
            ],
            "hosts": [
                {"host": name, **_tally([each for each in entries if host_of(each.url) == name])}
                for name in hosts
            ],
            "requests": [_shown(entry, now) for entry in entries[:MOST_SHOWN]],
        }


class Handled(NamedTuple):
    """How a request was handled: who answered it, and why, where it was not the server."""

    by: str
    reason: str = ""


FROM_CACHE: Final = Handled(CACHE)
FROM_SERVER: Final = Handled(SERVER)
LEFT: Final = Handled(OURSELVES, "The client left.")
FAULTY: Final = Handled(OURSELVES, FAULT.why)


@dataclass(slots=True)
class Note:
    """One request, noted when the block ends. Set `handled` and perhaps `entry` meanwhile."""

    figures: Figures
    tell: Sink
    reply: Reply
    client: str
    method: str = ""  # where it cannot be read
    url: str = ""
    handled: Handled = LEFT
    entry: Entry | None = None
    began: float = field(default_factory=time.monotonic)
    is_written: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write it down, whatever happened."""
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            self.fail()
        self.write()

    def fail(self) -> None:
        """Remember a defect of ours, for which there is a 500, unless an answer was begun."""
        self.handled = FAULTY
        if not self.reply.is_begun:
            self.reply.status, self.reply.sent = FAULT.status, 0

    def write(self) -> None:
        """Write it down, once."""
        if self.is_written:
            return
        self.is_written = True
        status, entry = self.reply.status or 0, self.entry
        waited = self.figures.leave(entry, status, self.handled.by)
        self.figures.sent += self.reply.sent
        self.tell(
            Proxied(
                client=self.client,
                method=self.method,
                url=entry.url if entry else self.url,
                status=status,
                bytes=self.reply.sent,
                by=self.handled.by,
                waited=waited,
                took=timedelta(seconds=time.monotonic() - self.began),
                reason=self.handled.reason,
            )
        )


def fault_of(error: Exception) -> ProxyFault:
    """A defect of ours as the log has it."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__}: {error}"
    return ProxyFault(message=message, where=f"{where.filename}:{where.lineno}")


def _tally(entries: list[Entry]) -> dict[str, int]:
    waiting = sum(entry.stage is Stage.WAITING for entry in entries)
    return {"requests": len(entries), "waiting": waiting}


def _shown(entry: Entry, now: float) -> dict[str, Any]:
    return {
        "client": entry.client,
        "method": entry.method,
        "url": entry.url,
        "stage": entry.stage.value,
        "seconds": round(now - entry.began, 3),
        "waited": entry.waited.total_seconds(),
    }
