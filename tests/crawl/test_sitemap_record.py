from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness, Sitemaps
from gossamer.crawl.sitemap_record import READ_AGAIN, NotYet, SitemapRecord
from gossamer.model import Url
from gossamer.sitemaps import PlannedSitemap, SitemapLink, SitemapPlan

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
ORIGIN = "http://a.test"
ONE, TWO = Url(f"{ORIGIN}/one"), Url(f"{ORIGIN}/two")
FAILED = NotYet("The server answered 503.")
POLITENESS = Politeness()
MOST = 3


def planned(url: Url, depth: int = 1) -> PlannedSitemap:
    return PlannedSitemap(url, depth, frozenset({"a.test"}))


def resting(time: timedelta) -> NotYet:
    return NotYet("Its host rests.", NOW + time)


def after(known: SitemapRecord, *missing: tuple[PlannedSitemap, NotYet]) -> SitemapRecord:
    return known.after(missing, NOW, POLITENESS, MOST)


BEGUN = SitemapRecord(2, NOW, owed=None)


@given(
    st.integers(0, 99),
    st.datetimes(timezones=st.just(UTC)),
    st.none() | st.lists(st.tuples(st.text().map(Url), st.integers(0, 3))).map(tuple),
    st.integers(0, 9),
    st.integers(0, 1_000),
)
def test_what_was_written_down_is_read_back(
    depth: int,
    again_at: datetime,
    owed: tuple[tuple[Url, int], ...] | None,
    attempts: int,
    files: int,
) -> None:
    record = SitemapRecord(depth, again_at, owed, attempts, files)
    assert SitemapRecord.parse(record.written()) == record


def test_it_serves_pages_that_are_no_nearer_until_its_time_has_come() -> None:
    record = SitemapRecord(2, NOW + READ_AGAIN)
    assert record.serves(2, NOW)
    assert record.serves(3, NOW)
    assert not record.serves(1, NOW)
    assert not record.serves(2, NOW + READ_AGAIN)


def test_what_was_read_in_whole_owes_nothing_for_a_day() -> None:
    assert after(BEGUN) == SitemapRecord(2, NOW + READ_AGAIN)
    assert not after(BEGUN).is_owing
    assert BEGUN.is_owing


def test_what_failed_is_owed_with_back_off_until_it_failed_too_often() -> None:
    first = after(BEGUN, (planned(ONE), FAILED))
    assert first == SitemapRecord(2, NOW + POLITENESS.backoff_first, ((ONE, 1),), 1)
    second = after(first, (planned(ONE), FAILED))
    assert second.again_at == NOW + 2 * POLITENESS.backoff_first
    assert after(second, (planned(ONE), FAILED)) == SitemapRecord(2, NOW + READ_AGAIN)


def test_a_host_that_rests_costs_no_attempt() -> None:
    hour = timedelta(hours=1)
    assert after(BEGUN, (planned(ONE), resting(hour))) == SitemapRecord(2, NOW + hour, ((ONE, 1),))


def test_what_comes_first_is_waited_for_and_what_rests_outlives_what_failed() -> None:
    hour = timedelta(hours=1)
    missing = (planned(ONE), FAILED), (planned(TWO, 0), resting(hour))
    first = after(BEGUN, *missing)
    assert first.again_at == NOW + POLITENESS.backoff_first
    assert first.owed == ((ONE, 1), (TWO, 0))
    last = after(SitemapRecord(2, NOW, first.owed, MOST - 1), *missing)
    assert (last.owed, last.again_at) == (((TWO, 0),), NOW + hour)


@pytest.mark.parametrize(
    ("owed", "read"), [(((ONE, 1),), [ONE]), (None, [f"{ORIGIN}/sitemap.xml"]), ((), [])]
)
def test_only_what_is_owed_is_read_again(
    owed: tuple[tuple[Url, int], ...] | None, read: list[str]
) -> None:
    whole, _ = SitemapPlan.for_origin(ORIGIN, (), Sitemaps())
    plan = SitemapRecord(2, NOW, owed).rest_of(whole, ORIGIN)
    assert [each.url for each in plan.waiting] == read
    assert all(each.vouched == frozenset({"a.test"}) for each in plan.waiting)


def test_who_leaves_in_between_owes_the_others_and_then_what_failed() -> None:
    begun = BEGUN.so_far(5, [planned(TWO)], [(planned(ONE), FAILED)], NOW)
    assert begun == SitemapRecord(2, NOW, ((TWO, 1), (ONE, 1)), files=5)
    assert begun.so_far(1, [planned(ONE)], [], NOW).files == 6


def test_a_site_has_no_more_sitemaps_for_being_read_in_portions() -> None:
    whole, _ = SitemapPlan.for_origin(ORIGIN, (), Sitemaps(max_files=6))
    plan = SitemapRecord(2, NOW, ((ONE, 1),), files=4).rest_of(whole, ORIGIN)
    links = [SitemapLink(Url(f"{ORIGIN}/{number}")) for number in range(3)]
    plan, _ = plan.after(planned(ONE), links)
    assert len(plan.waiting) == 1


def test_a_record_of_an_older_folder_is_read() -> None:
    fact = b'{"depth": 2, "at": "2026-11-01T10:00:00+00:00"}'
    at = datetime(2026, 11, 1, 10, tzinfo=UTC)
    assert SitemapRecord.parse(fact) == SitemapRecord(2, at + READ_AGAIN)
