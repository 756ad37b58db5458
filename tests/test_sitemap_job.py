from datetime import UTC, datetime

import pytest

from gossamer.config import Sitemaps
from gossamer.extracted import PageJob
from gossamer.page_pool import JOBS
from gossamer.sitemap_job import (
    LISTINGS,
    MARK,
    MAX_LISTED_BYTES,
    SITEMAP_JOBS,
    ListedPage,
    Listing,
    SitemapJob,
)

URL = "http://a.test/"
TWO = Listing(b"http://a.test/1\nhttp://a.test/2", (None, 60), (0.5, None))


def test_jobs_and_listings_travel_unchanged() -> None:
    job = SitemapJob(URL, b"x", "gzip", ("a.test",), Sitemaps(max_entries=7))
    assert SITEMAP_JOBS.loads(SITEMAP_JOBS.dumps(job)) == job
    assert LISTINGS.loads(LISTINGS.dumps(TWO)) == TWO


def test_a_page_is_never_taken_for_a_sitemap() -> None:
    assert not JOBS.dumps(PageJob(URL, b"S" * 100)).startswith(MARK)


def test_pages_come_in_parts() -> None:
    first, second = TWO.parts(1)
    assert first == [ListedPage(first[0].url, None, 0.5)]
    assert second == [ListedPage(second[0].url, datetime(1970, 1, 1, 0, 1, tzinfo=UTC), None)]
    assert [page.url for page in (*first, *second)] == ["http://a.test/1", "http://a.test/2"]
    assert [*TWO.parts(5)] == [[*first, *second]]
    assert [*Listing().parts(5)] == []


def test_what_makes_no_sense_is_nothing() -> None:
    odd = Listing(TWO.pages, (10**30, -(10**15)), (float("nan"), 7.0))
    assert [(page.changed_at, page.priority) for page in next(odd.parts(2))] == [(None, None)] * 2


@pytest.mark.parametrize(
    "listing",
    [
        Listing(TWO.pages, (None,), (None, None)),
        Listing(TWO.pages, (None, None), ()),
        Listing(b"file:///etc/passwd", (None,), (None,)),
        Listing(sitemaps=b"javascript:x"),
        Listing(b"\n".join([b"http://a.test/"] * 4), (None,) * 4, (None,) * 4),
        Listing(sitemaps=b"http://a.test/" + b"x" * MAX_LISTED_BYTES),
    ],
)
def test_a_worker_that_was_taken_over_is_not_believed(listing: Listing) -> None:
    assert not listing.fits(Sitemaps(max_entries=3))
    assert TWO.fits(Sitemaps(max_entries=3))
