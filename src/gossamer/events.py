"""The vocabulary of the log: every kind of event, its fields, and its line for people.

`docs/events.md` is made from these classes. A URL in an event is canonical, so it
carries no user info.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import ClassVar, Literal

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")
_FIELDS: dict[str, tuple[str, ...]] = {}  # of each kind that was met: to ask anew takes a while


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. Its fields are what the log keeps of it."""

    name: ClassVar[str]
    level: ClassVar[Level] = "info"
    line: ClassVar[str]  # what people read, with the fields in braces

    def record(self) -> Mapping[str, object]:
        """The fields as JSON has them: moments as ISO 8601, times in seconds."""
        return {name: plain(getattr(self, name)) for name in self.field_names()}

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The names of its fields."""
        return _FIELDS.get(cls.name) or _FIELDS.setdefault(
            cls.name, tuple(field.name for field in fields(cls))
        )

    def sentence(self) -> str:
        """The line for people."""
        return self.line.format_map(self.record())


def plain(value: object) -> object:
    """A field's value as JSON has it."""
    if isinstance(value, str | int):  # as most are
        return value
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds")
    return value.total_seconds() if isinstance(value, timedelta) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """A command that may make requests has begun."""

    name = "started"
    line = "{command} started as {agent}"

    command: str
    agent: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Event):
    """The crawl has ended, and how."""

    name = "stopped"
    line = "{command} stopped: {ended}"

    command: str
    ended: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused(Event):
    """A crawl was told to ask for nothing until it is told to go on."""

    name = "paused"
    line = "crawl paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draining(Event):
    """The crawl takes no more hosts, and ends when what it has asked for is kept."""

    name = "draining"
    line = "crawl takes no more hosts, and ends when what is in hand is kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """The crawl goes on after a pause."""

    name = "resumed"
    line = "crawl resumed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigChanged(Event):
    """A value was changed at run time."""

    name = "config-changed"
    line = "{key} is now {value}"

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigIgnored(Event):
    """A change at run time that is of no use to the run in progress."""

    name = "config-ignored"
    level = "warning"
    line = "{message}"

    message: str


# Whoever sends, `sending/right.py` alone tells of a request: this, or the next.
@dataclass(frozen=True, slots=True, kw_only=True)
class Requested(Event):
    """A request ended with an answer. What `gossamer audit` computes gaps from."""

    name = "requested"
    line = "{status} {url} ({bytes} bytes)"

    host: str
    url: str
    purpose: str  # "page", "robots", "sitemap"…
    started_at: datetime
    ended_at: datetime
    status: int
    bytes: int
    delay: timedelta  # in force before this request
    delay_source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFailed(Event):
    """A request ended without an answer that can be used."""

    name = "request-failed"
    line = "{url} failed: {message}"

    host: str
    url: str
    purpose: str
    started_at: datetime
    ended_at: datetime
    cause: str
    message: str
    delay: timedelta
    delay_source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxied(Event):
    """The proxy answered a client: its access log, in `log/proxy/`."""

    name = "proxied"
    line = "{client} {method} {url} {status} ({by})"

    client: str  # a user, or an address
    method: str
    url: str
    status: int  # 0 where the client left before there was one
    bytes: int  # of the body, to the client
    by: str  # "server", "cache", or "ourselves"
    waited: timedelta  # for its turn
    took: timedelta  # in all
    reason: str  # where we answered ourselves, or something broke off


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyFault(Event):
    """A request to our proxy met a defect of ours; whoever asked was told so."""

    name = "proxy-fault"
    level = "error"
    line = "proxy: {message} ({where})"

    message: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyFull(Event):
    """The system gave our proxy no room for another connection: clients wait to be let in."""

    name = "proxy-full"
    level = "warning"
    line = "proxy: no room for another connection ({message})"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceFull(Event):
    """The system gave our service no room for another connection: clients wait to be let in."""

    name = "service-full"
    level = "warning"
    line = "service: no room for another connection ({message})"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRead(Event):
    """An origin's robots.txt was fetched, and what it means for us."""

    name = "robots-read"
    line = "robots.txt of {origin} {cause}: {meaning}"

    origin: str
    meaning: str  # "rules", "no-rules", "forbidden", "unreachable"
    cause: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapsFailed(Event):
    """Sitemaps of an origin could not be read, though a later attempt may fare better."""

    name = "sitemaps-failed"
    level = "warning"
    line = "{origin}: {count} of its sitemaps could not be read, {then}: {why}"

    origin: str
    count: int
    why: str
    then: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingTrouble(Event):
    """Several pages of a host in a row took more time or memory to read than a page may have."""

    name = "reading-trouble"
    level = "warning"
    line = "{host} is left alone until {until}: {why}"

    host: str
    count: int
    until: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged(Event):
    """A bot wall asks us to prove that we are no robot: the host is left alone."""

    name = "challenged"
    level = "warning"
    line = "{host} is left alone until {until}: {why}"

    host: str
    url: str
    wall: str
    until: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSeed(Event):
    """A seed was given without a scheme, and https cannot be connected to: http takes its place."""

    name = "plain-seed"
    level = "warning"
    line = "{seed} cannot be had ({why}): {instead} is the seed now"

    seed: str
    instead: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Event):
    """A URL may not be fetched, and which rule says so."""

    name = "refused"
    line = "{url} refused ({rule}): {why}"

    url: str
    rule: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked(Event):
    """A host asks for a longer wait than our patience."""

    name = "parked"
    level = "warning"
    line = "{host} is parked until {until}: {why}"

    host: str
    until: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOverBudget(Event):
    """The pages of a site name more than it may have us keep: the rest is not kept."""

    name = "site-over-budget"
    level = "warning"
    line = (
        "{site}: its pages name more links than fit into {key}; the rest is not kept. "
        "Raise it with `gossamer config set`, and ask for the pages anew with --again."
    )

    site: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterLearned(Event):
    """Pairs of pages have shown that a parameter of a host's URLs changes nothing (`urls.learned`)."""

    name = "parameter-learned"
    line = (
        "{host}: the parameter {parameter} changes nothing; URLs with it come last, or are left out"
    )

    host: str
    parameter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMatters(Event):
    """A page has shown that a parameter matters which seemed to change nothing: its URLs are taken up again."""

    name = "parameter-matters"
    line = "{host}: the parameter {parameter} matters after all; URLs with it are taken up again"

    host: str
    parameter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFull(Event):
    """No room is left to keep what was fetched: the crawl waits, and nothing is lost."""

    name = "storage-full"
    level = "warning"
    line = "paused: {message}"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageRoom(Event):
    """Room was made, and the crawl goes on."""

    name = "storage-room"
    level = "warning"
    line = "going on: there is room again"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierAway(Event):
    """The server of a shared frontier went away, or is back: meanwhile the crawl waits."""

    name = "frontier-away"
    level = "warning"
    line = "{message}"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphAway(Event):
    """The SPARQL server that has the graph does not answer: the crawl waits, and nothing is lost."""

    name = "graph-away"
    level = "warning"
    line = "paused: {message} It is tried again, at least every {every:g} seconds, until {until}."

    message: str
    every: timedelta
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphBack(Event):
    """The graph's server answers again, and the crawl goes on."""

    name = "graph-back"
    level = "warning"
    line = "going on: the SPARQL server answers again"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMended(Event):
    """A file of the archive whose writer was killed was read back: whole records stay."""

    name = "archive-mended"
    line = "{file} was read back: {records} whole records, {cut_bytes} bytes cut off"

    file: str
    records: int
    cut_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveDamaged(Event):
    """A file of the archive is damaged in a way that no killed writer leaves; it is left alone."""

    name = "archive-damaged"
    level = "warning"
    line = "{file} is left as it is: {why}"

    file: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFolderAway(Event):
    """A folder of the archive is full or gone: new files go to the others."""

    name = "archive-folder-away"
    level = "warning"
    line = "the archive goes on without {folder}: {why}"

    folder: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFolderBack(Event):
    """A folder of the archive takes files again."""

    name = "archive-folder-back"
    line = "the archive uses {folder} again"

    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReopened(Event):
    """The process of the graph has ended; another takes its place, and nothing is lost."""

    name = "graph-reopened"
    level = "warning"
    line = "the graph is opened anew: {message}"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAway(Event):
    """An external service for a media type is absent, or back; its pages wait up to our patience."""

    name = "service-away"
    level = "warning"
    line = "{message}"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkLost(Event):
    """A sink that pages were handed to has failed; the crawl goes on without it."""

    name = "sink-lost"
    level = "warning"
    line = "-o {sink}: {message} The crawl goes on without it; `gossamer export` has all pages."

    sink: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsTrouble(Event):
    """Something about the words that people search; the crawl goes on, and words catch up."""

    name = "words"
    level = "warning"
    line = "words: {message}"

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LessConfined(Event):
    """The system cannot confine the processes that read pages in all ways; the ways that it has hold."""

    name = "less-confined"
    level = "warning"
    line = "processes that read pages are confined without {missing}"

    missing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotIndexed(Event):
    """The graph cannot hold what a page says; the page keeps what it had there."""

    name = "not-indexed"
    level = "warning"
    line = "{url} is not in the graph: {why}"

    url: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceFault(Event):
    """A request to our service met a defect of ours; whoever asked was told so."""

    name = "service-fault"
    level = "error"
    line = "{route}: {message} ({where})"

    route: str
    message: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeAlarmBegan(Event):
    """Something is wrong with a node of the crawl; the node that noticed it says so, once for all."""

    name = "node-alarm"
    level = "warning"
    line = "node {troubled}: {message}"

    troubled: str  # the node
    kind: str  # "silent", "disk", "clock", "version" or "database"
    subject: str  # which of several, such as the parts on a disk
    message: str
    began_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeAlarmEnded(Event):
    """What was wrong with a node is over."""

    name = "node-alarm-ended"
    line = "node {troubled} is well again ({kind}): {message}"

    troubled: str  # the node
    kind: str
    subject: str
    message: str
    began_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertsDropped(Event):
    """Alarms could not be sent to `alerts.webhook` now; they are tried again for an hour."""

    name = "alerts-dropped"
    level = "warning"
    line = "an alarm could not be sent to alerts.webhook: {why}; {dropped} were dropped so far"

    why: str
    dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesNotPosted(Event):
    """Changes could not be posted to `changes.webhook` now; they are kept, and tried again."""

    name = "changes-not-posted"
    level = "warning"
    line = "what has changed could not be posted to changes.webhook: {why}"

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDropped(Event):
    """Lines of the log are not in the database, for all nodes to see; the file has them."""

    name = "log-dropped"
    level = "warning"
    line = "{lines} lines of the log were not sent to the database; the log's files have them"

    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoContact(Event):
    """The agent string tells site owners no way to reach whoever runs this."""

    name = "no-contact"
    level = "warning"
    line = (
        "No contact is configured: site owners cannot reach you. "
        "Give one with --agent-contact (an e-mail address or a page)."
    )


EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Started,
            Stopped,
            Paused,
            Draining,
            Resumed,
            ConfigChanged,
            ConfigIgnored,
            Requested,
            RequestFailed,
            Proxied,
            ProxyFault,
            ProxyFull,
            ServiceFull,
            RobotsRead,
            SitemapsFailed,
            ReadingTrouble,
            Challenged,
            PlainSeed,
            Refused,
            Parked,
            SiteOverBudget,
            ParameterLearned,
            ParameterMatters,
            StorageFull,
            StorageRoom,
            FrontierAway,
            GraphAway,
            GraphBack,
            ArchiveMended,
            ArchiveDamaged,
            ArchiveFolderAway,
            ArchiveFolderBack,
            GraphReopened,
            ServiceAway,
            SinkLost,
            WordsTrouble,
            LessConfined,
            NotIndexed,
            ServiceFault,
            NodeAlarmBegan,
            NodeAlarmEnded,
            AlertsDropped,
            ChangesNotPosted,
            LogDropped,
            NoContact,
        )
    }
)
"""Every kind of event there is, by name."""
