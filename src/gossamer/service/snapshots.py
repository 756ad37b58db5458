"""What those see who watch a crawl: its status at a moment, and what changed since the one before. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Final

from gossamer.owner.messages import Record
from gossamer.service.processes import Usage

PHASES: Final = ("fetch", "read", "archive", "graph", "settle")
NO_CRAWL: Final = "none"
AWAY: Final = "away"  # the folder changes hands, or whoever has it does not answer


def snapshot(
    status: Record, usages: Iterable[Usage], at: float, before: Record | None = None
) -> Record:
    """The status at a moment (seconds since 1970), with rates since the snapshot before."""
    run = status["run"]
    running = list(usages)
    told = {
        **status,
        "at": round(at, 3),
        "state": NO_CRAWL if run is None else run["state"],
        "processes": [asdict(each) for each in running],
        "cpu_seconds": round(sum(each.cpu_seconds for each in running), 2),
        "memory": sum(each.resident_bytes for each in running),
    }
    return {**told, "rates": _rates(told, before)}


def away(at: float) -> Record:
    """What is known while nobody answers."""
    return {"at": round(at, 3), "state": AWAY}


def _rates(now: Record, before: Record | None) -> Mapping[str, float | None]:
    """A second: pages by phase, bytes, and seconds of processors."""
    if not _continues(now, before):
        return dict.fromkeys((*PHASES, "bytes", "cpu"))
    assert before is not None
    seconds = now["at"] - before["at"]
    counts, earlier = _counts(now), _counts(before)
    return {name: max(0.0, round((counts[name] - earlier[name]) / seconds, 3)) for name in counts}


def _continues(now: Record, before: Record | None) -> bool:
    """Whether these are two moments of one run."""
    if before is None or before.get("run") is None or now["run"] is None:
        return False
    same = now["owner"]["process"] == before["owner"]["process"]
    return bool(same and now["at"] > before["at"])


def _counts(told: Record) -> dict[str, float]:
    run, totals = told["run"], told["run"]["phase_totals"]
    pages = {phase: totals.get(phase, {}).get("pages", 0) for phase in PHASES}
    return {**pages, "bytes": run["bytes"], "cpu": told["cpu_seconds"]}
