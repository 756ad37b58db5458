import gzip
from dataclasses import replace

from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import (
    LISTINGS,
    MARK,
    SITEMAP_JOBS,
    Listing,
    PageJob,
    SitemapJob,
    Targets,
)
from gossamer.reading.page_pool import JOBS, PAGES, WORKER
from gossamer.reading.page_worker import answer, list_sitemap
from gossamer.reading.pool.worker import load

JOB = PageJob("https://site.test/", b"<title>Hello</title><a href=/next>Next</a>", "text/html")


def test_a_worker_answers_with_all_that_the_page_says() -> None:
    extracted = PAGES.loads(answer(JOBS.dumps(JOB)))
    assert extracted == extract_page(JOB)
    assert [link.url for link in extracted.links] == ["https://site.test/next"]


def test_bare_links_are_addresses_alone() -> None:
    job = replace(JOB, bare_links=True)
    extracted = PAGES.loads(answer(JOBS.dumps(job)))
    assert extracted == extract_page(job)
    assert (extracted.links, extracted.targets) == ((), Targets(b"https://site.test/next"))


def test_the_pool_knows_it_by_name() -> None:
    assert load(WORKER) is answer


URL = "http://a.test/sitemap.xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def job(*urls: str, of: str = "url", within: str = "urlset") -> SitemapJob:
    entries = "".join(f"<{of}><loc>{url}</loc><priority>0.5</priority></{of}>" for url in urls)
    body = gzip.compress(f"<{within} {SPACE}>{entries}</{within}>".encode())
    return SitemapJob(URL, body, "gzip", vouched=("a.test",))


def listed(listing: Listing) -> list[str]:
    return [page.url for part in listing.parts(2) for page in part]


def test_a_worker_answers_with_what_counts_of_a_sitemap() -> None:
    sent = job("http://a.test/1", "http://b.test/", "http://a.test/2")
    listing = LISTINGS.loads(answer(MARK + SITEMAP_JOBS.dumps(sent)))
    assert listing == list_sitemap(sent)
    assert [page.priority for page in next(listing.parts(9))] == [0.5, 0.5]
    assert listed(listing) == ["http://a.test/1", "http://a.test/2"]
    assert ["1 entries ignored" in problem.message for problem in listing.problems] == [True]


def test_an_index_names_sitemaps() -> None:
    listing = list_sitemap(job("http://a.test/1", of="sitemap", within="sitemapindex"))
    assert (listed(listing), listing.links) == ([], ["http://a.test/1"])


def test_what_is_handed_back_has_a_bound() -> None:
    sent = job(*(f"http://a.test/{number}" for number in range(10)))
    bound = len("http://a.test/0\n") * 3 - 1
    listing = list_sitemap(sent, bound)
    assert len(listed(listing)) == 3
    assert listing.size == bound
    assert "bytes of addresses" in listing.problems[-1].message
