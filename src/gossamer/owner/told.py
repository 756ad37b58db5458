"""The records at the end of answers, a type for each kind of question that programs of ours read them of. No code here.

They travel as JSON, and some of them go over REST as they are: names of fields are those of `docs/service.md`. What is
shown and not read (a page, a host, the status of a crawl) is a plain mapping.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from gossamer.politeness.permission import VerdictRecord


class WhoTold(TypedDict):
    """Which process owns the folder, and what it is about."""

    process: int
    command: str
    state: str | None


class Verdicts(TypedDict):
    """Verdicts on URLs, in the order in which they were asked for."""

    verdicts: Sequence[VerdictRecord]


class LeaseRecord(TypedDict):
    """A lent right, as REST has it."""

    id: str
    sendAt: str
    validUntil: str
    validFor: int  # milliseconds


class LentOrNot(VerdictRecord):
    """A verdict on a URL, and a lease if it may be fetched."""

    lease: LeaseRecord | None
    rule: NotRequired[str | None]


class TakenBack(TypedDict):
    """Which lease was taken back."""

    id: str
    url: str


class Heard(TypedDict):
    """An answer that says nothing but that the question was heard."""


class HostWanted(TypedDict):
    """Whether somebody waits for a host."""

    wanted: bool


class ProxyShown(TypedDict):
    """What a proxy does; None where there is none."""

    proxy: Mapping[str, Any] | None


class CachesShown(TypedDict):
    """Figures by name, by cache."""

    caches: Mapping[str, Mapping[str, int]]


class Cleared(TypedDict):
    """How many entries are gone, by cache."""

    cleared: Mapping[str, int]


class Steered(TypedDict):
    """What a crawl is about now."""

    process: int
    state: str


class NodesTold(TypedDict):
    """How the nodes stand that were told something, and those that are no nodes of the crawl."""

    nodes: Sequence[Mapping[str, Any]]
    unknown: Sequence[str]
    known: Sequence[str]


class Seeded(TypedDict):
    """How many seeds were new, how many were known, and how many pages are asked for again."""

    process: int
    added: int
    known: int
    again: int


class Owning(TypedDict):
    """Which process it is, and what it runs."""

    process: int
    command: NotRequired[str]


class TakenUp(Owning):
    """Who has taken up settings, and which of them wait for its next start."""

    waits: Sequence[str]


class Configured(TakenUp):
    """What became of changed keys: `values` are those in force, with their sources."""

    refused: str | None
    values: Mapping[str, tuple[str, str] | None]


class Reloaded(TakenUp):
    """What an edited file has changed."""

    changed: Mapping[str, tuple[str, str] | None]
