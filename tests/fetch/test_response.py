import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fetch.answers import answer
from tests.fetch.servers import (
    AGENT,
    PAGE,
    Conversation,
    answered,
    ok,
    serving,
)

from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.response import MAX_LENGTH, Validators, revalidated, validators_of
from gossamer.model import BodyState

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
BOTH = Validators('"v1"', DATE)


def etag_of(*values: str) -> str | None:
    return validators_of(answer(200, *(("ETag", each) for each in values))).etag


def date_of(*values: str) -> str | None:
    return validators_of(answer(200, *(("Last-Modified", each) for each in values))).last_modified


@pytest.mark.parametrize("etag", ['"v1"', 'W/"v1"', '""', '"a,b"', '"caf\xe9"', '"a-gzip"'])
def test_an_entity_tag_is_sent_back_as_it_stands(etag: str) -> None:
    assert etag_of(etag) == etag
    assert Validators(etag).request_headers == (("If-None-Match", etag),)


@pytest.mark.parametrize(
    "value",
    ["", "v1", '"v1', 'v1"', 'w/"v1"', '"a"b"', '"a" "b"', '"a", "b"', '"a\x7f"', "*", f'"{"x" * 1025}"'],
)  # fmt: skip
def test_what_is_no_entity_tag_is_dropped(value: str) -> None:
    assert etag_of(value) is None


@pytest.mark.parametrize("date", [DATE, "Sun Nov  6 08:49:37 1994"])
def test_a_date_is_sent_back_letter_by_letter(date: str) -> None:
    assert date_of(date) == date
    assert Validators(None, date).request_headers == (("If-Modified-Since", date),)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "0",
        "yesterday",
        "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 GMT, x",
        "Sun, 99 Nov 1994 08:49:37 GMT",
        "Thu, 01 Jan 2026 12:00:01 GMT",  # a second after the answer
        "Fri, 01 Jan 2100 00:00:00 GMT",
    ],
)
def test_what_is_no_date_or_has_not_come_yet_is_dropped(value: str) -> None:
    assert date_of(value) is None


def test_of_two_values_that_differ_neither_is_believed() -> None:
    assert etag_of('"v1"', '"v1"') == '"v1"'
    assert etag_of('"v1"', '"v2"') is None
    assert date_of(DATE, "Sun Nov  6 08:49:37 1994") is None


@pytest.mark.parametrize("state", [each for each in BodyState if each is not BodyState.WHOLE])
def test_a_page_that_we_do_not_hold_in_whole_is_asked_for_without_conditions(
    state: BodyState,
) -> None:
    partial = answer(200, ("ETag", '"v1"'), ("Last-Modified", DATE), body_state=state)
    assert validators_of(partial) == Validators()


@pytest.mark.parametrize("status", [203, 206, 301, 404, 503])
def test_an_answer_that_is_not_the_page_has_no_validators(status: int) -> None:
    assert validators_of(answer(status, ("ETag", '"v1"'))) == Validators()


def test_without_validators_nothing_is_asked() -> None:
    assert Validators().request_headers == ()


def test_an_unchanged_page_keeps_its_validators() -> None:
    assert revalidated(BOTH, answer(304)) == BOTH


def test_an_unchanged_page_may_bring_newer_validators() -> None:
    later = "Mon, 07 Nov 1994 08:49:37 GMT"
    again = answer(304, ("ETag", 'W/"v1"'), ("Last-Modified", later))
    assert revalidated(BOTH, again) == Validators('W/"v1"', later)
    assert revalidated(Validators(None, DATE), again) == Validators('W/"v1"', later)


def test_a_page_that_has_changed_is_not_unchanged() -> None:
    assert revalidated(BOTH, answer(200, ("ETag", '"v1"'))) is None


def test_unchanged_said_of_another_page_is_not_believed() -> None:
    assert revalidated(BOTH, answer(304, ("ETag", '"v2"'))) is None


def test_unchanged_said_to_somebody_who_did_not_ask_is_not_believed() -> None:
    assert revalidated(Validators(), answer(304, ("ETag", '"v1"'))) is None


@given(st.text(max_size=MAX_LENGTH * 2), st.text(max_size=60))
def test_no_value_makes_a_header_that_cannot_be_sent(etag: str, date: str) -> None:
    found = validators_of(answer(200, ("ETag", f'"{etag}"'), ("Last-Modified", date)))
    for _, value in found.request_headers:
        assert len(value) <= MAX_LENGTH + 4
        assert "\n" not in value
        assert "\r" not in value
        value.encode("latin-1")


def test_a_server_that_knows_its_page_says_that_it_has_not_changed() -> None:
    async def versioned(conversation: Conversation) -> None:
        if b'If-None-Match: "v1\xe9"\r\n' in conversation.request:
            await conversation.say(b"HTTP/1.1 304 Not Modified\r\n\r\n")
        else:
            await conversation.say(
                ok(b"hello", b'ETag: "v1\xe9"', f"Last-Modified: {DATE}".encode())
            )

    async def run() -> None:
        async with serving(versioned) as server, HttpFetcher(server.fetch(), AGENT) as http:
            stored = validators_of(answered(await http.get(PAGE)))
            assert stored == Validators('"v1\xe9"', DATE)
            again = answered(await http.get(PAGE, headers=stored.request_headers))
            assert f"If-Modified-Since: {DATE}".encode() in server.requests[1]
            assert revalidated(stored, again) == stored

    asyncio.run(run())
