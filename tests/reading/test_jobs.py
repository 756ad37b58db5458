from datetime import UTC, datetime

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Sitemaps
from gossamer.model import Detection, Evidence, Link, Refusal, Syntax, Url
from gossamer.reading.jobs import (
    LISTINGS,
    MARK,
    MAX_LISTED_BYTES,
    NOWHERE,
    SITEMAP_JOBS,
    Extracted,
    ListedPage,
    Listing,
    PageJob,
    SitemapJob,
    Targets,
)
from gossamer.reading.page_pool import JOBS
from gossamer.urls import canonical

HTML = Detection(
    media_type="text/html",
    evidence=(Evidence(Syntax.RDFA, "typeof"),),
    encoding="utf-8",
    encoding_why="declared",
)


def test_quads_are_read_from_the_bytes() -> None:
    page = ox.NamedNode("https://site.test/")
    quad = ox.Quad(page, ox.NamedNode("https://site.test/p"), ox.Literal("x"), page)
    extracted = Extracted(page.value, HTML, f"{quad} .\n".encode(), 1)
    assert list(extracted.quads) == [quad]
    assert extracted.syntaxes == (Syntax.RDFA,)


def test_jobs_do_not_share_their_contexts() -> None:
    one, two = PageJob("https://site.test/1", b""), PageJob("https://site.test/2", b"")
    assert one.contexts == two.contexts == {}
    assert one.contexts is not two.contexts


BASE = Url("https://user.site.test:8443/a/b?c")
REFERENCES = st.one_of(
    st.text(),
    st.text().map("http://".__add__),
    st.sampled_from(["//[::1]/é", "http://ü.test/ü?ü#ü", "http://a:b@c.test/@?@", '?{|}^`"', "'"]),
)


@given(st.lists(st.builds(Link, REFERENCES.map(Url), nofollow=st.booleans())))
def test_targets_are_the_addresses_of_links_in_their_order(links: list[Link]) -> None:
    found = [(canonical(link.url, BASE), link.nofollow) for link in links]
    known = [Link(url, nofollow=no) for url, no in found if not isinstance(url, Refusal)]
    targets = Targets.of(known)
    assert targets.are_addresses
    vouched = [link.url for link in known if not link.nofollow]
    assert targets.urls == (vouched, [link.url for link in known if link.nofollow])


def test_a_page_that_leads_nowhere_has_no_targets() -> None:
    assert Targets.of(()) == NOWHERE
    assert NOWHERE.are_addresses
    assert NOWHERE.urls == ([], [])


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "http://",
        "http://a.test",
        "http:///x",
        "ftp://a.test/",
        "http://a.test/#x",
        "http://a@b.test/",
        "http://a.test/x y",
        "http://a.test/é",
        "http://a.test/\r",
        "http://a.test/\n",
        "\nhttp://a.test/",
        "http://a.test?/",
    ],
)
def test_a_line_that_is_no_canonical_url_is_found_out(line: str) -> None:
    assert not Targets(f"http://a.test/\n{line}\nhttp://a.test/".encode()).are_addresses
    assert not Targets(unvouched=line.encode()).are_addresses


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
