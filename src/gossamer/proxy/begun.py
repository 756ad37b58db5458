"""A request whose head is here, with all that was found out about it before a task took it up."""

from typing import NamedTuple

from gossamer.proxy.asked import Asked
from gossamer.proxy.cache.protocol import Answer, Flight, Forward
from gossamer.proxy.passage import Passage
from gossamer.proxy.refusals import Refused
from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.request import RequestHead


class Begun(NamedTuple):
    """A request that a task is to answer."""

    head: RequestHead | Malformed
    asked: Asked | Refused | None = None  # None for CONNECT, and where the head cannot be read
    found: Answer | Forward | Flight | None = None  # in the cache, if that was asked
    passage: Passage | None = None  # if it was sent

    def drop(self) -> None:
        """It is answered, or never will be."""
        if self.passage is not None:
            self.passage.abandon()
        if isinstance(self.found, Answer):
            self.found.close()
        elif self.found is not None and not isinstance(self.found, Flight):
            self.found.__exit__(None, None, None)
