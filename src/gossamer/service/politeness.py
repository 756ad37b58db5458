"""`/politeness`: manners for other programs. May this be fetched now; may I; here is how it went."""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from starlette.responses import JSONResponse, Response

from gossamer.model import Url
from gossamer.owner.messages import Question, Record, record_of
from gossamer.politeness.outcome import Reported
from gossamer.service.errors import ProblemError
from gossamer.service.routes import JSON, Body, Call, Parameter, Route, json_reply
from gossamer.service.schemas import (
    ANYTHING,
    FLAG,
    TEXT,
    WHOLE,
    listed,
    or_null,
    record,
    text,
    whole,
)
from gossamer.service.streams import while_there
from gossamer.urls import MAX_LENGTH, host_of

MOST_URLS: Final = 10_000
MOST_QUESTION_BYTES: Final = 512 * 1024  # of URLs; half of what one question may have
USUAL_WAIT: Final = 10_000  # milliseconds, as the proxy waits
MOST_WAIT: Final = 30_000
MOST_SHOWN: Final = 100  # characters of what is no URL
MOST_CLIENT: Final = 100  # characters of a name
LONGEST_ANSWER: Final = 24 * 60 * 60 * 1000  # milliseconds

_BETWEEN_URLS: Final = re.compile(r",(?=https?://)", re.IGNORECASE)
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)

_VERDICT: Final = MappingProxyType(
    {"url": TEXT, "allowed": FLAG, "error": or_null(TEXT), "retryAfter": WHOLE}
)
_LEASE: Final = record({"id": TEXT, "sendAt": TEXT, "validUntil": TEXT, "validFor": WHOLE})
_URLS: Final = Body(
    doc="URLs, as text; a scheme may be left out. What is no URL has a verdict too.",
    schemas={JSON: listed(ANYTHING, most=MOST_URLS)},
)


async def allowed(call: Call) -> Response:
    """Those of the URLs in the body that may be fetched now."""
    return JSONResponse(at_most_one_a_host(call.body, await _verdicts(call, call.body)))


async def allowed_of_query(call: Call) -> Response:
    """The same of the URLs in the query."""
    urls = [url for value in call.given["urls"] for url in separated(value)]
    if len(urls) > MOST_URLS:
        raise ProblemError(400, "bad-parameter", f"Ask for {MOST_URLS:,} URLs at most.")
    return JSONResponse(at_most_one_a_host(urls, await _verdicts(call, urls)))


async def verbose(call: Call) -> Response:
    """A verdict for each URL."""
    return JSONResponse(await _verdicts(call, call.body))


async def lease(call: Call) -> Response:
    """The right to send a request, or why not."""
    client = call.request.client
    question = Question(
        what="lease",
        texts=(_cut(call.body["url"]),),
        seconds=call.body.get("maxWait", USUAL_WAIT) / 1000,
        client=call.body.get("client", client.host if client else ""),
    )
    # Nobody else would report on the lease of somebody who hung up.
    return JSONResponse(await while_there(call.request, _asked(call, question)))


async def report(call: Call) -> Response:
    """How a request under a lease went."""
    took = call.body.get("took")
    question = Question(
        what="report",
        lease=call.body["id"],
        report=Reported(
            status=call.body.get("status"),
            took=None if took is None else timedelta(milliseconds=took),
            retry_after=call.body.get("retryAfter"),
            sent=call.body.get("sent", True),
        ),
    )
    return JSONResponse(await _asked(call, question))


def separated(value: str) -> list[str]:
    """URLs that stand behind each other with commas in between.

    URLs may have commas of their own. Where they have schemes, only a comma before a scheme is one
    between two of them.
    """
    parts = _BETWEEN_URLS.split(value) if _SCHEME.match(value) else value.split(",")
    return [part.strip() for part in parts if part.strip()]


def at_most_one_a_host(urls: Sequence[object], verdicts: Sequence[Record]) -> list[object]:
    """The first URL of each host that may be fetched, as it was given."""
    first: dict[str, object] = {}
    for url, verdict in zip(urls, verdicts, strict=True):
        if verdict["allowed"]:
            first.setdefault(host_of(Url(verdict["url"])), url)
    return [*first.values()]


def batches(
    urls: Sequence[str], most_bytes: int = MOST_QUESTION_BYTES
) -> Iterator[tuple[str, ...]]:
    """The URLs in order, in as many questions as they need."""
    batch: list[str] = []
    size = 0
    for url in urls:
        length = len(json.dumps(url)) + 1
        if batch and size + length > most_bytes:
            yield tuple(batch)
            batch, size = [], 0
        batch.append(url)
        size += length
    if batch:
        yield tuple(batch)


async def _verdicts(call: Call, given: Sequence[object]) -> list[Record]:
    """A verdict for each of what was given, in order; of what is no text, our own."""
    texts = [_cut(each) for each in given if isinstance(each, str)]

    async def asked() -> list[Record]:
        questions = (Question(what="check", texts=each) for each in batches(texts))
        return await asyncio.gather(*(_asked(call, question) for question in questions))

    answers = await while_there(call.request, asked())
    judged = iter([verdict for answer in answers for verdict in answer["verdicts"]])
    return [next(judged) if isinstance(each, str) else _no_text(each) for each in given]


def _no_text(given: object) -> Record:
    shown = json.dumps(given, ensure_ascii=False)[:MOST_SHOWN]
    return {
        "url": shown,
        "allowed": False,
        "error": f"A URL is text, not {shown}.",
        "retryAfter": -1,
    }


async def _asked(call: Call, question: Question) -> Record:
    return await record_of(call.parts.answering.answer(question))


def _cut(url: str) -> str:
    """As much of it as is needed to find that it is too long."""
    return url[: MAX_LENGTH + 1]


ROUTES: Final = (
    Route(
        path="/politeness",
        method="POST",
        summary="Which URLs may be fetched now",
        doc="At most one URL a host. Nothing is reserved.",
        handler=allowed,
        body=_URLS,
        replies=json_reply("Those that may, as they were given.", listed(TEXT)),
        tag="politeness",
    ),
    Route(
        path="/politeness",
        summary="Which URLs may be fetched now",
        doc="At most one URL a host. Nothing is reserved.",
        handler=allowed_of_query,
        parameters=(
            Parameter(name="urls", doc="URLs with commas in between.", required=True, many=True),
        ),
        replies=json_reply("Those that may, as they were given.", listed(TEXT)),
        tag="politeness",
    ),
    Route(
        path="/politeness/verbose",
        method="POST",
        summary="Whether each URL may be fetched now, and why not",
        doc="retryAfter is in milliseconds; -1 where waiting does not help. Nothing is reserved.",
        handler=verbose,
        body=_URLS,
        replies=json_reply("A verdict a URL, in order.", listed(record(_VERDICT))),
        tag="politeness",
    ),
    Route(
        path="/politeness/lease",
        method="POST",
        summary="The right to send one request",
        doc=(
            "Waits maxWait milliseconds for the host's turn. The request may be sent from sendAt "
            "on, must be over by validUntil, and is then to be reported."
        ),
        handler=lease,
        body=Body(
            doc="The URL that is to be fetched.",
            schemas={
                JSON: record(
                    {
                        "url": TEXT,
                        "maxWait": whole(0, MOST_WAIT),
                        "client": text(most=MOST_CLIENT),
                    },
                    optional=("maxWait", "client"),
                    closed=True,
                )
            },
        ),
        replies=json_reply(
            "A verdict, with a lease where the URL may be fetched.",
            record({**_VERDICT, "lease": or_null(_LEASE)}),
        ),
        tag="politeness",
    ),
    Route(
        path="/politeness/report",
        method="POST",
        summary="How a request under a lease went",
        doc="The lease ends with it. Without a status there was no answer.",
        handler=report,
        body=Body(
            doc="What is known; took is in milliseconds, retryAfter the header as it came.",
            schemas={
                JSON: record(
                    {
                        "id": text(most=MOST_CLIENT),
                        "status": whole(100, 999),
                        "took": whole(0, LONGEST_ANSWER),
                        "retryAfter": text(most=MOST_CLIENT),
                        "sent": FLAG,
                    },
                    optional=("status", "took", "retryAfter", "sent"),
                    closed=True,
                )
            },
        ),
        replies=json_reply("The lease that is over.", record({"id": TEXT, "url": TEXT})),
        faults=(404, 410),
        tag="politeness",
    ),
)
