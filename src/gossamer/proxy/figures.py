"""What the proxy did and does: sums for metrics, and everybody who is at it now."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from gossamer.model import Url
from gossamer.urls import host_of

NO_TIME: Final = timedelta(0)
MOST_SHOWN: Final = 500  # requests at once; more are counted alone


class Stage(StrEnum):
    """What a request is at."""

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
        """It waits for its turn from now on."""
        self.stage = Stage.WAITING
        if self.waits_from is None:
            self.waits_from = time.monotonic()

    def goes(self, stage: Stage) -> None:
        """It is its turn."""
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
        """Somebody asks for something."""
        entry = Entry(client, method, url, time.monotonic(), stage)
        self.entries.add(entry)
        return entry

    def leave(self, entry: Entry | None, status: int, by: str) -> timedelta:
        """It was answered, by a server, the cache or ourselves; how long it had waited.

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
        """All of it, as JSON has it."""
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
