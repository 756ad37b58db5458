"""What goes between the owner and the process that writes to a server. Closed types; no I/O here."""

from dataclasses import dataclass
from typing import Final, Literal

from gossamer.index.pages import PageChanged, PageGraphs, PageRefused
from gossamer.index.server.address import Server
from gossamer.processes.wire import Wire


@dataclass(frozen=True, slots=True)
class Order:
    """To the process."""

    what: Literal["open", "replace"]
    # Told here and not at its start, because everybody can see what a process was started with.
    server: Server | None = None
    writing: bool = True  # whether it has to let us write
    pages: tuple[PageGraphs, ...] = ()  # to replace
    compare: bool = False  # and tell how much that changes


@dataclass(frozen=True, slots=True)
class Reply:
    """Its answer."""

    refused: tuple[PageRefused, ...] = ()
    changed: tuple[PageChanged, ...] = ()
    fault: str | None = None  # a sentence: the server cannot be used
    away: bool = False  # for now; nothing is lost by asking again


ORDERS: Final = Wire(Order)
REPLIES: Final = Wire(Reply)
