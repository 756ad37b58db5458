"""Routes: what may be asked, how, and what comes back; and a request read by its route, or a problem.

A new route goes into the tuple `ROUTES` of the module for its group; a new module is listed in `web/app.py`. A
request is checked against its route before the handler is called, and `/openapi.json` is made of
the same table.
"""

import asyncio
import difflib
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeVar
from urllib.parse import parse_qsl

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gossamer.config import Service
from gossamer.folder.data import DataFolder
from gossamer.log import Sink
from gossamer.owner.cache_answers import OpenCache
from gossamer.owner.messages import Answering, Record
from gossamer.service.browsers import Sender, sender_of
from gossamer.service.child_crawl import ChildCrawl
from gossamer.service.errors import ProblemError
from gossamer.service.guard import InForce
from gossamer.service.schemas import TEXT, Schema, faults, read_text
from gossamer.service.watching import CrawlWatch

T = TypeVar("T")
JSON: Final = "application/json"
PLAIN: Final = "text/plain"
STATUS_SECONDS: Final = 1.0
VOCABULARY_SECONDS: Final = 30.0  # to count all there is may take as long
BODY_SECONDS: Final = 30.0  # to send all of it
MOST_TOLD: Final = 3  # faults of one request
MOST_DEPTH: Final = 64  # of lists and objects in a body; none of ours needs more than four
FORM: Final = "application/x-www-form-urlencoded"
MOST_FIELDS: Final = 100
_TOO_DEEP: Final = ProblemError(
    400, "bad-body", f"The body is nested too deeply: {MOST_DEPTH} levels at most."
)


@dataclass(slots=True)
class Recent(Generic[T]):
    """Keeps what was made last, for some seconds; it is made once, however many wait for it."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    _made: tuple[float, T] | None = None
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self, make: Callable[[], Awaitable[T]]) -> T:
        """What was made lately, or what is made now."""
        async with self._making:
            if self._made is None or self.clock() >= self._made[0] + self.seconds:
                value = await make()
                self._made = self.clock(), value
            return self._made[1]


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
    caches: Sequence[OpenCache] = ()  # of that proxy
    drop_pages: Callable[[str | None], int] | None = None  # of a proxy in a third process
    watch: CrawlWatch | None = None  # for those who watch; `running` while the app is served
    vocabulary: Recent[Record] = field(default_factory=lambda: Recent(VOCABULARY_SECONDS))
    # Archived copies that are read again at once: each takes a process of its own.
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    @property
    def service(self) -> Service:
        """The service's configuration in force."""
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
    is_listed: bool = True  # in OpenAPI; else it describes itself, in a protocol of its own
    is_page: bool = False  # for people: not in OpenAPI, and what is wrong is said in HTML
    tag: str = "crawl"


def json_reply(doc: str, schema: Schema, status: int = 200) -> Mapping[int, Reply]:
    """A reply of JSON."""
    return MappingProxyType({status: Reply(doc=doc, schemas={JSON: schema})})


async def call_of(parts: Parts, route: Route, request: Request) -> Call:
    """The call that a request is; raises `ProblemError`."""
    given = _parameters(route, request)
    body = None
    if route.body is not None:
        most = parts.service.max_body_bytes
        body = await _body(route.body, request, min(most, route.body.most_bytes or most))
    return Call(parts, request, given, body)


def media_type_of(request: Request) -> str:
    """What the request says that its body is, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def receive_body(request: Request, most_bytes: int) -> bytes:
    """The whole body, within a limit on its size and the time it takes."""
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > most_bytes:
        raise _too_large(most_bytes)
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > most_bytes:
                    raise _too_large(most_bytes)
                parts.append(part)
    except TimeoutError:
        raise ProblemError(408, "too-slow", "The body did not come in time.") from None
    except ClientDisconnect:
        raise ProblemError(400, "gone", "Whoever asked is gone.") from None
    return b"".join(parts)


def fields_of(call: Call) -> dict[str, str]:
    """The fields of a form that came as the body, each once; none where there was no form."""
    body = call.body if isinstance(call.body, bytes) else b""
    try:
        pairs = parse_qsl(body.decode(), max_num_fields=MOST_FIELDS)
    except ValueError:
        raise ProblemError(400, "bad-body", "This is no form.") from None
    return dict(reversed(pairs))


def is_deep(value: object, most: int) -> bool:
    """Whether lists and objects stand inside each other more often than that."""
    level = [value]
    for _ in range(most + 1):
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        if not inner:
            return False
        level = inner
    return True


def _parameters(route: Route, request: Request) -> Mapping[str, Any]:
    query = request.query_params
    if not route.takes_anything:
        _refuse_unknown(route.parameters, query)
    wrong: list[str] = []
    given = {}
    for parameter in route.parameters:
        name = f"`{parameter.name}`"
        raw = _raw(parameter, request, query)
        read = [read_text(parameter.schema, each) for each in raw]
        for value in read:
            wrong += faults(parameter.schema, value, name)
        if parameter.required and not raw:
            wrong.append(f"{name} is missing")
        if len(raw) > 1 and not parameter.many:
            wrong.append(f"{name} may be given once")
        given[parameter.name] = (
            tuple(read) if parameter.many else read[0] if read else parameter.default
        )
    if wrong:
        raise ProblemError(400, "bad-parameter", _sentence(wrong))
    return given


def _raw(parameter: Parameter, request: Request, query: QueryParams) -> list[str]:
    if parameter.place == "path":
        return [request.path_params[parameter.name]]
    return query.getlist(parameter.name)


def _refuse_unknown(parameters: Sequence[Parameter], query: QueryParams) -> None:
    known = [each.name for each in parameters if each.place == "query"]
    for name in query:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"There is {_and(known)}."
            raise ProblemError(
                400, "bad-parameter", f"There is no parameter {name[:60]!r} here. {hint}"
            )


async def _body(body: Body, request: Request, most_bytes: int) -> Any:  # noqa: ANN401 (as it came)
    received = await receive_body(request, most_bytes)
    if not received and not body.required:
        return None
    media_type = media_type_of(request)
    if media_type not in body.schemas:
        raise ProblemError(
            415,
            "wrong-media-type",
            f"The body comes as {_and([*body.schemas])}, not as {media_type or 'nothing named'!r}.",
        )
    if media_type != JSON:
        return received
    value = _json(received)
    if wrong := list(_first(faults(body.schemas[JSON], value, "the body"))):
        raise ProblemError(400, "bad-body", _sentence(wrong))
    return value


def _too_large(most_bytes: int) -> ProblemError:
    return ProblemError(413, "too-large", f"A body may have {most_bytes:,} bytes here.")


def _json(received: bytes) -> object:
    try:
        value = json.loads(received, parse_constant=_no_constant)
    except RecursionError:
        raise _TOO_DEEP from None
    except ValueError as error:
        raise ProblemError(400, "bad-body", f"The body is no JSON: {error}.") from None
    if is_deep(value, MOST_DEPTH):  # or whoever looks at it would run out of stack
        raise _TOO_DEEP
    return value


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no value of JSON")


def _first(wrong: Iterator[str]) -> Iterator[str]:
    for _, each in zip(range(MOST_TOLD + 1), wrong, strict=False):
        yield each


def _sentence(wrong: Sequence[str]) -> str:
    more = "; and more" if len(wrong) > MOST_TOLD else ""
    told = "; ".join(wrong[:MOST_TOLD])
    return f"{told[:1].upper()}{told[1:]}{more}."


def _and(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
