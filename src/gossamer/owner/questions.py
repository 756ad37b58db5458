"""The questions that the owner of a data folder answers, a frozen value each. No I/O here.

A question has the fields that it needs, and no others. It says whether it changes anything, and
what people are told by an owner that has no handler for it. It travels as the name of its class and
its fields: whoever renames a class or changes its fields raises `messages.VERSION`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar, cast

from gossamer.history.asking import ChangeFilter
from gossamer.index.graph.query import GraphExport, GraphQuery
from gossamer.index.words.asked import Search
from gossamer.owner import told
from gossamer.politeness.outcome import Reported
from gossamer.politeness.prospects import TimeLeft
from gossamer.processes.wire import Wire, WireError

SENDS_NOTHING: Final = "This process sends no requests of its own."
NO_CRAWL: Final = "`gossamer {command}` is no crawl."

Told_co = TypeVar("Told_co", covariant=True)

Shown = Mapping[str, Any]
"""What is shown as it is: the record of a page, of a host, of a crawl."""

Steering = Literal["pause", "resume", "stop"]
"""What a crawl that is running may be told."""

NodeSteering = Literal["pause", "resume", "stop", "drain"]
"""What nodes of a crawl may be told."""

ExpressionKind = Literal["include", "exclude"]
"""Which scope an expression is part of."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the owner of a data folder."""

    changes: ClassVar[bool] = False
    """Whether the first time may have counted, so that it is not to be asked twice."""
    unable: ClassVar[str] = "`gossamer {command}` does not answer this."
    """What an owner says that has no handler; `command` is what it runs."""


class RecordQuestion(Question, Generic[Told_co]):
    """A question that is answered with a record alone, of the type `Told_co`."""

    __slots__ = ()

    @classmethod
    def typed(cls, record: Mapping[str, Any]) -> Told_co:
        """The record of an answer to such a question, with its type."""
        return cast(Told_co, record)


class StreamQuestion(Question):
    """A question that is answered with bytes, and then with a record."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Status(RecordQuestion[Shown]):
    """How does the crawl stand?"""


@dataclass(frozen=True, slots=True)
class Who(RecordQuestion[told.WhoTold]):
    """Which process owns the folder, and what is it about?"""


@dataclass(frozen=True, slots=True)
class Health(RecordQuestion[Shown]):
    """How is the owner: what is wrong, and how much is still on its way?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts(StreamQuestion):
    """What does each host do? A line of JSON a host."""

    stage: str | None = None  # only hosts in this stage
    after: str | None = None  # only hosts after this one, by name
    limit: int | None = None  # how many are read at once


@dataclass(frozen=True, slots=True)
class AboutHost(RecordQuestion[Shown]):
    """What is known of a host?"""

    host: str


@dataclass(frozen=True, slots=True)
class SitemapsOf(RecordQuestion[Shown]):
    """Which sitemaps does a host have, as far as we know, and how far were they read?"""

    host: str


@dataclass(frozen=True, slots=True)
class AboutPage(RecordQuestion[Shown]):
    """What is known of a page?"""

    url: str


@dataclass(frozen=True, slots=True)
class LinksTo(RecordQuestion[Shown]):
    """Which pages link to a page?"""

    url: str
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Nodes(RecordQuestion[Shown]):
    """Which nodes crawl?"""


@dataclass(frozen=True, slots=True)
class CoveredNodes(RecordQuestion[Shown]):
    """Which nodes' pages do the graph and the words of a folder cover?"""


@dataclass(frozen=True, slots=True)
class NodeReports(RecordQuestion[Shown]):
    """How are the nodes, and what is wrong with which?"""

    charts: bool = False  # with points for charts


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLines(RecordQuestion[Shown]):
    """What happened?"""

    node: str | None = None
    host: str | None = None
    events: tuple[str, ...] = ()  # none: all of them
    level: str | None = None  # the lowest
    age: timedelta | None = None  # only what is younger
    before: str | None = None  # where the page before ended
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems(RecordQuestion[Shown]):
    """Which pages did not go well?"""

    host: str | None = None
    kinds: tuple[str, ...] = ()  # none: all of them
    after: str | None = None  # where the page before ended
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ListDuplicates(RecordQuestion[Shown]):
    """Which pages are the same thing, and which parameters change nothing?"""

    host: str | None = None
    after: str | None = None  # where the page before ended
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class StandIns(RecordQuestion[Shown]):
    """Which of these pages does another one stand for?"""

    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListChanges(RecordQuestion[Shown]):
    """What has changed?"""

    asked: ChangeFilter


@dataclass(frozen=True, slots=True)
class ReportOn(RecordQuestion[Shown]):
    """What is wrong with the structured data of a host, or of all?"""

    host: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HowFresh(RecordQuestion[Shown]):
    """How fresh are the pages that are kept so, by host?"""

    host: str | None = None  # only this one
    after: str | None = None  # only hosts after this one, by name
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delays(RecordQuestion[Shown]):
    """How long is each host left alone?"""

    after: str | None = None  # only hosts after this one, by name
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Query(GraphQuery, StreamQuestion):
    """A SPARQL query; its answer comes in the first of the formats that suits it."""


@dataclass(frozen=True, slots=True)
class ExportGraph(GraphExport, StreamQuestion):
    """Everything in the graph, or one graph of it."""


@dataclass(frozen=True, slots=True)
class SearchWords(RecordQuestion[Shown]):
    """What has these words?"""

    search: Search


@dataclass(frozen=True, slots=True)
class Explain(RecordQuestion[Shown]):
    """What is decided about a URL, part by part?"""

    unable: ClassVar[str] = SENDS_NOTHING
    url: str


@dataclass(frozen=True, slots=True)
class Check(RecordQuestion[told.Verdicts]):
    """May these URLs be fetched now?"""

    unable: ClassVar[str] = SENDS_NOTHING
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LendRight(RecordQuestion[told.LentOrNot]):
    """The right to send one request for a URL, or why not."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = SENDS_NOTHING
    url: str
    patience: timedelta = timedelta(0)  # to wait for it
    client: str = ""  # for whom it is
    purpose: str | None = None  # as the log has it
    lasting: timedelta | None = None  # how long the request may take
    heeds_robots: bool = True  # False for a host that the operator of the proxy has exempted


@dataclass(frozen=True, slots=True)
class ReportRight(RecordQuestion[told.TakenBack]):
    """Word of how the request went that a lent right was for."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = SENDS_NOTHING
    id: str
    report: Reported


@dataclass(frozen=True, slots=True)
class NoteTimeLeft(RecordQuestion[told.Heard]):
    """Word of how much longer a request lasts that a lent right is for."""

    unable: ClassVar[str] = SENDS_NOTHING
    id: str
    left: TimeLeft


@dataclass(frozen=True, slots=True)
class IsWanted(RecordQuestion[told.HostWanted]):
    """Does somebody wait for a host that a right was lent for?"""

    unable: ClassVar[str] = SENDS_NOTHING
    host: str


@dataclass(frozen=True, slots=True)
class ProxyState(RecordQuestion[told.ProxyShown]):
    """What does the proxy in the owner's process do?"""

    unable: ClassVar[str] = "`gossamer {command}` has no proxy."


@dataclass(frozen=True, slots=True)
class CacheFigures(RecordQuestion[told.CachesShown]):
    """What do the caches of the owner hold, and what did they do?"""

    unable: ClassVar[str] = "`gossamer {command}` has no caches to speak of."


@dataclass(frozen=True, slots=True)
class ClearCaches(RecordQuestion[told.Cleared]):
    """Have caches emptied, wholly or for a host."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = "`gossamer {command}` has no caches to empty."
    caches: tuple[str, ...] = ()  # by name; none: all of them
    host: str | None = None


@dataclass(frozen=True, slots=True)
class StopOwner(RecordQuestion[told.WhoTold]):
    """Have the owner end in good order."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = "`gossamer {command}` ends by itself."


@dataclass(frozen=True, slots=True)
class MakeWay(RecordQuestion[told.WhoTold]):
    """Have the owner let somebody else own the folder."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = "`gossamer {command}` keeps the folder until it is done."


@dataclass(frozen=True, slots=True)
class SteerCrawl(RecordQuestion[told.Steered]):
    """Have a crawl pause, go on or stop."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = NO_CRAWL
    how: Steering


@dataclass(frozen=True, slots=True)
class SteerNodes(RecordQuestion[told.NodesTold]):
    """Have nodes of the crawl pause, go on, stop or drain; all that have not left, unless some are named."""

    changes: ClassVar[bool] = True
    how: NodeSteering
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddSeeds(RecordQuestion[told.Seeded]):
    """Have a crawl take more upon itself: seeds as they were typed, and pages that are older."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = NO_CRAWL
    seeds: tuple[str, ...]
    older_than: timedelta | None = None  # None: no page is asked for again
    options: str = "{}"  # by key, as JSON: those that the crawl has to agree with


@dataclass(frozen=True, slots=True)
class Configure(RecordQuestion[told.Configured]):
    """Have changes of these keys taken up at once."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = "`gossamer {command}` takes up no changes."
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SettingsInForce(RecordQuestion[Shown]):
    """Which values does the owner go by, and which wait for a reload or its next start?"""

    unable: ClassVar[str] = "`gossamer {command}` ends by itself."


@dataclass(frozen=True, slots=True)
class ReloadSettings(RecordQuestion[told.Reloaded]):
    """Have edits of the user's configuration file taken up."""

    changes: ClassVar[bool] = True
    unable: ClassVar[str] = "`gossamer {command}` takes up no changes."


@dataclass(frozen=True, slots=True)
class Expressions(RecordQuestion[Shown]):
    """Which scope expressions were added?"""


@dataclass(frozen=True, slots=True)
class ChangeExpression(RecordQuestion[Shown]):
    """Add a scope expression, or remove one."""

    changes: ClassVar[bool] = True
    change: Literal["add", "remove"]
    kind: ExpressionKind
    expression: str


@dataclass(frozen=True, slots=True)
class Reindex(StreamQuestion):
    """Make the words anew; a line of how many subjects are done, every few seconds."""

    changes: ClassVar[bool] = True


QUESTIONS: Final[tuple[type[Question], ...]] = (
    Status,
    Who,
    Health,
    Hosts,
    AboutHost,
    SitemapsOf,
    AboutPage,
    LinksTo,
    Nodes,
    CoveredNodes,
    NodeReports,
    LogLines,
    Problems,
    ListChanges,
    ListDuplicates,
    StandIns,
    ReportOn,
    HowFresh,
    Delays,
    Query,
    ExportGraph,
    SearchWords,
    Explain,
    Check,
    LendRight,
    ReportRight,
    NoteTimeLeft,
    IsWanted,
    ProxyState,
    CacheFigures,
    ClearCaches,
    StopOwner,
    MakeWay,
    SteerCrawl,
    SteerNodes,
    AddSeeds,
    Configure,
    SettingsInForce,
    ReloadSettings,
    Expressions,
    ChangeExpression,
    Reindex,
)
_KINDS: Final[Mapping[str, type[Question]]] = MappingProxyType(
    {each.__name__: each for each in QUESTIONS}
)
_ENVELOPE: Final = Wire(tuple[str, bytes])  # the name of the class, and its fields


def dump_question(question: Question) -> bytes:
    """A question as bytes."""
    name = type(question).__name__
    wire = _wire_of(name)
    return _ENVELOPE.dumps((name, b"" if wire is None else wire.dumps(question)))


def load_question(data: bytes) -> Question:
    """The question again; raises `WireError` on bytes that are none."""
    name, payload = _ENVELOPE.loads(data)
    if name not in _KINDS:
        raise WireError("nobody knows what is asked")
    wire = _wire_of(name)
    if wire is not None:
        return wire.loads(payload)
    if payload:
        raise WireError("more is said than there is to say")
    return _KINDS[name]()


@cache
def _wire_of(name: str) -> Wire[Question] | None:
    """How the fields of a question travel; None where it has none."""
    kind = _KINDS[name]
    return Wire(kind) if fields(kind) else None
