"""Consent, applied: what is not fetched, what is not kept, and why."""

from dataclasses import replace
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, crawled_site
from tests.crawl.test_usage_rights import found

from gossamer.config import Consent
from gossamer.model import Url

NO_SEARCH = {"Content-Usage": "search=n"}
SITE: Pages = {
    "http://a.test/robots.txt": Sent(
        "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: /closed/ search=n\n"
    ),
    "http://a.test/": Sent(
        '<title>seed</title><a href="/closed/1">1</a><a href="/header">2</a>'
        '<a href="/meta">3</a><a href="/open">4</a>'
    ),
    "http://a.test/closed/1": "<title>closed</title>",
    "http://a.test/header": Sent(
        '<title>header</title><a href="/behind">on</a>', headers={"Content-Usage": "search=n"}
    ),
    "http://a.test/behind": "<title>behind</title>",
    "http://a.test/meta": '<title>meta</title><meta name="content-signal" content="search=no">',
    "http://a.test/open": '<title>open</title><meta name="robots" content="noai">',
}
TITLES = "SELECT ?title { ?page <http://purl.org/dc/terms/title> ?title }"


def titles_for(folder: Path, *purposes: str) -> tuple[set[str], set[str], Path]:
    """What is kept of the site by a crawl for some purposes, what was asked for, and its folder."""
    config = replace(hurried(), consent=Consent(purposes=purposes))
    crawled, site = crawled_site(folder, SITE, ["http://a.test/"], config)
    asked = {url.removeprefix("http://a.test/") for url in site.asked}
    return {title for (title,) in found(crawled, TITLES)}, asked, folder


def test_a_crawl_for_search_keeps_what_may_be_found(tmp_path: Path) -> None:
    kept, asked, _ = titles_for(tmp_path, "search")
    assert kept == {"seed", "open", "behind"}  # links of a page that is not kept are followed
    assert "closed/1" not in asked
    assert {"header", "meta", "open", "behind"} <= asked


def test_a_crawl_to_train_ai_keeps_nothing_of_a_site_that_says_no(tmp_path: Path) -> None:
    kept, asked, _ = titles_for(tmp_path, "train-ai")
    assert kept == set()
    assert asked == {"robots.txt"}


def test_a_page_is_kept_if_one_of_our_purposes_is_not_disallowed(tmp_path: Path) -> None:
    kept, asked, _ = titles_for(tmp_path, "train-ai", "search")
    assert kept == {"seed", "open", "behind"}
    assert "closed/1" not in asked


def test_what_is_disallowed_is_a_statement_about_the_page(tmp_path: Path) -> None:
    config = replace(hurried(), consent=Consent(purposes=("search",)))
    crawled, _ = crawled_site(tmp_path, SITE, ["http://a.test/"], config)
    query = "SELECT ?purpose { <http://a.test/open> g:disallows ?purpose }"
    assert found(crawled, query) == [("ai-index",), ("ai-input",), ("train-ai",)]
    query = "SELECT ?signal { ?page g:usage [ g:source 'meta' ; g:robotsTag ?signal ] }"
    assert found(crawled, query) == [("noai",)]
    query = "SELECT DISTINCT ?signal { ?page g:usage [ g:contentSignal ?signal ] }"
    assert ("ai-train=no",) in found(crawled, query)


RSL = '<rsl xmlns="https://rslstandard.org/rsl"><content url="/">{}</content></rsl>'
LICENSED = "License: http://licences.test/a.xml\n\nUser-agent: *\nDisallow: /private\n"


def licensed(licence: str, status: int = 200) -> Pages:
    return {
        "http://a.test/robots.txt": LICENSED,
        "http://a.test/": '<title>seed</title><a href="/2">2</a><a href="/3">3</a>',
        "http://a.test/2": "<title>two</title>",
        "http://a.test/3": "<title>three</title>",
        "http://licences.test/a.xml": Sent(RSL.format(licence), status),
    }


def test_a_licence_is_asked_for_once_and_kept_to(tmp_path: Path) -> None:
    free = '<license><permits type="usage">search</permits></license>'
    for purpose, kept in (("search", {"seed", "two", "three"}), ("train-ai", set())):
        config = replace(hurried(), consent=Consent(purposes=(purpose,)))
        folder = tmp_path / purpose
        crawled, site = crawled_site(folder, licensed(free), ["http://a.test/"], config)
        assert {title for (title,) in found(crawled, TITLES)} == kept
        assert site.asked.count("http://licences.test/a.xml") == 1


def test_where_payment_is_demanded_nothing_is_fetched_and_why_is_told(tmp_path: Path) -> None:
    paid = '<license><payment type="crawl"/></license>'
    crawled, site = crawled_site(tmp_path, licensed(paid), ["http://a.test/"], hurried())
    assert "http://a.test/" not in site.asked
    page = crawled.pages[Url("http://a.test/")]
    assert page.why is not None
    assert "Payment is demanded (crawl)." in page.why


def test_a_licence_that_cannot_be_had_says_nothing(tmp_path: Path) -> None:
    crawled, _ = crawled_site(tmp_path, licensed("", 404), ["http://a.test/"], hurried())
    assert {title for (title,) in found(crawled, TITLES)} == {"seed", "two", "three"}
