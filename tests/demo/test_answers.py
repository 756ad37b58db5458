import gzip
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest

from gossamer.demo.answers import Served, answer_for
from gossamer.demo.malice.exhibits import landing
from gossamer.demo.resources import Broken, Busy, End, File, Listing, Moved, Resource, Sorry
from gossamer.demo.world import World

WORLD = World(seed=4, pages=300, hosts=5)
NOW = datetime(2026, 3, 1, 12, 0, 0, 700_000, tzinfo=UTC)
DAY = timedelta(days=1)


def answered(resource: Resource, asked_before: int = 0) -> Served:
    answer = answer_for(WORLD, resource, asked_before, NOW)
    assert isinstance(answer, Served)
    return answer


def headers(answer: Served) -> dict[str, str]:
    return dict(answer.headers)


def test_a_page_has_validators_of_its_own_and_its_wishes_in_a_header() -> None:
    pages = [WORLD.page(number) for number in range(WORLD.pages)]
    answers = [answered(page) for page in pages]
    assert len({answer.etag for answer in answers}) == len(pages)
    assert all(answer.modified and answer.modified < NOW for answer in answers)
    for page, answer in zip(pages, answers, strict=True):
        assert headers(answer).get("X-Robots-Tag") == (page.header and page.header.text)
        assert (answer.zipped is not None) == page.zipped
        assert answer.zipped is None or gzip.decompress(answer.zipped) == answer.body


def test_the_same_page_of_a_larger_world_has_another_tag() -> None:
    larger = World(seed=4, pages=301, hosts=5)
    other = answer_for(larger, larger.page(0), 0, NOW)
    assert isinstance(other, Served)
    assert other.etag != answered(WORLD.page(0)).etag


@pytest.mark.parametrize(
    ("etags", "since", "same"),
    [
        (None, None, False),
        ('"t"', None, True),
        ('"other", W/"t"', None, True),
        ("*", None, True),
        ('"other"', NOW + DAY, False),  # the tag decides where both are given
        (None, NOW, True),
        (None, NOW - DAY, False),
    ],
)
def test_a_client_may_know_it_already(
    etags: str | None, since: datetime | None, same: bool
) -> None:
    assert Served(200, b"", etag='"t"', modified=NOW).same_as(etags, since) is same


def test_what_has_no_validators_is_always_new() -> None:
    assert not Served(200, b"").same_as("*", NOW)


def test_a_redirect_may_lack_its_location() -> None:
    assert headers(answered(Moved(302, "/x", None)))["Location"] == "/x"
    assert "Location" not in headers(answered(Moved(302, None, None)))


def test_a_busy_address_gives_way_after_its_refusals() -> None:
    busy = Busy(429, 7, False, 2, landing("busy.malice.test", "/limited"))
    assert [answered(busy, asked).status for asked in range(4)] == [429, 429, 200, 200]
    assert headers(answered(busy))["Retry-After"] == "7"
    never = Busy(503, 7, False, None, busy.then)
    assert answered(never, 1_000).status == 503


def test_a_date_never_asks_for_less_than_the_seconds() -> None:
    busy = Busy(503, 5, True, 1, Listing(WORLD.front(0)))
    until = parsedate_to_datetime(headers(answered(busy))["Retry-After"])
    assert timedelta(seconds=5) <= until - NOW <= timedelta(seconds=6)


def test_the_rest_is_as_it_says() -> None:
    assert answered(Sorry(410)).status == 410
    assert answered(File("image/png", b"x")).body == b"x"
    broken = Broken("reset", (End.RESET,))
    assert answer_for(WORLD, broken, 0, NOW) is broken
