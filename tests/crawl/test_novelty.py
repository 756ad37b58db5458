"""New, changed, unchanged, gone or failed: by what pages say, and for the rest by bytes and text."""

from typing import Any

import pytest
from tests.crawl.cases import NOW, answered, assignment, extracted, failed, judge

from gossamer.crawl.novelty import Novelty, NoveltyCounts, novelty_of
from gossamer.model import Cause

SAID, OTHER = b"now." + b"a" * 12, b"now." + b"b" * 12
BY_OTHERS, OTHER_BY_OTHERS = b"old." + b"a" * 12, b"old." + b"b" * 12
HTML: dict[str, Any] = {"content_type": "text/html"}
KNOWN: dict[str, Any] = {"digest": b"1", "said": SAID, "shown": b"text"}


@pytest.mark.parametrize(
    ("before", "said", "shown", "novelty"),
    [
        ({}, SAID, b"text", Novelty.NEW),
        (KNOWN, SAID, b"other", Novelty.UNCHANGED),
        (KNOWN, OTHER, b"text", Novelty.CHANGED),
        ({**KNOWN, "said": BY_OTHERS}, SAID, b"other", Novelty.UNCHANGED),
        ({**KNOWN, "said": OTHER_BY_OTHERS}, SAID, b"text", Novelty.UNCHANGED),
        ({**KNOWN, "said": OTHER_BY_OTHERS}, SAID, b"other", Novelty.CHANGED),
        ({"digest": b"1"}, SAID, b"text", Novelty.CHANGED),  # kept before there were hashes
    ],
)
def test_content_is_compared_with_that_of_the_visit_before(
    before: dict[str, Any], said: bytes, shown: bytes, novelty: Novelty
) -> None:
    found = extracted(said_hash=said, text_hash=shown)
    verdict = judge().answered(assignment(**before), answered(**HTML), found, NOW)
    assert novelty_of(verdict) is novelty


@pytest.mark.parametrize(
    ("status", "before", "novelty"),
    [
        (404, KNOWN, Novelty.GONE),
        (410, KNOWN, Novelty.GONE),
        (404, {}, Novelty.FAILED),
        (403, KNOWN, Novelty.FAILED),
        (503, KNOWN, None),  # tried again
    ],
)
def test_what_has_no_content_is_gone_or_failed(
    status: int, before: dict[str, Any], novelty: Novelty | None
) -> None:
    verdict = judge().answered(assignment(**before), answered(status), None, NOW)
    assert novelty_of(verdict) is novelty


def test_a_redirect_and_a_page_that_is_not_to_be_indexed_any_more_are_gone() -> None:
    moved = answered(301, location="http://a.test/new")
    assert novelty_of(judge().answered(assignment(**KNOWN), moved, None, NOW)) is Novelty.GONE
    assert novelty_of(judge().answered(assignment(), moved, None, NOW)) is None
    hidden = answered(**HTML, x_robots_tag="noindex")
    found = extracted(said_hash=SAID)
    assert novelty_of(judge().answered(assignment(**KNOWN), hidden, found, NOW)) is Novelty.GONE


def test_a_page_that_could_not_be_had_failed() -> None:
    verdict = judge().failed(assignment(**KNOWN), failed(Cause.REFUSED_ADDRESS))
    assert novelty_of(verdict) is Novelty.FAILED


def test_bytes_and_text_that_would_have_misled_are_counted() -> None:
    counts = NoveltyCounts()
    for said, shown in ((SAID, b"text"), (SAID, b"other"), (OTHER, b"text")):
        found = extracted(said_hash=said, text_hash=shown)
        counts.note(judge().answered(assignment(**KNOWN), answered(**HTML), found, NOW))
    told = counts.record()
    assert (told["unchanged"], told["changed"]) == (2, 1)
    assert told["unchanged_with_other_bytes"] == 2
    assert told["unchanged_with_other_text"] == 1
    assert told["changed_with_same_text"] == 1
