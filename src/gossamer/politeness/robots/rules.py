"""The rules of an origin, and those of the last origins kept at hand: to parse them takes a while."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.politeness.robots.policy import RobotsPolicy
from gossamer.politeness.robots.record import RobotsRecord

MOST_RULES: Final = 1_000  # origins whose rules are kept …
MOST_BYTES: Final = (
    4 * 1024 * 1024
)  # … of so many bytes of robots.txt: parsed, some take 17 times as much


@dataclass(frozen=True, slots=True)
class Rules:
    """An origin's robots.txt as it stands, and what it permits us."""

    record: RobotsRecord
    policy: RobotsPolicy


class KeptRules:
    """Rules for one agent, the latest ones."""

    def __init__(self, agent: str, most: int = MOST_RULES, most_bytes: int = MOST_BYTES) -> None:
        self._agent = agent
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, Rules] = OrderedDict()  # by origin
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
