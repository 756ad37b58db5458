"""Which hosts took longest to answer lately, out of the log. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

FEWEST: Final = 2  # requests; one alone says little


@dataclass(frozen=True, slots=True)
class Slow:
    """A host, and how long its answers took."""

    host: str
    requests: int
    mean: float  # seconds
    longest: float


def slowest(requests: Iterable[Mapping[str, Any]], most: int) -> Sequence[Slow]:
    """So many hosts, those that took longest on the average first."""
    took: dict[str, list[float]] = {}
    for event in requests:
        seconds = _seconds(event)
        if seconds is not None:
            took.setdefault(str(event.get("host")), []).append(seconds)
    found = [
        Slow(host, len(each), sum(each) / len(each), max(each))
        for host, each in took.items()
        if len(each) >= FEWEST
    ]
    return sorted(found, key=lambda slow: (-slow.mean, slow.host))[:most]


def _seconds(event: Mapping[str, Any]) -> float | None:
    try:
        started = datetime.fromisoformat(event["started_at"])
        return (datetime.fromisoformat(event["ended_at"]) - started).total_seconds()
    except (KeyError, TypeError, ValueError):  # damaged
        return None
