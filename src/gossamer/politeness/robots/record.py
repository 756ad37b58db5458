"""What is kept of one origin's robots.txt (`RobotsRecord`), and the rules read from it (`KeptRules`).

A record is for every agent alike, one row of a table in the frontier's store: all fields are plain values,
times are aware, in UTC. Rules that were read are kept in memory, within limits, while their record stands.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from gossamer.moments import told_moment
from gossamer.politeness.robots.policy import RobotsPolicy

# RFC 9309 section 2.3.1.4 calls 30 days a reasonably long time for a file to be unreachable.
OLD_COPY_SERVES: Final = timedelta(days=30)
CLOSED_FOR_NOW: Final = "The host is closed for now"
NO_ROOM: Final = "budget.robots_bytes"
MOST_RULES: Final = 1_000  # origins whose rules are kept …
MOST_BYTES: Final = (
    4 * 1024 * 1024
)  # … of so many bytes of robots.txt: parsed, some take 17 times as much


class Meaning(StrEnum):
    """What the last answer means for us."""

    RULES = "rules"  # there is a file, and it decides
    NO_RULES = "no-rules"  # there is none: everything is allowed
    FORBIDDEN = "forbidden"  # we may not even read it: nothing is allowed
    UNREACHABLE = "unreachable"  # nobody can tell: nothing is allowed but by an older copy


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRecord:
    """What we know of an origin's robots.txt, and when to ask again."""

    origin: str
    meaning: Meaning
    cause: str  # how the last request ended: "answered 503"
    answered_at: datetime
    ask_at: datetime  # no request before, and none for pages after until it was asked again
    body: bytes | None = None  # the newest file that was served, if any since it was missing
    body_at: datetime | None = None
    failures: int = 0  # unreachable so many times in a row

    def policy(self, agent: str, now: datetime) -> RobotsPolicy:
        """What an agent may fetch from the origin now, as far as we know."""
        if self.meaning is Meaning.RULES:
            return RobotsPolicy.parse(self.body or b"", agent)
        if self.meaning is Meaning.NO_RULES:
            return RobotsPolicy.allow_all(f"There are no rules: {self.last_answer}.")
        if self.meaning is Meaning.UNREACHABLE and self.old_copy_serves(now):
            return RobotsPolicy.parse(self.body or b"", agent).noting(
                f"This is the copy of {_moment(self.body_at)}, for {self.last_answer}."
            )
        closed = CLOSED_FOR_NOW if self.meaning is Meaning.UNREACHABLE else "The host is closed"
        return RobotsPolicy.deny_all(f"{closed}: {self.last_answer}.")

    def old_copy_serves(self, now: datetime) -> bool:
        """Whether there is a file from before the failures that is not too old to go by."""
        return self.body_at is not None and now - self.body_at <= OLD_COPY_SERVES

    @property
    def last_answer(self) -> str:
        """How the last request ended, and when the next one is due, for people."""
        return (
            f"robots.txt {self.cause} at {_moment(self.answered_at)}, "
            f"and is asked for again at {_moment(self.ask_at)}"
        )


def not_kept(record: RobotsRecord, site: str, most_bytes: int) -> RobotsRecord:
    """The record of a file that there is no room for: nothing is allowed until it is asked for again.

    Nor by an older copy: the host has told us that it says something else now.
    """
    return replace(
        record,
        meaning=Meaning.UNREACHABLE,
        cause=f"had no room beside the others of {site}, which take up the {most_bytes:,} bytes of "
        f"{NO_ROOM}",
        body=None,
        body_at=None,
    )


def needs_fetch(record: RobotsRecord | None, now: datetime) -> bool:
    """Whether robots.txt is to be asked for before anything else of its origin."""
    return record is None or now >= record.ask_at


def _moment(at: datetime | None) -> str:
    return "an unknown time" if at is None else told_moment(at)


@dataclass(frozen=True, slots=True)
class Rules:
    """An origin's robots.txt as it stands, and what it permits us."""

    record: RobotsRecord
    policy: RobotsPolicy


class KeptRules:
    """The rules of the last origins, for one agent: parsing them takes a while."""

    def __init__(self, agent: str, most: int = MOST_RULES, most_bytes: int = MOST_BYTES) -> None:
        self._agent = agent
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, Rules] = OrderedDict()  # by origin
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Forget all rules: they are read anew from their records."""
        self._kept.clear()
        self._bytes = 0

    def at_hand(self, record: RobotsRecord) -> Rules | None:
        """The rules of this very record, if they are here."""
        kept = self._kept.get(record.origin)
        return kept if kept is not None and kept.record is record else None

    def of(self, record: RobotsRecord, now: datetime) -> Rules:
        """The rules of a record."""
        kept = self._kept.pop(record.origin, None)
        if kept is not None:
            self._bytes -= _bytes(kept)
        same = kept is not None and kept.record == record
        policy = kept.policy if kept and same else record.policy(self._agent, now)
        rules = self._kept[record.origin] = Rules(record, policy)
        self._bytes += _bytes(rules)
        self._make_room()
        return rules

    def _make_room(self) -> None:
        while len(self._kept) > self._most or (
            self._bytes > self._most_bytes and len(self._kept) > 1
        ):
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _bytes(oldest)


def _bytes(rules: Rules) -> int:
    return len(rules.record.body or b"")
