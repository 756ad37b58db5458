"""May this URL be fetched now? The answer that `check` and the politeness service give."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final, TypedDict

from gossamer.model import Failed, Url
from gossamer.politeness.ledger import BusyHost, InLine, InUse, Wait
from gossamer.politeness.prospects import Downloading, TimeLeft
from gossamer.politeness.robots.policy import Decision
from gossamer.politeness.robots.record import Meaning, RobotsRecord, Rules

NO_WAIT: Final = timedelta(0)
ROBOTS: Final = "robots"  # the rule by which a URL is refused
PAUSE: Final = "pause"  # that of a host which failed, or asked to be left alone for a while
BUSY: Final = "busy"  # that of a host which others have, or are in line for
AGAIN: Final = timedelta(seconds=1)  # where somebody is being asked, and nobody knows how long
KB: Final = 1_000
MB: Final = 1_000_000
WAITING_IS_NO_USE = -1  # milliseconds, as the REST contract has it


class VerdictRecord(TypedDict):
    """A verdict as JSON has it."""

    url: str
    allowed: bool
    error: str | None
    retryAfter: int


@dataclass(frozen=True, slots=True)
class Permission:
    """Allowed now; to be asked again after a wait; or forbidden, however long one waits."""

    url: str
    error: str | None = None  # why not now: a sentence
    wait: timedelta | None = NO_WAIT  # None: waiting does not help
    # "robots", "pause" of a host in trouble, "busy" with others, why it cannot be reached; None for its
    # usual rest.
    rule: str | None = None

    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched now."""
        return self.error is None

    @property
    def retry_after(self) -> int:
        """Milliseconds to wait, rounded up; -1 where waiting does not help."""
        if self.wait is None:
            return WAITING_IS_NO_USE
        return ceil(self.wait / timedelta(milliseconds=1))

    def record(self) -> VerdictRecord:
        """The verdict as JSON has it, in `check --json` and in REST alike."""
        return {
            "url": self.url,
            "allowed": self.allowed,
            "error": self.error,
            "retryAfter": self.retry_after,
        }


@dataclass(frozen=True, slots=True)
class StillAsking(BusyHost):
    """Somebody waits for an origin's robots.txt, and has not got it so far."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and what it rests on."""

    verdict: Permission
    url: Url | None = None
    rules: Rules | None = None
    decision: Decision | None = None


def judged(url: Url, rules: Rules | Wait | Failed, now: datetime) -> Checked:
    """A URL as far as robots.txt goes, once its rules are known, or why they are not."""
    if isinstance(rules, Wait):
        return Checked(resting(url, rules, now), url)
    if isinstance(rules, Failed):
        return Checked(Permission(url, rules.message, None, rules.cause), url)
    decision = rules.policy.decide(url)
    verdict = Permission(url)
    if not decision.allowed:
        closed_for = _closed_for(rules.record, decision, now)
        verdict = Permission(url, decision.why, closed_for, ROBOTS)
    return Checked(verdict, url, rules, decision)


def resting(url: str, wait: Wait, now: datetime) -> Permission:
    """What is to be said where somebody has to wait."""
    left = max(wait.until - now, timedelta(0))
    if isinstance(wait, StillAsking):
        return Permission(url, "The robots.txt of its origin is still being asked for.", left, BUSY)
    rule = PAUSE if wait.delay.is_pause else BUSY if isinstance(wait, BusyHost) else None
    return Permission(url, _why(wait), left, rule)


def _why(wait: Wait) -> str:
    rest = f"rests between requests: {wait.delay}."
    if isinstance(wait, InUse):
        return f"Somebody has the host until {wait.ends_by:%H:%M:%S} UTC at most, and it {rest}"
    if isinstance(wait, Downloading):
        seconds = ceil(wait.left.likely.total_seconds())
        return (
            f"Somebody downloads from the host: {_progress(wait.left)} are here, the rest takes some "
            f"{seconds:,} s, and it {rest}"
        )
    if isinstance(wait, InLine):
        others = "One other request is" if wait.ahead == 1 else f"{wait.ahead} other requests are"
        return f"{others} in line for the host, and it {rest}"
    return f"The host {rest}"


def _progress(left: TimeLeft) -> str:
    size, unit = (MB, "MB") if left.total >= MB else (KB, "kB")
    return f"{left.received / size:.1f} of {left.total / size:.1f} {unit}"


def _closed_for(record: RobotsRecord, decision: Decision, now: datetime) -> timedelta | None:
    """How long to wait where robots.txt could not be read; None where it was, and forbids."""
    if record.meaning is not Meaning.UNREACHABLE or decision.line_number is not None:
        return None
    return max(record.ask_at - now, timedelta(0))
