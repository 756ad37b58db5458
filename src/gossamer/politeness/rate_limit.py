"""Read how long a host's rate limit asks us to wait: `RateLimit`, `RateLimit-Policy` and their older forms. Pure.

Only a quota that is used up means anything: the wait lasts until it is restored. What counts, and the longest wait
where several do:

- `RateLimit: "name";r=0;t=30` (draft-ietf-httpapi-ratelimit-headers); without `t`, the window `w` of that name in
  `RateLimit-Policy`
- `RateLimit: limit=10, remaining=0, reset=30`, as drafts before had it
- `RateLimit-Remaining: 0` and `RateLimit-Reset: 30`, as the first drafts had it
- `X-RateLimit-Remaining: 0` and `X-RateLimit-Reset`: seconds from now, or a moment in seconds since 1970. The two
  cannot be confused: nobody waits for thirty years. Milliseconds are neither.

The fields are a stranger's: whatever else they are says nothing, and nothing raises.
"""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from gossamer.politeness.delay import LONGEST

MAX_FIELD: Final = 1024  # characters of all values of a field; a policy takes about thirty
EARLIEST_MOMENT: Final = 1_000_000_000  # seconds since 1970: a smaller number is a length
LATEST_MOMENT: Final = 10_000_000_000  # and a larger one has another unit
# Members of a structured-field list: commas inside of strings do not separate, nor does anything after
# a string that has no end.
_MEMBER = re.compile(r'(?:"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[^,"])++', re.DOTALL)
_NAMED = re.compile(r'[ \t]*("(?:[^"\\]|\\.)*+"|[A-Za-z*][A-Za-z0-9_.:/*-]*)[ \t]*(;.*)')
_PARAMETER = re.compile(r";[ \t]*([rtw])=([0-9]{1,15})[ \t]*(?=;|$)")
_PAIR = re.compile(r"[ \t]*(remaining|reset)[ \t]*=[ \t]*([0-9]{1,15})[ \t]*", re.IGNORECASE)
_NUMBER = re.compile(r"([0-9]{1,15})(?:\.[0-9]*)?")  # servers do send "0.0"


def quota_wait(headers: Iterable[tuple[str, str]], now: datetime) -> timedelta | None:
    """How long from `now` until the quota is restored that an answer says is used up; None where none is.

    Never negative and never more than `LONGEST`, as with `Retry-After`.
    """
    fields: dict[str, str] = {}
    for name, value in headers:
        if "ratelimit" in (lower := name.lower()):
            fields[lower] = f"{fields[lower]}, {value}" if lower in fields else value
    if not fields:  # as nearly always
        return None
    fields = {name: value for name, value in fields.items() if len(value) <= MAX_FIELD}
    waits = [
        *_listed(fields.get("ratelimit", ""), fields.get("ratelimit-policy", "")),
        *_paired(fields.get("ratelimit", "")),
        *_separate(fields, "ratelimit"),
        *_separate(fields, "x-ratelimit", now),
    ]
    longest = max(waits, default=0)
    return timedelta(seconds=min(longest, LONGEST.total_seconds())) if longest > 0 else None


def _listed(quotas: str, policies: str) -> Iterable[float]:
    windows = {name: found["w"] for name, found in _members(policies) if "w" in found}
    for name, quota in _members(quotas):
        if quota.get("r") == 0:
            yield quota.get("t", windows.get(name, 0))


def _members(value: str) -> Iterable[tuple[str, dict[str, int]]]:
    for member in _MEMBER.findall(value):
        if named := _NAMED.fullmatch(member):
            yield named[1], {key: int(digits) for key, digits in _PARAMETER.findall(named[2])}


def _paired(value: str) -> Iterable[float]:
    pairs = filter(None, map(_PAIR.fullmatch, value.split(",")))
    found = {pair[1].lower(): int(pair[2]) for pair in pairs}
    if found.get("remaining") == 0:
        yield found.get("reset", 0)


def _separate(fields: dict[str, str], prefix: str, now: datetime | None = None) -> Iterable[float]:
    """The wait in fields of their own; `now` where the reset may be a moment."""
    remaining = _NUMBER.fullmatch(fields.get(f"{prefix}-remaining", "").strip())
    reset = _NUMBER.fullmatch(fields.get(f"{prefix}-reset", "").strip())
    if remaining is None or reset is None or int(remaining[1]) > 0:
        return
    seconds = int(reset[1])
    if seconds < EARLIEST_MOMENT:
        yield seconds
    elif now is not None and seconds < LATEST_MOMENT:
        yield seconds - now.timestamp()
