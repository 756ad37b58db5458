"""Answers on their way out: JSON with a tag, bytes that are streamed, and the format that somebody wants.

The tag spares a client that has the answer already from getting it again. A status cannot be taken back,
so the first bytes of a stream are kept until it has ended or there are many; what fails after that is
broken off, which HTTP shows to the reader. Nobody works on for a client that went away.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gossamer.owner.messages import OwnerAnswer, Record
from gossamer.service.errors import ProblemError
from gossamer.service.routes import JSON

TAG_BYTES: Final = 12
T = TypeVar("T")
HELD_BYTES: Final = 256 * 1024
ROWS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "application/sparql-results+json": "json",
        "application/json": "json",
        "application/sparql-results+xml": "xml",
        "application/xml": "xml",
        "text/xml": "xml",
        "text/csv": "csv",
        "text/tab-separated-values": "tsv",
    }
)
"""Media types of rows and of yes or no, and the names of their formats; the first is the usual."""
TRIPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text/turtle": "turtle",
        "application/n-triples": "ntriples",
        "application/rdf+xml": "rdfxml",
        "application/ld+json": "jsonld",
        "application/trig": "trig",
        "application/n-quads": "nquads",
        "text/n3": "n3",
        "application/json": "jsonld",
        "application/xml": "rdfxml",
    }
)
"""Media types and formats in which a graph of triples is answered."""
_RANGE: Final = re.compile(r"(?<![^\s;,/])([^\s;,/]++)/([^\s;,/]++)")
_Q: Final = re.compile(r";\s*q\s*=\s*(\d+(?:\.\d*)?|\.\d+)", re.IGNORECASE)


def json_answer(
    request: Request,
    value: object,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    news: object = None,
) -> Response:
    """The value as JSON; 304 where the request names the tag that it has.

    `news` is what its tag is made of where a part of the value is no news: how long it took.
    """
    body = _written(value)
    tag = tag_of(body if news is None else _written(news))
    return _answered(request, body, JSON, tag, status, headers)


def tagged(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    """Bytes with their tag; 304 where the request names it."""
    return _answered(request, body, media_type, tag_of(body), status, headers)


def tag_of(body: bytes) -> str:
    """The tag of some bytes. A weak one: compressed or not, they say the same."""
    return f'W/"{blake2b(body, digest_size=TAG_BYTES).hexdigest()}"'


def next_page(request: Request, after: str | None) -> dict[str, str]:
    """The header that leads to the next page, where there is one."""
    if after is None:
        return {}
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "after"]
    return {"Link": f'<{request.url.path}?{urlencode([*kept, ("after", after)])}>; rel="next"'}


@dataclass(frozen=True, slots=True)
class AnswerStart:
    """The beginning of an answer."""

    head: bytes
    rest: AsyncGenerator[bytes, None] | None  # None: this was all
    answer: OwnerAnswer

    @property
    def end(self) -> Record | None:
        """How it ended, if that is known."""
        return self.answer.end if self.rest is None else None


async def begin_answer(answer: OwnerAnswer, most: int = HELD_BYTES) -> AnswerStart:
    """Take the beginning of an answer, or all of it."""
    held, parts = bytearray(), answer.__aiter__()
    try:
        async for part in parts:
            held += part
            if len(held) > most:
                return AnswerStart(bytes(held), parts, answer)
    except BaseException:
        await parts.aclose()
        raise
    return AnswerStart(bytes(held), None, answer)


def streamed_response(
    start: AnswerStart, head: bytes, media_type: str, headers: dict[str, str]
) -> Response:
    """The response, with `head` in the place of what was held back."""
    if start.rest is None:
        return Response(head, media_type=media_type, headers=headers)
    return StreamingResponse(_together(head, start.rest), media_type=media_type, headers=headers)


async def while_there(request: Request, work: Coroutine[None, None, T]) -> T:
    """Do some work, and cancel it if the client hangs up meanwhile."""
    doing = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_wait_until_gone(request))
    try:
        await asyncio.wait([doing, gone], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return await doing
        raise ProblemError(400, "gone", "Whoever asked is gone.")
    finally:
        doing.cancel()
        gone.cancel()
        await asyncio.gather(doing, gone, return_exceptions=True)


class Wanted(NamedTuple):
    """A media type that may be answered with, and the name of its format."""

    media_type: str
    format: str


class _Range(NamedTuple):
    """What an Accept header says of some media types."""

    kind: str
    subtype: str
    quality: float

    @property
    def exactness(self) -> int:
        return (self.kind != "*") + (self.subtype != "*")

    def covers(self, media_type: str) -> bool:
        kind, _, subtype = media_type.partition("/")
        return self.kind in ("*", kind) and self.subtype in ("*", subtype)


def wanted(accept: str | None, offers: Mapping[str, str]) -> Sequence[Wanted]:
    """The offers that an Accept header takes, the preferred first; all of them if there is none."""
    ranges = [*_ranges(accept or "*/*")] or [_Range("*", "*", 1.0)]
    qualities = {media_type: _quality(media_type, ranges) for media_type in offers}
    taken = [media_type for media_type in offers if qualities[media_type] > 0]
    taken.sort(key=lambda media_type: -qualities[media_type])  # and else in the order of offers
    return [Wanted(media_type, offers[media_type]) for media_type in taken]


def _ranges(accept: str) -> Iterator[_Range]:
    for part in accept.lower().split(","):
        if found := _RANGE.search(part):
            quality = _Q.search(part)
            yield _Range(found[1], found[2], min(float(quality[1]), 1.0) if quality else 1.0)


def _quality(media_type: str, ranges: Sequence[_Range]) -> float:
    """What the most exact range that covers a media type says of it."""
    covering = [each for each in ranges if each.covers(media_type)]
    best = max(covering, key=lambda each: (each.exactness, each.quality), default=None)
    return 0.0 if best is None else best.quality


def _answered(
    request: Request,
    body: bytes,
    media_type: str,
    tag: str,
    status: int,
    headers: dict[str, str] | None,
) -> Response:
    told = {"ETag": tag, **(headers or {})}
    if request.method in ("GET", "HEAD") and _names(request, tag):
        return Response(status_code=304, headers=told)
    return Response(body, status, media_type=media_type, headers=told)


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _names(request: Request, tag: str) -> bool:
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or tag in (each.strip() for each in known.split(","))


async def _together(head: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(rest):
        yield head
        async for part in rest:
            yield part


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
