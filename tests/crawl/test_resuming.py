"""A crawl goes on: with its options, with more seeds, with another scope or depth, or anew."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.crawl.crawls import PATIENCE, Crawled, hurried, left_behind, opened
from tests.crawl.sites import Sent, Site, crawled_site, on_site

from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle
from gossamer.folder.data import DataFolder
from gossamer.frontier.endings import EndKind
from gossamer.frontier.protocol import Ended
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.moments import now_utc


def html(*links: str, name: str = "") -> str:
    anchors = "".join(f"<a href='{link}'>.</a>" for link in links)
    said = f"<p vocab='http://schema.org/' typeof='Thing'><b property='name'>{name}</b></p>"
    return f"<title>t</title>{anchors}{said if name else ''}"


def configured(**scope_or_crawl: Any) -> Config:
    config = hurried()
    scope = {"kind": "host", **scope_or_crawl.pop("scope", {})}
    crawl = replace(config.crawl, **scope_or_crawl)
    return replace(config, scope=replace(config.scope, **scope), crawl=crawl)


A, B, C = "http://a.site.test/", "http://b.site.test/", "http://c.other.test/"
THREE = {
    A: html(A + "1", B, C),
    A + "1": html(A + "2"),
    A + "2": html(A + "3"),
    A + "3": html(),
    B: html(B + "1"),
    B + "1": html(C + "1"),
    C: html(C + "1"),
    C + "1": html(),
}


def run(
    folder: Path, config: Config, *seeds: str, pages: Mapping[str, Any] = THREE
) -> tuple[Crawled, list[str]]:
    found, site = crawled_site(folder, pages, seeds, config)
    return found, site.pages_asked


def test_a_wider_scope_goes_on_from_what_is_known(tmp_path: Path) -> None:
    _, asked = run(tmp_path, configured(), A)
    assert sorted(asked) == [A, A + "1", A + "2", A + "3"]
    found, asked = run(tmp_path, configured(scope={"kind": "site"}))
    assert sorted(asked) == [B, B + "1"]
    assert found.summary.refused == 2  # both of C
    found, asked = run(tmp_path, configured(scope={"kind": "any"}))
    assert sorted(asked) == [C, C + "1"]
    assert found.summary.pages == len(THREE)
    assert found.summary.refused == 0


def test_a_narrower_scope_puts_aside_what_a_wider_one_takes_up_again(tmp_path: Path) -> None:
    _, asked = run(tmp_path, configured(scope={"kind": "any"}, max_pages=1), A)
    assert asked == [A]
    _, asked = run(tmp_path, configured())
    assert sorted(asked) == [A + "1", A + "2", A + "3"]
    _, asked = run(tmp_path, configured(scope={"kind": "any"}))
    assert sorted(asked) == [B, B + "1", C, C + "1"]


def test_expressions_can_be_changed_between_runs(tmp_path: Path) -> None:
    _, asked = run(tmp_path, configured(scope={"exclude": ("/2$",)}), A)
    assert sorted(asked) == [A, A + "1"]
    _, asked = run(tmp_path, configured())
    assert sorted(asked) == [A + "2", A + "3"]


def test_a_greater_depth_goes_on_from_what_is_known(tmp_path: Path) -> None:
    _, asked = run(tmp_path, configured(depth=1), A)
    assert sorted(asked) == [A, A + "1"]
    _, asked = run(tmp_path, configured(depth=0))
    assert asked == []
    _, asked = run(tmp_path, configured(depth=2))
    assert asked == [A + "2"]


def test_new_seeds_add_to_the_crawl_and_to_its_scope(tmp_path: Path) -> None:
    run(tmp_path, configured(depth=1), A)
    found, asked = run(tmp_path, configured(depth=1), A + "3", C + "1")
    assert sorted(asked) == [A + "3", C, C + "1"]  # A leads to C, which is in scope now
    assert found.pages[A + "3"].depth == 0  # type: ignore[index] # a canonical URL


def test_where_a_seed_redirects_is_in_scope_whoever_linked_there_before(tmp_path: Path) -> None:
    www = "http://www.far.test/"
    slow = iter(range(3))

    def answer(url: str, _: Mapping[str, str]) -> Sent | None:
        if url == "http://far.test/" and next(slow) < 1:
            return Sent(status=503)  # so that A is read long before it
        pages: dict[str, Sent] = {
            A: Sent(html(www + "1")),
            "http://far.test/": Sent(status=301, headers={"Location": www}),
            www: Sent(html()),
            www + "1": Sent(html()),
        }
        return pages.get(url)

    found, site = crawled_site(tmp_path, answer, [A, "http://far.test/"], configured())
    assert www + "1" in site.pages_asked
    assert found.summary.refused == 0


def test_the_summary_is_of_all_runs(tmp_path: Path) -> None:
    broken = "<script type='application/ld+json'>{</script>"
    pages = {A: broken + html(A + "1", name="one"), A + "1": broken + html(name="two")}
    first, _ = run(tmp_path, configured(max_pages=1), A, pages=pages)
    both, _ = run(tmp_path, configured(), pages=pages)
    assert first.summary.problems > 0
    assert both.summary.problems == 2 * first.summary.problems
    assert first.summary.quads is not None
    assert both.summary.quads == 2 * first.summary.quads


def test_page_limits_count_all_runs_and_time_limits_this_one(tmp_path: Path) -> None:
    found, _ = run(tmp_path, configured(max_pages=2), A)
    assert (found.ended.kind, found.summary.pages) == (EndKind.PAGES, 2)
    limits = {"max_pages": 3, "max_time": timedelta(minutes=1)}
    found, asked = run(tmp_path, configured(**limits))
    assert (found.ended.kind, len(asked)) == (EndKind.PAGES, 1)


# ---- again


MOMENT = timedelta(milliseconds=10)


def again(
    folder: Path, answer: Any, age: timedelta = timedelta(0), config: Config | None = None
) -> tuple[Crawled, Site, int]:
    async def work(running: CrawlHandle, site: Site) -> tuple[Crawled, Site, int]:
        count = await running.frontier_thread.do(running.frontier.refetch, now_utc() - age)
        ended = await running.crawl.run()
        return await left_behind(running, ended, []), site, count

    return on_site(folder, answer, work, config=config or configured())


def about_content(found: Crawled, page: str = "") -> list[bytes]:
    """What PAGE#fetch says of what pages hold, of all of them or of one."""
    words = (
        b"<urn:gossamer:syntax>",
        b"<urn:gossamer:quads>",
        b"<http://purl.org/dc/terms/format>",
    )
    lines = found.nquads.splitlines()
    of = f"<{page}#fetch> .".encode() if page else b""
    return sorted(line for line in lines if of in line and any(word in line for word in words))


def with_etags(pages: Mapping[str, str], requests: list[Mapping[str, str]]) -> Any:
    """Pages with validators, which are answered with 304 where they fit."""

    def answer(url: str, headers: Mapping[str, str]) -> Sent | None:
        if url not in pages:
            return None
        etag = f'"{hash(pages[url])}"'
        requests.append(headers)
        if headers.get("if-none-match") == etag:
            return Sent(status=304, headers={"ETag": etag})
        return Sent(pages[url], headers={"ETag": etag})

    return answer


def test_pages_that_did_not_change_keep_their_graph_links_and_place(tmp_path: Path) -> None:
    pages = {A: html(A + "1", name="first"), A + "1": html(name="second")}
    before, _ = crawled_site(tmp_path, with_etags(pages, []), [A], configured())
    requests: list[Mapping[str, str]] = []
    after, site, count = again(tmp_path, with_etags(pages, requests))
    assert count == 2
    assert sorted(site.pages_asked) == [A, A + "1"]
    assert all("if-none-match" in each for each in requests)
    assert after.summary.pages == 2
    assert after.summary.quads == before.summary.quads
    for url, page in before.pages.items():
        assert after.pages[url].archived == page.archived is not None
        assert after.pages[url].quads == page.quads
        assert after.pages[url].settled_at > page.settled_at  # type: ignore[operator] # both are
    assert about_content(after) == about_content(before) != []


def test_a_limit_on_pages_has_the_same_pages_asked_for_again(tmp_path: Path) -> None:
    urls = [f"{A}{number}" for number in range(6)]
    pages = {A: html(*urls, name="front"), **{url: html(name="old") for url in urls}}
    config = configured(max_pages=3)
    before, first = crawled_site(tmp_path, with_etags(pages, []), [A], config)
    changed = {url: page.replace("old", "new") for url, page in pages.items()}
    after, second, _ = again(tmp_path, with_etags(changed, []), config=config)
    assert sorted(second.pages_asked) == sorted(first.pages_asked)
    assert (before.summary.pages, after.summary.pages) == (3, 3)
    assert after.ended.kind is EndKind.PAGES
    assert (after.nquads.count(b'"old"'), after.nquads.count(b'"new"')) == (0, 2)


def test_pages_that_were_not_asked_again_in_time_count_as_before(tmp_path: Path) -> None:
    pages = {A: html(A + "1"), A + "1": html()}
    before, _ = crawled_site(tmp_path, with_etags(pages, []), [A], configured())
    config = configured(max_time=timedelta(0))
    after, site, count = again(tmp_path, with_etags(pages, []), config=config)
    assert (count, site.pages_asked) == (2, [])
    assert after.summary.pages == before.summary.pages == 2


def test_changed_pages_replace_their_graph_and_gone_ones_lose_it(tmp_path: Path) -> None:
    pages = {A: html(A + "1", A + "2", name="old"), A + "1": html(name="gone"), A + "2": html()}
    crawled_site(tmp_path, with_etags(pages, []), [A], configured())
    changed = {A: html(A + "3", name="new"), A + "2": pages[A + "2"], A + "3": html(name="more")}
    after, site, _ = again(tmp_path, with_etags(changed, []))
    assert sorted(site.pages_asked) == [A, A + "1", A + "2", A + "3"]
    for said, expected in {b"old": 0, b"gone": 0, b"new": 1, b"more": 1}.items():
        assert after.nquads.count(b'"' + said + b'"') == expected
    assert after.counts.ended == {Ended.CONTENT: 3, Ended.FAILED: 1}
    assert after.pages[A + "1"].status == 404  # type: ignore[index] # a canonical URL


KEPT = ("etag", "last_modified", "digest", "media_type", "quads", "problems", "archived")


def kept(found: Crawled) -> list[object]:
    """All that an earlier visit brought, of the first page."""
    return [getattr(found.pages[Url(A)], name) for name in KEPT]


def test_a_page_that_fails_for_the_moment_keeps_its_graph_and_all_else(tmp_path: Path) -> None:
    pages = {A: html(A + "1", name="kept"), A + "1": html()}
    before, _ = crawled_site(tmp_path, with_etags(pages, []), [A], configured())
    failing, _, _ = again(tmp_path, lambda url, _: Sent(status=500) if url == A else None)
    page = failing.pages[Url(A)]
    assert failing.nquads.count(b'"kept"') == 1
    assert failing.counts.ended == {Ended.FAILED: 2}
    assert (page.ended, page.status) == (Ended.FAILED, 500)
    assert kept(failing) == kept(before)
    assert about_content(failing, A) == about_content(before, A) != []
    requests: list[Mapping[str, str]] = []
    after, _, _ = again(tmp_path, with_etags(pages, requests))
    page = after.pages[Url(A)]
    assert "if-none-match" in requests[0]
    assert (page.ended, page.status, page.why) == (Ended.CONTENT, 304, None)
    assert kept(after) == kept(before)
    assert after.nquads.count(b'"kept"') == 1
    assert after.summary.quads == before.summary.quads


def test_what_a_page_led_to_before_it_failed_is_taken_up_by_a_wider_scope(tmp_path: Path) -> None:
    pages = {A: html(B), B: html()}
    run(tmp_path, configured(), A, pages=pages)
    failing, _, _ = again(tmp_path, lambda url, _: Sent(status=500) if url == A else None)
    assert failing.counts.ended == {Ended.FAILED: 1}
    _, asked = run(tmp_path, configured(scope={"kind": "any"}), pages=pages)
    assert asked == [B]


def test_a_304_about_another_state_of_a_page_has_it_asked_for_without_conditions(
    tmp_path: Path,
) -> None:
    crawled_site(tmp_path, with_etags({A: html(name="old")}, []), [A], configured())
    conditions: list[str | None] = []

    def confused(url: str, headers: Mapping[str, str]) -> Sent | None:
        if url != A:
            return None
        conditions.append(headers.get("if-none-match"))
        if conditions[-1] is not None:
            return Sent(status=304, headers={"ETag": '"new"'})
        return Sent(html(name="new"), headers={"ETag": '"new"'})

    after, _, _ = again(tmp_path, confused)
    assert len(conditions) == 2
    assert conditions[1] is None
    page = after.pages[Url(A)]
    assert (page.ended, page.status, page.why, page.etag) == (Ended.CONTENT, 200, None, '"new"')
    assert (after.nquads.count(b'"old"'), after.nquads.count(b'"new"')) == (0, 1)


def test_a_page_that_is_not_to_be_indexed_any_more_loses_its_graph_though_it_did_not_change(
    tmp_path: Path,
) -> None:
    pages = {A: html(A + "1", name="private"), A + "1": html(name="public")}
    crawled_site(tmp_path, with_etags(pages, []), [A], configured())
    requests: list[Mapping[str, str]] = []
    unchanged = with_etags(pages, requests)

    def forbidding(url: str, headers: Mapping[str, str]) -> Sent | None:
        sent = unchanged(url, headers)
        if url == A:
            sent = replace(sent, headers={**sent.headers, "X-Robots-Tag": "noindex, noarchive"})
        return sent  # type: ignore[no-any-return] # of whatever kind `with_etags` returns

    after, site, _ = again(tmp_path, forbidding)
    assert sorted(site.pages_asked) == [A, A, A + "1"]
    assert (after.nquads.count(b'"private"'), after.nquads.count(b'"public"')) == (0, 1)
    page = after.pages[Url(A)]
    assert (page.ended, page.status, page.quads, page.archived) == (Ended.CONTENT, 200, 0, None)
    _, site, _ = again(tmp_path, forbidding)
    assert sorted(site.pages_asked) == [A, A + "1"]  # without conditions, so once is enough
    allowed, _, _ = again(tmp_path, with_etags(pages, []))
    assert allowed.nquads.count(b'"private"') == 1


def test_a_page_that_our_limits_keep_from_being_read_is_no_content(tmp_path: Path) -> None:
    small = html(name="kept")
    config = configured()
    no_time = replace(config, transform=replace(config.transform, time_limit=MOMENT))
    crawled_site(tmp_path, with_etags({A: small}, []), [A], config)
    huge = {A: html(name="changed") + "<p>x" * 500_000}
    lost, _, _ = again(tmp_path, with_etags(huge, []), config=no_time)
    page = lost.pages[Url(A)]
    assert (page.ended, (page.why or "").partition(":")[0]) == (Ended.FAILED, "unreadable")
    assert lost.nquads.count(b'"kept"') == 1
    requests: list[Mapping[str, str]] = []
    after, _, _ = again(tmp_path, with_etags(huge, requests))
    assert requests[0].get("if-none-match") == page.etag
    assert after.pages[Url(A)].ended is Ended.CONTENT
    assert after.pages[Url(A)].status == 200
    assert (after.nquads.count(b'"kept"'), after.nquads.count(b'"changed"')) == (0, 1)


def forget_the_rules(folder: Path) -> None:
    """As if a day had passed since robots.txt was read."""
    with closing(SqliteStore(DataFolder(folder).frontier_file)) as store:
        store.transact(lambda txn: txn.rows("UPDATE robots SET ask_at = answered_at"))


def test_a_site_whose_rules_cannot_be_had_keeps_what_its_pages_had(tmp_path: Path) -> None:
    pages = {A: html(A + "1", name="kept"), A + "1": html()}
    before, _ = crawled_site(tmp_path, with_etags(pages, []), [A], configured())
    forget_the_rules(tmp_path)
    away, site, _ = again(tmp_path, lambda *_: Sent(status=503))
    assert site.pages_asked == []
    assert away.counts.ended == {Ended.REFUSED: 2}
    assert away.nquads.count(b'"kept"') == 1
    assert kept(away) == kept(before)
    forget_the_rules(tmp_path)
    back, site, _ = again(tmp_path, with_etags(pages, []))
    assert back.counts.ended == {Ended.CONTENT: 2}
    assert (back.pages[Url(A)].status, back.pages[Url(A)].why) == (304, None)
    assert kept(back) == kept(before)
    assert back.summary.quads == before.summary.quads


def test_a_site_that_forbids_its_pages_has_them_removed(tmp_path: Path) -> None:
    crawled_site(tmp_path, with_etags({A: html(name="gone")}, []), [A], configured())
    forget_the_rules(tmp_path)
    rules = Sent("User-agent: *\nDisallow: /")
    after, _, _ = again(tmp_path, {A + "robots.txt": rules})
    assert after.counts.ended == {Ended.REFUSED: 1}
    assert after.nquads.count(b'"gone"') == 0
    assert (after.pages[Url(A)].etag, after.pages[Url(A)].archived) == (None, None)


def test_a_name_that_may_not_be_asked_for_the_moment_keeps_what_its_pages_had(
    tmp_path: Path,
) -> None:
    before, _ = crawled_site(tmp_path, with_etags({A: html(name="kept")}, []), [A], configured())

    async def without_an_address() -> Crawled:
        async with opened(tmp_path, configured()) as running, asyncio.timeout(PATIENCE):
            await running.frontier_thread.do(running.frontier.refetch, now_utc())
            return await left_behind(running, await running.crawl.run(), [])

    after = asyncio.run(without_an_address())
    page = after.pages[Url(A)]
    assert (page.ended, (page.why or "").partition(":")[0]) == (Ended.REFUSED, "address")
    assert after.nquads.count(b'"kept"') == 1
    assert kept(after) == kept(before)


def test_only_pages_of_some_age_are_asked_for_again(tmp_path: Path) -> None:
    crawled_site(tmp_path, {A: html()}, [A], configured())
    _, site, count = again(tmp_path, {A: html()}, timedelta(days=7))
    assert (count, site.pages_asked) == (0, [])


def test_asking_again_goes_on_after_it_was_stopped(tmp_path: Path) -> None:
    crawled_site(tmp_path, THREE, [A], configured())

    async def stopped_at_once(running: CrawlHandle, _: Site) -> int:
        count = await running.frontier_thread.do(running.frontier.refetch, now_utc())
        running.crawl.stop()
        await running.crawl.run()
        return count

    assert on_site(tmp_path, THREE, stopped_at_once, config=configured()) == 4
    found, asked = run(tmp_path, configured())
    assert len(asked) == 4
    assert found.summary.pages == 4
