"""What the server saw, request by request, and whether the client was polite.

A moment is in seconds since 1970, from a clock that never jumps. The end of a
response is taken just before its last bytes are handed over and the arrival of a
request just after it was read, so a gap is never measured shorter than it was.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Access:
    """One request and its response."""

    arrived: float
    ended: float
    method: str
    host: str
    path: str
    agent: str
    status: int  # 0: none was sent
    bytes: int  # of the response, headers included


@dataclass(frozen=True, slots=True)
class HostAudit:
    """How one host was treated."""

    requests: int
    smallest_gap: float | None  # end of a response to the next arrival; None: one request only
    most_in_flight: int


def audit(log: Iterable[Access]) -> Mapping[str, HostAudit]:
    """By host: requests, the smallest gap between two, the most in flight at once."""
    by_host: dict[str, list[Access]] = defaultdict(list)
    for access in log:
        by_host[access.host].append(access)
    return {host: _audit(accesses) for host, accesses in by_host.items()}


def _audit(accesses: list[Access]) -> HostAudit:
    accesses.sort(key=lambda access: access.arrived)
    return HostAudit(len(accesses), min(_gaps(accesses), default=None), _most_in_flight(accesses))


def _gaps(accesses: list[Access]) -> Iterator[float]:
    """From the last response before each request to that request; negative where they overlap."""
    last_end = accesses[0].ended
    for access in accesses[1:]:
        yield access.arrived - last_end
        last_end = max(last_end, access.ended)


def _most_in_flight(accesses: list[Access]) -> int:
    most, ends = 0, list[float]()
    for access in accesses:
        while ends and ends[0] <= access.arrived:
            heappop(ends)
        heappush(ends, access.ended)
        most = max(most, len(ends))
    return most


def to_line(access: Access) -> str:
    """One request as a line of the log file."""
    return json.dumps(asdict(access), separators=(",", ":")) + "\n"


def read_log(path: Path) -> Iterator[Access]:
    """The requests in a log file; a last line that is still being written is left out."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield Access(**json.loads(line))
