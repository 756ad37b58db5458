"""What goes between the owner and the processes of the graph. Closed types; no I/O here."""

from dataclasses import dataclass
from typing import Final, Literal

from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageChanged, PageGraphs, PageRefused
from gossamer.index.graph.query import GraphExport, GraphQuery
from gossamer.index.words.journal import Cut
from gossamer.processes.wire import Wire

Reason = Literal["query", "format", "graph", "damage"]
"""What is at fault, where there is no answer: what was asked, how it was to look, the graph, or its files."""


@dataclass(frozen=True, slots=True)
class Request:
    """To the process that holds the store."""

    what: Literal[
        "replace", "unify", "flush", "counts", "snapshot", "release", "follow", "cut", "close"
    ]
    pages: tuple[PageGraphs, ...] = ()  # to replace
    compare: bool = False  # and tell how much that changes
    snapshot: str = ""  # to release
    max_age: float = 0.0  # seconds that a snapshot may be old
    follower: str = ""  # whoever makes words of what changes


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request."""

    refused: tuple[PageRefused, ...] = ()
    changed: tuple[PageChanged, ...] = ()
    left: int = 0  # pages that are still to be unified
    counts: GraphCounts | None = None
    snapshot: str = ""  # the folder to read
    cut: Cut | None = None
    fault: str | None = None  # a sentence: the store cannot be used
    disk: bool = False  # and it is the disk's fault
    unusable: bool = False  # and will never be used again


@dataclass(frozen=True, slots=True)
class Ask:
    """To a process that reads a snapshot: a query or an export."""

    snapshot: str
    query: GraphQuery | None = None
    export: GraphExport | None = None


@dataclass(frozen=True, slots=True)
class Begin:
    """The first part of its answer; bytes in the format follow."""

    format: str


@dataclass(frozen=True, slots=True)
class Timing:
    """When a query was how far, in seconds from when it was begun."""

    parsed: float  # how long reading it takes, on its own
    first: float | None  # where there was a row
    last: float


@dataclass(frozen=True, slots=True)
class End:
    """The last."""

    rows: int
    cut: bool
    fault: str | None = None  # a sentence for whoever asked; of damage, what is broken
    reason: Reason = "query"
    timing: Timing | None = None
    about_fetches: int = 0  # of the rows of an export
    left_out: int = 0  # of an export, beside the rows
    hints: tuple[str, ...] = ()  # of a query that nothing answers: what was probably meant


REQUESTS: Final = Wire(Request)
REPLIES: Final = Wire(Reply)
ASKS: Final = Wire(Ask)
BEGINS: Final = Wire(Begin)
ENDS: Final = Wire(End)
