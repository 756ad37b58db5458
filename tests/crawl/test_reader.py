import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawl.cases import PAGE, answered
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site, on_site

from gossamer.config import Crawl, Transform
from gossamer.crawl import reader
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.reader import MOST, is_well_known
from gossamer.frontier.protocol import Ended
from gossamer.model import BodyState, Fetched, Url
from gossamer.values import Addresses


def read(folder: Path, *answers: Fetched) -> list[object]:
    async def work(running: CrawlHandle, site: Site) -> list[object]:
        return [await running.crawl.reader.read(each) for each in answers]

    return on_site(folder, {}, work)


def test_an_answer_is_read_with_what_its_headers_say(tmp_path: Path) -> None:
    turtle = answered(body=b"<> a <http://n.test/T> .", content_type="text/turtle")
    (said,) = read(tmp_path, turtle)
    assert getattr(said, "nquads", b"").decode().startswith(f"<{PAGE}> ")


@pytest.mark.parametrize("state", [BodyState.TRUNCATED, BodyState.SKIPPED])
def test_nothing_but_a_whole_answer_or_a_first_part_is_read(
    tmp_path: Path, state: BodyState
) -> None:
    assert read(tmp_path, answered(state=state)) == [None]


def test_nothing_but_content_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, *(answered(status) for status in (304, 404, 500, 301))) == [None] * 4


def test_a_page_whose_service_stays_absent_is_tried_again_and_kept_with_a_problem(
    tmp_path: Path,
) -> None:
    """The crawl ends, its pages are there, and asked for in whole the next time."""
    at_once = timedelta(0)
    config = hurried(patience=at_once, backoff_first=at_once, crawl=Crawl(workers=1, attempts=2))
    services = {"application/pdf": Addresses("http://127.0.0.1:1/ http://127.0.0.1:2/")}
    config = replace(config, transform=Transform(services=services))
    url = "http://a.test/1.pdf"
    headers = {"Content-Type": "application/pdf", "ETag": '"1"'}
    found, site = crawled_site(tmp_path, {url: Sent("%PDF-1.7", headers=headers)}, [url], config)
    kept = found.pages[Url(url)]
    assert (kept.ended, kept.problems, kept.etag) == (Ended.CONTENT, 1, None)
    assert site.asked.count(url) == 2
    assert b"The service http://127.0.0.1:1/ could not be asked" in found.nquads


CONTEXT = "http://c.test/context"
JSON = {"Content-Type": "application/ld+json"}
NAMES = Sent('{"@context": {"name": "http://n.test/name"}}', headers=JSON)
SEED = "http://a.test/"


def page(context: str = CONTEXT) -> Sent:
    return Sent(f'{{"@context": "{context}", "@id": "{SEED}", "name": "A"}}', headers=JSON)


async def got(running: CrawlHandle, site: Site) -> dict[str, bytes]:
    return (await running.crawl.reader.contexts.get([CONTEXT], SEED)).bodies


def test_a_context_that_a_page_names_is_fetched_for_it(tmp_path: Path) -> None:
    found, site = crawled_site(tmp_path, {SEED: page(), CONTEXT: NAMES}, [SEED])
    assert b"<http://n.test/name>" in found.nquads
    assert set(found.pages) == {SEED}
    assert "http://c.test/robots.txt" in site.asked


def test_a_page_is_held_no_longer_than_that_and_then_settled_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "HOLD", timedelta(0))
    found, _ = crawled_site(tmp_path, {SEED: page(), CONTEXT: NAMES}, [SEED])
    assert set(found.pages) == {SEED}
    assert b"<http://n.test/name>" not in found.nquads


@pytest.mark.parametrize("context", [{}, {CONTEXT: NAMES}])
def test_what_says_too_much_to_be_kept_meanwhile_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, context: Pages
) -> None:
    monkeypatch.setattr(reader, "MOST_BYTES_WAITING", 0)
    named = f'<title>A</title><script type="application/ld+json">{page().body!s}</script>'
    found, _ = crawled_site(tmp_path, {SEED: named, **context}, [SEED])
    assert b'"A"' in found.nquads
    assert (b"<http://n.test/name>" in found.nquads) == bool(context)


def test_many_who_want_it_share_one_request(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, site: Site) -> list[str]:
        many = [running.crawl.reader.contexts.get([CONTEXT], SEED) for _ in range(20)]
        answers = await asyncio.gather(*many)
        assert all(answer.bodies == {CONTEXT: NAMES.body.encode()} for answer in answers)  # type: ignore[union-attr] # a str
        return site.pages_asked

    assert on_site(tmp_path, {CONTEXT: NAMES}, work) == [CONTEXT]


def test_it_is_kept_for_later_runs(tmp_path: Path) -> None:
    assert on_site(tmp_path, {CONTEXT: NAMES}, got)
    assert on_site(tmp_path, {}, got)


def test_redirects_are_followed(tmp_path: Path) -> None:
    moved = Sent("", 302, {"Location": "http://d.test/real"})
    assert on_site(tmp_path, {CONTEXT: moved, "http://d.test/real": NAMES}, got)


def test_what_robots_txt_forbids_is_not_fetched_for_a_page_either(tmp_path: Path) -> None:
    rules = Sent("User-agent: *\nDisallow: /")
    pages = {SEED: page(), CONTEXT: NAMES, "http://c.test/robots.txt": rules}
    found, site = crawled_site(tmp_path, pages, [SEED])
    assert CONTEXT not in site.asked
    assert found.pages[SEED].problems  # type: ignore[index] # a URL


def test_one_that_cannot_be_had_is_not_asked_for_again_at_once(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, site: Site) -> list[str]:
        assert await got(running, site) == {}
        assert await got(running, site) == {}
        return site.pages_asked

    assert on_site(tmp_path, {}, work) == [CONTEXT]


def test_a_page_has_no_more_than_a_few_dozen_of_them(tmp_path: Path) -> None:
    names = [f"http://c.test/{number:03}" for number in range(MOST + 8)]
    blocks = "".join(
        f'<script type="application/ld+json">{page(name).body!s}</script>' for name in names
    )
    pages: Pages = {SEED: blocks, **dict.fromkeys(names, NAMES)}
    found, site = crawled_site(tmp_path, pages, [SEED])
    assert set(site.pages_asked) == {SEED, *names[:MOST]}
    assert found.pages[Url(SEED)].problems == 8 + 1
    assert b"<http://n.test/name>" in found.nquads


def test_a_page_has_no_more_than_some_bytes_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MOST_BYTES", 2 * len(NAMES.body) + 1)
    names = [f"http://c.test/{number}" for number in range(3)]

    async def work(running: CrawlHandle, site: Site) -> list[list[str]]:
        get = running.crawl.reader.contexts.get
        return [sorted((await get(some, SEED)).bodies) for some in (names, names[1:])]

    assert on_site(tmp_path, dict.fromkeys(names, NAMES), work) == [names[:2], names[1:]]


def test_one_at_an_internal_address_is_never_asked_for(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, site: Site) -> list[str]:
        found = await running.crawl.reader.contexts.get(["http://10.1.2.3/context"], SEED)
        assert found.bodies == {}
        return site.asked

    assert on_site(tmp_path, {}, work) == []


@pytest.mark.parametrize(
    "address",
    [
        "https://schema.org",
        "http://schema.org/docs/jsonldcontext.jsonld",
        "https://www.w3.org/ns/activitystreams",
        "http://www.w3.org/ns/activitystreams#",
        "https://w3id.org/security/v1",
        "http://xmlns.com/foaf/0.1/",
        "http://purl.org/dc/terms/",
    ],
)
def test_what_everybody_uses_is_well_known_however_it_is_written(address: str) -> None:
    assert is_well_known(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://w3id.org/made-up",
        "https://w3id.org/security/v1?x=1",
        "https://www.w3.org/ns/made-up",
        "https://schema.org.example.test/",
        "https://example.test/https://www.w3.org/ns/ldp",
    ],
)
def test_other_addresses_of_the_same_hosts_are_not(address: str) -> None:
    assert not is_well_known(address)
