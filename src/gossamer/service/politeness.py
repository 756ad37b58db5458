"""`/politeness`: may this be fetched now, may I, here is how it went; and `/delays` of hosts."""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from starlette.responses import JSONResponse, Response

from gossamer.identity.signer import signer_for
from gossamer.model import Cause, Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import Check, Delays, LendRight, ReportRight, SitemapsOf
from gossamer.politeness.outcome import Reported
from gossamer.politeness.permission import AGAIN
from gossamer.politeness.rate_limit import MAX_FIELD, quota_wait
from gossamer.service.answers import json_answer, next_page, while_there
from gossamer.service.errors import ProblemError
from gossamer.service.routes import JSON, Body, Call, Parameter, Route, json_reply
from gossamer.service.schemas import (
    ANYTHING,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    listed,
    one_of,
    or_null,
    record,
    table_of,
    text,
    whole,
)
from gossamer.urls import MAX_LENGTH, host_of, seed

MOST_URLS: Final = 10_000
MOST_QUESTION_BYTES: Final = 512 * 1024  # of URLs; half of what one question may have
USUAL_WAIT: Final = 10_000  # milliseconds, as the proxy waits
MOST_WAIT: Final = 30_000
MOST_SHOWN: Final = 100  # characters of what is no URL
MOST_CLIENT: Final = 100  # characters of a name
LONGEST_ANSWER: Final = 24 * 60 * 60 * 1000  # milliseconds
USUAL_DELAYS: Final = 100
MOST_DELAYS: Final = 1_000
MOST_OF_A_HOST: Final = 260  # characters
NOT_ALONE: Final = "Another URL of its host in the same call is allowed: one at a time."
_BETWEEN_URLS: Final = re.compile(r",(?=https?://)", re.IGNORECASE)
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
CAUSES: Final = (  # of requests that were sent, as whoever sent them can tell
    *(Cause.CONNECT, Cause.TLS, Cause.CERTIFICATE, Cause.TIMEOUT_CONNECT),
    *(Cause.TIMEOUT_FIRST_BYTE, Cause.TIMEOUT_TOTAL, Cause.SLOW, Cause.RESET, Cause.CLOSED),
    *(Cause.BAD_RESPONSE, Cause.TRUNCATED, Cause.BAD_ENCODING, Cause.HEADER_TOO_LARGE),
    *(Cause.TOO_LARGE, Cause.OTHER),
)
_QUOTA_FIELDS: Final = MappingProxyType(
    {"rateLimit": "RateLimit", "rateLimitPolicy": "RateLimit-Policy"}
)
_VERDICT: Final = MappingProxyType(
    {"url": TEXT, "allowed": FLAG, "error": or_null(TEXT), "retryAfter": WHOLE}
)
_LEASE: Final = record(
    {
        "id": TEXT,
        "sendAt": TEXT,
        "validUntil": TEXT,
        "validFor": WHOLE,
        "headers": table_of(TEXT),
    }
)
_SITEMAPS: Final = record(
    {
        "origin": TEXT,
        "sitemaps": listed(TEXT),
        "count": WHOLE,
        "read": or_null(record({"complete": FLAG, "left": listed(TEXT), "again_at": TEXT})),
    }
)
_URLS: Final = Body(
    doc="URLs, as text; a scheme may be left out. What is no URL has a verdict too.",
    schemas={JSON: listed(ANYTHING, most=MOST_URLS)},
)
_DELAY: Final = record(
    {
        "host": TEXT,
        "delay": NUMBER,
        "source": TEXT,
        "next_at": or_null(TEXT),
        "in_flight": WHOLE,
        "parked": FLAG,
    }
)


async def allowed(call: Call) -> Response:
    """The URLs in the body that may be fetched now."""
    return JSONResponse(at_most_one_a_host(call.body, await _verdicts(call, call.body)))


async def allowed_of_query(call: Call) -> Response:
    """The URLs in the query that may be fetched now."""
    urls = [url for value in call.given["urls"] for url in separated(value)]
    if len(urls) > MOST_URLS:
        raise ProblemError(400, "bad-parameter", f"Ask for {MOST_URLS:,} URLs at most.")
    return JSONResponse(at_most_one_a_host(urls, await _verdicts(call, urls)))


async def verbose(call: Call) -> Response:
    """A verdict for each URL; of each host, one is allowed."""
    return JSONResponse(one_allowed_a_host(await _verdicts(call, call.body)))


async def lease(call: Call) -> Response:
    """The right to send a request, or why not."""
    client = call.request.client
    question = LendRight(
        _cut(call.body["url"]),
        patience=timedelta(milliseconds=call.body.get("maxWait", USUAL_WAIT)),
        client=call.body.get("client", client.host if client else ""),
    )
    # Nobody else would report on the lease of somebody who hung up.
    verdict = await while_there(call.request, ask(call.parts.answering, question))
    lent = verdict["lease"]
    if lent is None:
        return JSONResponse(verdict)
    headers = _identity_fields(call, verdict["url"])
    return JSONResponse({**verdict, "lease": {**lent, "headers": headers}})


def _identity_fields(call: Call, url: str) -> dict[str, str]:
    """The fields by which the host knows a request for ours; none without an identity."""
    asked = seed(url)
    if isinstance(asked, Refusal):
        return {}
    identity = call.parts.in_force.settings.config.identity
    return dict(signer_for(call.parts.data, identity, now_utc).sign(asked))


async def report(call: Call) -> Response:
    """How a request under a lease went."""
    took = call.body.get("took")
    cause = call.body.get("cause")
    report = Reported(
        status=call.body.get("status"),
        took=None if took is None else timedelta(milliseconds=took),
        retry_after=call.body.get("retryAfter"),
        sent=call.body.get("sent", True),
        cause=cause or Cause.OTHER,
        is_whole=cause is None,
        quota_wait=quota_wait(
            [(name, call.body[key]) for key, name in _QUOTA_FIELDS.items() if key in call.body],
            now_utc(),
        ),
    )
    return JSONResponse(await ask(call.parts.answering, ReportRight(call.body["id"], report)))


async def delays(call: Call) -> Response:
    """A page of hosts."""
    question = Delays(after=call.given["after"], limit=call.given["limit"])
    page = await ask(call.parts.answering, question)
    return json_answer(call.request, page, headers=next_page(call.request, page["next"]))


async def sitemaps(call: Call) -> Response:
    """The sitemaps that are known of a host."""
    known = await ask(call.parts.answering, SitemapsOf(call.given["host"]))
    return json_answer(call.request, known)


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


def one_allowed_a_host(verdicts: Sequence[Record]) -> list[Record]:
    """The verdicts, where a URL has to wait if an earlier one of its host is allowed.

    The same URL again is the same request, and allowed too.
    """
    first: dict[str, str] = {}
    judged: list[Record] = []
    for verdict in verdicts:
        if verdict["allowed"]:
            url = verdict["url"]
            if first.setdefault(host_of(Url(url)), url) != url:
                wait = AGAIN // timedelta(milliseconds=1)
                verdict = {**verdict, "allowed": False, "error": NOT_ALONE, "retryAfter": wait}
        judged.append(verdict)
    return judged


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
        questions = map(Check, batches(texts))
        return await asyncio.gather(*(ask(call.parts.answering, each) for each in questions))

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
        doc=(
            "At most one URL a host is allowed. retryAfter is in milliseconds; -1 where waiting does not "
            "help. Nothing is reserved."
        ),
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
            "on, must be over by validUntil, and is then to be reported. `headers` are to be sent with it: they say "
            "who we are, to this host alone."
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
        doc="The lease ends with it. Without a status there was no answer, for a cause, if that is known; "
        "with both, the answer broke off.",
        handler=report,
        body=Body(
            doc="What is known; took is in milliseconds; retryAfter, rateLimit and rateLimitPolicy are "
            "the header fields as they came.",
            schemas={
                JSON: record(
                    {
                        "id": text(most=MOST_CLIENT),
                        "status": whole(100, 999),
                        "took": whole(0, LONGEST_ANSWER),
                        "retryAfter": text(most=MOST_CLIENT),
                        "rateLimit": text(most=MAX_FIELD),
                        "rateLimitPolicy": text(most=MAX_FIELD),
                        "sent": FLAG,
                        "cause": one_of(*(cause.value for cause in CAUSES)),
                    },
                    optional=(
                        "status",
                        "took",
                        "retryAfter",
                        "rateLimit",
                        "rateLimitPolicy",
                        "sent",
                        "cause",
                    ),
                    closed=True,
                )
            },
        ),
        replies=json_reply("The lease that is over.", record({"id": TEXT, "url": TEXT})),
        faults=(404, 410),
        tag="politeness",
    ),
    Route(
        path="/politeness/sitemaps",
        summary="The sitemaps of a host, as far as they are known",
        doc=(
            "By origin: those that its robots.txt names (count: of all), and how far its sitemaps were read. "
            "Nobody is asked."
        ),
        handler=sitemaps,
        parameters=(
            Parameter(
                name="host",
                doc="The host.",
                schema=text(most=MOST_OF_A_HOST, least=1),
                required=True,
            ),
        ),
        replies=json_reply(
            "The host's origins whose robots.txt is known.",
            record({"host": TEXT, "origins": listed(_SITEMAPS)}),
        ),
        tag="politeness",
    ),
    Route(
        path="/delays",
        summary="The delay in force for each host",
        doc="In seconds, with its source, and when the host may next be asked (null: now).",
        handler=delays,
        parameters=(
            Parameter(
                name="after", doc="Only hosts after this one.", schema=text(most=MOST_OF_A_HOST)
            ),
            Parameter(
                name="limit",
                doc="Hosts a page.",
                schema=whole(1, MOST_DELAYS),
                default=USUAL_DELAYS,
            ),
        ),
        replies=json_reply(
            "Hosts, and what `after` is for the next page (null: none).",
            record({"hosts": listed(_DELAY), "next": or_null(TEXT)}),
        ),
        tag="politeness",
    ),
)
