"""The access log and the sums: every answer is noted once, whatever became of it."""

import time
import traceback
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType
from typing import Final, Self

from gossamer.events import Proxied, ProxyFault
from gossamer.log import Sink
from gossamer.proxy.figures import Entry, Figures
from gossamer.proxy.handling import OURSELVES, Handled
from gossamer.proxy.refusals import FAULT
from gossamer.proxy.reply import Reply

LEFT: Final = Handled(OURSELVES, "The client left.")
FAULTY: Final = Handled(OURSELVES, FAULT.why)


@dataclass(slots=True)
class Note:
    """One request, noted when the block ends. Set `handled` and perhaps `entry` meanwhile."""

    figures: Figures
    tell: Sink
    reply: Reply
    client: str
    method: str = ""  # where it cannot be read
    url: str = ""
    handled: Handled = LEFT
    entry: Entry | None = None
    began: float = field(default_factory=time.monotonic)
    is_written: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write it down, whatever happened."""
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            self.fail()
        self.write()

    def fail(self) -> None:
        """Remember a defect of ours, for which there is a 500, unless an answer was begun."""
        self.handled = FAULTY
        if not self.reply.is_begun:
            self.reply.status, self.reply.sent = FAULT.status, 0

    def write(self) -> None:
        """Write it down, once."""
        if self.is_written:
            return
        self.is_written = True
        status, entry = self.reply.status or 0, self.entry
        waited = self.figures.leave(entry, status, self.handled.by)
        self.figures.sent += self.reply.sent
        self.tell(
            Proxied(
                client=self.client,
                method=self.method,
                url=entry.url if entry else self.url,
                status=status,
                bytes=self.reply.sent,
                by=self.handled.by,
                waited=waited,
                took=timedelta(seconds=time.monotonic() - self.began),
                reason=self.handled.reason,
            )
        )


def fault_of(error: Exception) -> ProxyFault:
    """A defect of ours as the log has it."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__}: {error}"
    return ProxyFault(message=message, where=f"{where.filename}:{where.lineno}")
