from collections.abc import Callable

import pytest

from gossamer.proxy.cache.answers import Body, answer, nothing_stored
from gossamer.proxy.cache.asked import read
from gossamer.proxy.cache.protocol import CacheAnswer, Request

from .test_stored import stored
from .world import START, URL, Said, fields, got

KEPT = stored(fields({"Date": "@0", "Cache-Control": "max-age=60", "ETag": '"1"', "Vary": "a"}))


def made(said: Said, method: str = "GET", release: Callable[[], None] | None = None) -> CacheAnswer:
    request = Request(method, URL, fields(said))
    body = Body(b"he", iter([b"l", b"lo"]), release)
    return answer(request, read(request), KEPT, body, START + 11, None)


def test_an_answer_has_its_age_and_all_of_its_body() -> None:
    whole = got(made({}))
    assert (whole.status, whole.body, whole["age"]) == (200, b"hello", "11")
    assert whole["content-length"] == "5"
    assert whole["cache-status"] == "gossamer; hit; ttl=49"


def test_not_modified_says_nothing_of_a_body() -> None:
    unmodified = got(made({"If-None-Match": '"1"'}))
    assert (unmodified.status, unmodified.body) == (304, b"")
    assert "content-length" not in unmodified
    for needed in ("date", "etag", "vary", "cache-control"):
        assert needed in unmodified


@pytest.mark.parametrize(
    ("said", "method"),
    [({}, "HEAD"), ({"If-None-Match": '"1"'}, "GET"), ({"Range": "bytes=9-"}, "GET")],
)
def test_a_body_that_is_not_sent_is_let_go_at_once(said: Said, method: str) -> None:
    released: list[str] = []
    answered = made(said, method, lambda: released.append("once"))
    assert released == ["once"]
    answered.close()
    assert released == ["once"]


def test_a_body_that_is_sent_is_let_go_when_it_was() -> None:
    released: list[str] = []
    for said in ({}, {"Range": "bytes=1-2"}):
        released.clear()
        answered = made(said, release=lambda: released.append("once"))
        assert not released
        answered.close()
        answered.close()
        assert released == ["once"]


@pytest.mark.parametrize("part", ["bytes=1-2", "bytes=9-"])
def test_a_range_is_nothing_to_a_head(part: str) -> None:
    whole = got(made({"Range": part}, "HEAD"))
    assert (whole.status, whole.body, whole["content-length"]) == (200, b"", "5")
    assert "content-range" not in whole


def test_an_answer_of_our_own_is_a_whole_response() -> None:
    refused = got(nothing_stored(START))
    assert refused.status == 504
    assert refused["content-length"] == str(len(refused.body))
    assert "date" in refused
    assert refused["x-gossamer-reason"] == refused.body.decode().strip()
    assert refused["x-gossamer-cause"] == "only-if-cached"
