from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, crawled_site

from gossamer.config import Crawl
from gossamer.frontier.endings import EndKind
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.moments import now_utc

SEED = Url("http://a.test/")
LINK = '<a href="/next">next</a>'


def ended(found: Mapping[Url, object]) -> dict[str, object]:
    return {url: getattr(page, "ended", None) for url, page in found.items()}


def test_pages_are_asked_for_after_the_rules_and_once(tmp_path: Path) -> None:
    pages = {SEED: LINK, "http://a.test/next": '<a href="/">back</a>'}
    found, site = crawled_site(tmp_path, pages, [SEED])
    assert site.asked == ["http://a.test/robots.txt", SEED, "http://a.test/next"]
    assert ended(found.pages) == dict.fromkeys(pages, Ended.CONTENT)


def test_what_robots_txt_forbids_is_refused_and_not_asked_for(tmp_path: Path) -> None:
    rules = Sent("User-agent: *\nDisallow: /next")
    found, site = crawled_site(tmp_path, {SEED: LINK, "http://a.test/robots.txt": rules}, [SEED])
    assert site.pages_asked == [SEED]
    page = found.pages[Url("http://a.test/next")]
    assert page.ended is Ended.REFUSED
    assert (page.why or "").startswith("robots: ")


def test_a_host_whose_rules_cannot_be_had_is_asked_again_before_its_pages_are_refused(
    tmp_path: Path,
) -> None:
    asked = Counter[str]()

    def answer(url: str, _: object) -> Sent | None:
        asked[url] += 1
        if url.endswith("/robots.txt"):
            return Sent("", 503) if asked[url] == 1 else None
        return Sent("<p>") if url == SEED else None

    found, _ = crawled_site(tmp_path, answer, [SEED])
    assert ended(found.pages) == {SEED: Ended.CONTENT}
    assert asked == {"http://a.test/robots.txt": 2, SEED: 1}


def test_what_an_older_copy_forbids_is_refused_without_waiting_for_another(tmp_path: Path) -> None:
    asked = Counter[str]()

    def answer(url: str, _: object) -> Sent | None:
        asked[url] += 1
        if url.endswith("/robots.txt"):
            rules = "User-agent: *\nDisallow: /next"
            return Sent(rules) if asked[url] == 1 else Sent("", 503, {"Retry-After": "60"})
        return Sent(LINK) if url == SEED else None

    no_time = hurried(robots_max_age=timedelta(0), patience=timedelta(seconds=9))
    found, _ = crawled_site(tmp_path, answer, [SEED], no_time)
    page = found.pages[Url("http://a.test/next")]
    assert page.ended is Ended.REFUSED
    assert "This is the copy of" in (page.why or "")
    assert asked == {"http://a.test/robots.txt": 2, SEED: 1}


def test_a_failing_robots_txt_refuses_everything_after_the_last_attempt(tmp_path: Path) -> None:
    def answer(url: str, _: object) -> Sent | None:
        return Sent("", 503) if url.endswith("/robots.txt") else Sent("<p>")

    found, site = crawled_site(tmp_path, answer, [SEED])
    assert ended(found.pages) == {SEED: Ended.REFUSED}
    assert site.asked == ["http://a.test/robots.txt"] * Crawl().attempts


def test_rules_that_lead_to_a_host_that_rests_are_not_asked_for_before_it_may_be(
    tmp_path: Path,
) -> None:
    def answer(url: str, _: object) -> Sent | None:
        if url == "http://a.test/robots.txt":
            return Sent("", 301, {"Location": "http://b.test/robots.txt"})
        return Sent("", 429, {"Retry-After": "3600"}) if "b.test" in url else Sent("<p>")

    hasty = hurried(patience=timedelta(seconds=9))
    _, site = crawled_site(tmp_path, answer, ["http://b.test/"], hasty)
    assert site.asked == ["http://b.test/robots.txt"]
    found, site = crawled_site(tmp_path, answer, [SEED], hasty)
    assert site.asked == ["http://a.test/robots.txt"]
    assert found.ended.kind is EndKind.PARKED
    assert "a.test, b.test" in found.ended.why


@pytest.mark.parametrize("target", ["http://10.0.0.1/", "http://localhost/"])
def test_an_internal_address_is_refused_and_never_contacted(tmp_path: Path, target: str) -> None:
    found, site = crawled_site(tmp_path, {SEED: f'<a href="{target}">in</a>'}, [SEED])
    page = found.pages[Url(target)]
    assert page.ended is Ended.REFUSED
    assert (page.why or "").startswith("address: ")
    assert site.pages_asked == [SEED]


def test_a_host_that_asks_for_more_patience_than_we_have_is_left(tmp_path: Path) -> None:
    def answer(url: str, _: object) -> Sent | None:
        return Sent("", 503, {"Retry-After": "86400"}) if url == SEED else None

    found, site = crawled_site(tmp_path, answer, [SEED], hurried(patience=timedelta(seconds=9)))
    assert found.ended.kind is EndKind.PARKED
    assert site.pages_asked == [SEED]
    assert "a.test" in found.ended.why


def test_a_host_whose_rate_limit_is_used_up_is_left_after_a_good_answer(tmp_path: Path) -> None:
    def answer(url: str, _: object) -> Sent | None:
        if url == SEED:
            return Sent(LINK, headers={"RateLimit": '"day";r=0;t=86400'})
        return Sent("", 404) if url.endswith("/robots.txt") else Sent("<p>")

    found, site = crawled_site(tmp_path, answer, [SEED], hurried(patience=timedelta(seconds=9)))
    assert found.ended.kind is EndKind.PARKED
    assert site.pages_asked == [SEED]
    assert found.pages[Url(SEED)].ended is Ended.CONTENT


def test_a_page_in_a_coding_that_is_none_is_read_and_that_is_told(tmp_path: Path) -> None:
    coded = Sent(LINK, headers={"Content-Encoding": "utf-8"})
    rules = Sent("", 404, {"Content-Encoding": "gzip"})
    pages: Pages = {SEED: coded, "http://a.test/robots.txt": rules, "http://a.test/next": "<p>"}
    found, _ = crawled_site(tmp_path, pages, [SEED])
    assert ended(found.pages) == {SEED: Ended.CONTENT, "http://a.test/next": Ended.CONTENT}
    assert found.pages[SEED].problems == 1


def test_validators_of_an_earlier_visit_are_sent_along(tmp_path: Path) -> None:
    seen: list[str | None] = []

    def answer(url: str, headers: Mapping[str, str]) -> Sent | None:
        if url != SEED:
            return None
        seen.append(headers.get("if-none-match"))
        asked = headers.get("if-none-match") == '"1"'
        return Sent("", 304) if asked else Sent("<title>One</title>", headers={"ETag": '"1"'})

    first, _ = crawled_site(tmp_path, answer, [SEED])
    with closing(SqliteStore(tmp_path / "frontier.db")) as store:
        assert SqlFrontier(store, "test", hurried().politeness).refetch(now_utc()) == 1
    second, _ = crawled_site(tmp_path, answer)
    assert seen == [None, '"1"']
    assert second.pages[SEED].settled_at > first.pages[SEED].settled_at  # type: ignore[operator] # both are
    assert first.summary.quads
    assert second.summary.quads == first.summary.quads
