"""The access log and the sums: every answer is noted once, whatever became of it."""

import time
from dataclasses import dataclass, field
from datetime import timedelta
from types import TracebackType
from typing import Final, Self

from gossamer.events import Proxied
from gossamer.log import Sink
from gossamer.proxy.figures import Entry, Figures
from gossamer.proxy.handling import OURSELVES, Handled
from gossamer.proxy.reply import Reply

LEFT: Final = Handled(OURSELVES, "The client left.")


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
        self.write()

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
