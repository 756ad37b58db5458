"""The right to send one request to one host: taken from `rights.py`, ended once, logged once.

Its end decides what the host's clock learns, and that is the same for everybody who sends:

- `finish`: the request is over, and how it went is known
- `abandon`: it may have been sent; it counts as over at the last moment at which it can have ended
- `unused`: it was certainly not sent, and costs the host nothing

Requests are logged here and nowhere else.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from gossamer.events import Parked, Requested, RequestFailed
from gossamer.log import Sink
from gossamer.model import Cause, Url
from gossamer.politeness.delay import Delay
from gossamer.politeness.ledger import Go, Ledger
from gossamer.politeness.outcome import Answered, Reported
from gossamer.politeness.prospects import TimeLeft
from gossamer.sending.hosts import HostInUse
from gossamer.sending.line import HostLines

# Failures before anything reached the host.
NEVER_SENT: Final = frozenset(
    {
        Cause.REFUSED_ADDRESS,
        Cause.RESERVED_NAME,
        Cause.REFUSED_PORT,
        Cause.NO_SUCH_NAME,
        Cause.NAME_LOOKUP,
        Cause.BAD_URL,
    }
)
TAKEN: Final = (
    "Another process took the folder while this was under way: its end is the latest possible one."
)


class WayIn:
    """One of those whom rights are given to: our own client, programs outside, the proxy."""

    __slots__ = ("out", "tell")

    def __init__(self, tell: Sink) -> None:
        self.tell = tell  # where the ends of its requests are logged
        self.out: set[Right] = set()  # its rights that are not ended


class Right:
    """May send one request for `url` to `host`, from `started_at` on; it is over by `ends_by`."""

    __slots__ = (
        "_address",
        "_go",
        "_line",
        "_used",
        "_way",
        "delay",
        "ends_by",
        "host",
        "on_hurry",
        "purpose",
        "started_at",
        "url",
    )

    def __init__(
        self,
        url: Url,
        purpose: str,
        started_at: datetime,
        go: Go,
        delay: Delay,
        address: str | None,
        used: HostInUse,
        line: HostLines,
        way: WayIn,
    ) -> None:
        self.url = url
        self.purpose = purpose  # as the log has it
        self.started_at = started_at
        self.host = go.host
        self.ends_by = go.ends_by
        self.delay = delay  # that was waited out for it
        self.on_hurry: Callable[[datetime], None] | None = None  # hears where it has to end sooner
        self._go = go
        self._address = address  # of the host, where it has a limit
        self._used: HostInUse | None = used
        self._line = line
        self._way = way
        way.out.add(self)

    def finish(self, report: Reported, at: datetime | None = None) -> None:
        """End the request, with word of how it went; `at` that moment, or now."""
        if not report.sent:
            self.unused()
            return
        if report.broken_off is not None:
            self.abandon(report.broken_off)
            return
        if not self._is_out():
            return
        line = self._line
        now = line.now() if at is None else at
        outcome = report.outcome(now, self.url)
        took = report.lasted(now - self.started_at)
        line.finish(self._go, self._address, now, took, outcome, report.received)
        self._let_go()
        delay = self.delay
        if isinstance(outcome, Answered):
            self._way.tell(
                Requested(
                    host=self.host,
                    url=self.url,
                    purpose=self.purpose,
                    started_at=self.started_at,
                    ended_at=now,
                    status=outcome.status,
                    bytes=report.received,
                    delay=delay.length,
                    delay_source=delay.source,
                )
            )
        else:
            self._tell_failure(now, outcome.cause, report.message)
        tell_if_parked(self.host, line.ledger, now, self._way.tell)

    def abandon(self, why: str, cause: Cause = Cause.STOPPED, at: datetime | None = None) -> None:
        """End the request without knowing how it went: it may have been sent, and was over by then."""
        if not self._is_out():
            return
        ended_at = self._line.now() if at is None else at
        self._line.abandon(self._go, self._address, ended_at)
        self._let_go()
        self._tell_failure(ended_at, cause, why)
        tell_if_parked(self.host, self._line.ledger, ended_at, self._way.tell)

    def unused(self) -> None:
        """End the right: nothing was sent, so the host owes no rest to it, and the log no line."""
        if self._is_out():
            self._line.unused(self._go, self._address)
            self._let_go()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody else waits for the host, in its line or at another node."""
        used = self._used
        return self._line.is_wanted(self.host) or (used is not None and used.is_wanted)

    def note_left(self, left: TimeLeft) -> None:
        """Say how much longer the request lasts, for those who wait for the host."""
        if self in self._way.out:
            self._line.note_left(self._go, left)

    def hand_over(self, until: datetime) -> datetime:
        """End the right because somebody else takes the folder: until when the request may go on.

        Nothing is heard of it then, so it counts as over at that moment. The host stays with
        whoever has it.
        """
        if self._is_out():
            self.ends_by = min(self.ends_by, until)
            self._line.abandon(self._go, self._address, self.ends_by)
            self._tell_failure(self.ends_by, Cause.STOPPED, TAKEN)
            if self.on_hurry is not None:
                self.on_hurry(self.ends_by)
        return self.ends_by

    def keep_host(self) -> HostInUse:
        """Leave it to the caller to let go of the host, once the right is ended."""
        used, self._used = self._used, None
        assert used is not None
        return used

    def _is_out(self) -> bool:
        """Whether it ends now; it does so once."""
        out = self._way.out
        if self not in out:
            return False
        out.remove(self)
        return True

    def _let_go(self) -> None:
        self.on_hurry = None  # which knows of us, as we of it: the two would keep each other alive
        if self._used is not None:
            self._used.let_go()

    def _tell_failure(self, ended_at: datetime, cause: str, why: str) -> None:
        self._way.tell(
            RequestFailed(
                host=self.host,
                url=self.url,
                purpose=self.purpose,
                started_at=self.started_at,
                ended_at=ended_at,
                cause=cause,
                message=why,
                delay=self.delay.length,
                delay_source=self.delay.source,
            )
        )


def tell_if_parked(host: str, ledger: Ledger, now: datetime, tell: Sink) -> None:
    """Log it where a host asks for more patience than we have."""
    if parked := ledger.parked(host, now):
        tell(Parked(host=host, until=parked.until, why=parked.why))
