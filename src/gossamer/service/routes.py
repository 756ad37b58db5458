"""The shape of the table of routes: what may be asked, how, and what comes back.

A module of the service has a tuple `ROUTES` of these, and `app.py` puts them all together. A
request is checked against its route before the handler is called, and `/openapi.json` is made of
the same table.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from gossamer.config import Service
from gossamer.data import DataFolder
from gossamer.log import Sink
from gossamer.owner.messages import Answering, Record
from gossamer.service.child_crawl import ChildCrawl
from gossamer.service.fetch_metadata import Sender, sender_of
from gossamer.service.in_force import InForce
from gossamer.service.recent import Recent
from gossamer.service.schemas import TEXT, Schema
from gossamer.service.watching import Watch

JSON: Final = "application/json"
PLAIN: Final = "text/plain"
STATUS_SECONDS: Final = 1.0
VOCABULARY_SECONDS: Final = 30.0  # to count all there is may take as long


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an app serves: whoever answers for the folder, and the folder's own files."""

    data: DataFolder
    answering: Answering
    in_force: InForce  # the configuration, as it is by now
    tell: Sink
    status: Recent[Record] = field(default_factory=lambda: Recent(STATUS_SECONDS))
    child: ChildCrawl | None = None  # that crawls where nobody else does
    proxy: Callable[[], Record] | None = None  # what a proxy in this process is at
    watch: Watch | None = None  # for those who watch; `running` while the app is served
    vocabulary: Recent[Record] = field(default_factory=lambda: Recent(VOCABULARY_SECONDS))
    # Archived copies that are read again at once: each takes a process of its own.
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    @property
    def service(self) -> Service:
        """What the service goes by."""
        return self.in_force.service


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of the path or the query."""

    name: str
    doc: str
    schema: Schema = field(default_factory=lambda: TEXT)
    place: Literal["query", "path"] = "query"
    required: bool = False
    default: Any = None
    many: bool = False  # may be given again: the value is a tuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What a request may carry, by media type; JSON is read and checked, the rest stays bytes."""

    doc: str
    schemas: Mapping[str, Schema]
    required: bool = True
    most_bytes: int | None = None  # where less is enough than service.max_body_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What comes back when all is well, by media type."""

    doc: str
    schemas: Mapping[str, Schema] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Call:
    """A request that fits its route."""

    parts: Parts
    request: Request
    given: Mapping[str, Any]  # parameters by name, as their schemas have them
    body: Any = None
    may_change: bool = False  # the token came along, or whoever asks has logged in

    @property
    def is_linked(self) -> bool:
        """Whether a page of another site led here: then nothing is done that costs much."""
        return sender_of(self.request.headers, self.parts.service.origins) is not Sender.OURSELVES


Handler = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One method of one path."""

    path: str  # parts in braces are parameters: `/api/config/{key}`
    summary: str  # a few words
    handler: Handler
    replies: Mapping[int, Reply]
    method: Literal["GET", "POST", "PUT", "DELETE"] = "GET"
    doc: str = ""
    parameters: Sequence[Parameter] = ()
    body: Body | None = None
    faults: Sequence[int] = ()  # statuses besides those that every route may have
    changes: bool = False  # something: then it wants the token
    is_open: bool = False  # to those without the token, wherever we listen
    takes_anything: bool = False  # parameters that mean nothing are no mistake
    is_page: bool = False  # for people: not in OpenAPI, and what is wrong is said in HTML
    tag: str = "crawl"


def json_reply(doc: str, schema: Schema, status: int = 200) -> Mapping[int, Reply]:
    """A reply of JSON."""
    return MappingProxyType({status: Reply(doc=doc, schemas={JSON: schema})})
