"""What pages that take long to read mean for their host: it rests as long as they took. Pure.

Downloads and readings are charged alike: k × the time, k = `politeness.slowness`, which is 0 where the
delay is set to 0. A rest counts from the end of the reading. Pages that cannot be read at all within a
worker's time and memory, several in a row, are failures of the host: it is left alone for a while that
doubles, as after other failures and whatever its delay.
"""

from datetime import datetime, timedelta
from typing import Final

from gossamer.politeness.backoff import backoff
from gossamer.politeness.delay import Pace, bounded
from gossamer.politeness.outcome import Pause

FORGIVEN: Final = 2  # pages in a row: every site has some monster


def pause_after_reading(seconds: float, troubles: int, now: datetime, pace: Pace) -> Pause | None:
    """The pause that a reading calls for which ended now, the last of so many in a row that failed."""
    rest = bounded(pace.slowness * seconds, "")
    pause = Pause(now + rest.length, f"{pace.slowness:g} × last reading of {seconds:.3g} s")
    if troubles > FORGIVEN:
        wait = backoff(troubles - FORGIVEN, pace.backoff_first, pace.backoff_most)
        if wait > rest.length:
            why = f"back-off after {troubles} pages in a row that took too much to read"
            return Pause(now + wait, why)
    return pause if rest.length > timedelta(0) else None
