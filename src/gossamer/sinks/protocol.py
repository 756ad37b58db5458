"""What a sink of pages is: something that takes the lines of a batch, and waits until it has them."""

from collections.abc import Sequence
from typing import Protocol


class PageSink(Protocol):
    """Takes pages as they are settled."""

    @property
    def name(self) -> str:
        """The word that opened it, for people."""

    async def write(self, lines: Sequence[bytes]) -> None:
        """Take the lines of a batch, each with its newline; they are kept, or on their way, when this returns.

        Raises `StorageFullError` where nothing of the batch could be kept: then it is handed over again.
        """

    async def run(self, stop: "StoppableCrawl") -> None:
        """Look after itself beside the crawl, until cancelled."""

    def close(self) -> None:
        """Bring to an end what is open; no page comes after this."""


class StoppableCrawl(Protocol):
    """A crawl, as far as sinks deal with it."""

    def reader_gone(self) -> None:
        """End the crawl in good order: nobody reads its pages any more."""

    async def stopping(self) -> None:
        """Wait until the crawl is asked to end."""
