"""What we recover from servers that misbehave, one row each."""

import asyncio
import gzip
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fetch.servers import QUICK, Conversation, Script, answering, ask, ok

from gossamer.config import Fetch
from gossamer.fetch.decode import decode
from gossamer.model import BodyState, Cause, Fetched

SHORT = timedelta(seconds=1)
CUT, WHOLE = BodyState.TRUNCATED, BodyState.WHOLE
PART = b"HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


async def trickle(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(1000):
        await conversation.say(b"x")
        await asyncio.sleep(0.02)


async def endless(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(10_000):
        await conversation.say(b"x" * 10_000)


async def endless_redirect(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n")
    for _ in range(10_000):
        await conversation.say(b"x" * 10_000)


async def header_flood(conversation: Conversation) -> None:
    await conversation.say(b"HTTP/1.1 200 OK\r\n")
    for count in range(10_000):
        await conversation.say(b"X-%d: flood\r\n" % count)


async def interim_flood(conversation: Conversation) -> None:
    for _ in range(10_000):
        await conversation.say(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")


def without_end(first: bytes, piece: bytes) -> Script:
    async def answer(conversation: Conversation) -> None:
        await conversation.say(CHUNKED + first)
        for _ in range(1000):
            await conversation.say(piece)

    return answer


@dataclass(frozen=True)
class Row:
    what: str
    script: Script
    status: int = 200
    body: bytes = b"hello"
    state: BodyState = WHOLE
    cause: Cause | None = None  # instead of an answer, or of a page in it
    limits: Fetch = QUICK


ROWS = [
    Row("length announced, cut short", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), state=CUT),
    Row("length announced, nothing sent", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), cause=Cause.TRUNCATED),
    Row("chunk cut short", answering(CHUNKED + b"9\r\nhello"), state=CUT),
    Row("last chunk missing", answering(CHUNKED + b"5\r\nhello\r\n"), state=CUT),
    Row("last chunk without its empty line", answering(CHUNKED + b"5\r\nhello\r\n0\r\n"), state=CUT),
    Row("chunk size that is no number", answering(CHUNKED + b"5\r\nhello\r\nzz\r\n"), state=CUT),
    Row("reset before headers", answering(then="reset"), cause=Cause.RESET),
    Row("end before headers", answering(), cause=Cause.RESET),
    Row("end within headers", answering(b"HTTP/1.1 200 OK\r\nContent-Ty"), cause=Cause.TRUNCATED),
    Row("reset after headers", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", then="reset"), cause=Cause.TRUNCATED),
    Row("first chunk size that is no number", answering(CHUNKED + b"zz\r\nhello"), cause=Cause.TRUNCATED),
    Row("reset within body", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", then="reset"), state=CUT),
    Row("no length, closed at the end", answering(b"HTTP/1.1 200 OK\r\n\r\nhello")),
    Row("HTTP/1.0", answering(b"HTTP/1.0 200 OK\r\n\r\nhello")),
    Row("HTTP/0.9", answering(b"hello"), cause=Cause.BAD_RESPONSE),
    Row("another protocol", answering(b"SSH-2.0-OpenSSH_9.9\r\n", then="hang"), cause=Cause.BAD_RESPONSE),
    Row("status line without reason", answering(b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello")),
    Row("status that is no number", answering(b"HTTP/1.1 two OK\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("status out of range", answering(b"HTTP/1.1 999 No\r\nContent-Length: 5\r\n\r\nhello"), status=999),
    Row("unknown HTTP version", answering(b"HTTP/7.3 200 OK\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("bare line feeds", answering(b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")),
    Row("line without colon", answering(b"HTTP/1.1 200 OK\r\ngarbage\r\nContent-Length: 5\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("header without name", answering(b"HTTP/1.1 200 OK\r\n: nameless\r\nContent-Length: 5\r\n\r\nhello")),
    Row("folded header", answering(b"HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 5\r\n\r\nhello")),
    Row("zero byte in header", answering(b"HTTP/1.1 200 OK\r\nX-A: o\0ne\r\nContent-Length: 5\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("length too small", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, world")),
    Row("length that is no number", answering(b"HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("negative length", answering(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("length of thousands of digits", answering(b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\nhello"), cause=Cause.TOO_LARGE),
    Row("same length twice", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello")),
    Row("two lengths", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello"), cause=Cause.BAD_RESPONSE),
    Row("length and chunks", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")),
    Row("interim answers first", answering(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", ok(b"hello"))),
    Row("interim answers without end", interim_flood, cause=Cause.HEADER_TOO_LARGE),
    Row("headers without end", header_flood, cause=Cause.HEADER_TOO_LARGE),
    Row("header line without end", answering(b"HTTP/1.1 200 OK\r\nX-A: " + b"x" * 1_000_000), cause=Cause.HEADER_TOO_LARGE),
    Row("trailers without end", without_end(b"5\r\nhello\r\n0\r\n", b"X: flood\r\n" * 1000), cause=Cause.HEADER_TOO_LARGE),
    Row("trailer line without end", without_end(b"5\r\nhello\r\n0\r\nX: ", b"x" * 10_000), cause=Cause.HEADER_TOO_LARGE),
    Row("chunks of one byte without end", without_end(b"", b"1\r\nx\r\n" * 1000), cause=Cause.BAD_RESPONSE),
    Row("long extensions of chunks without end", without_end(b"", (b"1;" + b"x" * 100 + b"\r\nx\r\n") * 1000), cause=Cause.BAD_RESPONSE),
    Row("body without end", endless, cause=Cause.TOO_LARGE, limits=replace(QUICK, max_body_bytes=65536)),
    Row("redirect with a body without end", endless_redirect, status=301, body=b"", state=BodyState.SKIPPED),
    Row("announced too large", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", then="hang"), cause=Cause.TOO_LARGE, limits=replace(QUICK, max_body_bytes=65536)),
    Row("silence", answering(then="hang"), cause=Cause.TIMEOUT_FIRST_BYTE, limits=replace(QUICK, first_byte_timeout=SHORT)),
    Row("silence within headers", answering(b"HTTP/1.1 200 OK\r\n", then="hang"), cause=Cause.TIMEOUT_TOTAL, limits=replace(QUICK, total_timeout=SHORT)),
    Row("silence within body", answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", then="hang"), cause=Cause.TIMEOUT_TOTAL, limits=replace(QUICK, total_timeout=SHORT)),
    Row("trickle", trickle, cause=Cause.SLOW, limits=replace(QUICK, low_speed_bytes=100, low_speed_time=SHORT)),
    Row("redirect without target", answering(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), status=302, body=b""),
    Row("redirect loop", answering(b"HTTP/1.1 301 Moved\r\nLocation: /page\r\nContent-Length: 0\r\n\r\n"), status=301, body=b""),
    Row("204 with a body", answering(b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"), status=204, body=b""),
    Row("plain body announced as gzip", answering(ok(b"hello", b"Content-Encoding: gzip"))),
    Row("unknown coding, plain body", answering(ok(b"hello", b"Content-Encoding: utf-8"))),
    Row("unknown coding, packed body", answering(ok(b"\x01hello", b"Content-Encoding: secret")), body=b"\x01hello", cause=Cause.BAD_ENCODING),
    Row("no body, announced as gzip", answering(ok(b"", b"Content-Encoding: gzip")), body=b""),
    Row("204 announced as gzip", answering(b"HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"), status=204, body=b""),
    Row("a part that nobody asked for", answering(PART + b"Content-Range: bytes 0-4/5000\r\n\r\nhello"), status=206, state=CUT),
    Row("a part that does not say of what", answering(PART + b"\r\nhello"), status=206, state=CUT),
    Row("a part that is the whole", answering(PART + b"Content-Range: bytes 0-4/5\r\n\r\nhello"), status=206),
    Row("gzip cut short", answering(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n" + gzip.compress(b"hello")), state=CUT),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_a_broken_server_gives_what_was_good_or_a_cause(row: Row) -> None:
    outcome = ask(row.script, row.limits)
    if isinstance(outcome, Fetched):
        assert (outcome.status, outcome.body_state) == (row.status, row.state)
        # As whoever reads it later sees it.
        read = decode(outcome.body, outcome.content_encoding, row.limits.max_decoded_bytes)
        assert (read.body, read.cause) == (row.body, row.cause)
    else:
        assert outcome.cause is row.cause, outcome
        assert outcome.message.endswith(".")


def told(row: Row) -> str:
    """The row as the documentation tells it."""
    if row.cause:
        later = "tried again later" if row.cause.transient else "settled"
        return f"| {row.what} | `{row.cause}`, {later} |"
    status = "" if row.status == 200 else f"{row.status}, "
    body = "cut" if row.state is CUT else "whole" if row.body != b"" else "no body"
    return f"| {row.what} | {status}{body} |"


def test_the_documentation_tells_what_we_recover() -> None:
    page = (Path(__file__).parents[2] / "docs" / "fetching.md").read_text()
    table = "\n".join(["| the server sends | we get |", "| --- | --- |", *map(told, ROWS)])
    assert f"\n{table}\n" in page, table


STARTS = (b"", b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n", CHUNKED)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(STARTS), st.binary(max_size=300))
def test_whatever_a_server_says_becomes_a_value(start: bytes, rest: bytes) -> None:
    outcome = ask(answering(start + rest))
    if isinstance(outcome, Fetched) and outcome.body_state is WHOLE:
        assert outcome.body in rest or start == CHUNKED
