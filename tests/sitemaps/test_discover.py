from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Sitemaps
from gossamer.model import Problem, Url
from gossamer.sitemaps.discover import (
    MAX_DEPTH,
    PlannedSitemap,
    SitemapPlan,
    sitemap_candidates,
)
from gossamer.sitemaps.values import SitemapLink

ORIGIN = "https://a.test"
HOME = frozenset({"a.test"})


def link(name: object) -> SitemapLink:
    return SitemapLink(Url(f"https://a.test/{name}.xml"))


def test_what_robots_txt_names_comes_first_and_once() -> None:
    named = ["https://cdn.test/a.xml", " /b.xml ", "HTTPS://CDN.test/a.xml#x", "", "ftp://a.test/c"]
    assert sitemap_candidates(named, ORIGIN) == ("https://cdn.test/a.xml", "https://a.test/b.xml")


def test_the_usual_place_is_tried_when_robots_txt_names_none_of_use() -> None:
    assert sitemap_candidates([], ORIGIN) == ("https://a.test/sitemap.xml",)
    assert sitemap_candidates(["file:///etc/passwd", " "], ORIGIN) == (
        "https://a.test/sitemap.xml",
    )
    assert sitemap_candidates([], "https://a.test:8443") == ("https://a.test:8443/sitemap.xml",)


def test_a_plan_begins_with_what_the_user_gave() -> None:
    given_url = Url("http://b.test/given.xml")
    plan, problems = SitemapPlan.for_origin(ORIGIN, ["/r.xml"], Sitemaps(), [given_url])
    assert plan.waiting == (
        PlannedSitemap(given_url, 0, None),
        PlannedSitemap(Url("https://a.test/r.xml"), 0, HOME),
    )
    assert problems == ()


def test_sitemaps_of_an_index_are_read_after_those_known_and_inherit_the_voucher() -> None:
    plan, _ = SitemapPlan.for_origin(ORIGIN, ["https://cdn.test/index.xml", "/r.xml"], Sitemaps())
    assert plan.next is not None
    plan, _ = plan.after(plan.next, [SitemapLink(Url("https://cdn.test/1.xml"))])
    assert plan.waiting == (
        PlannedSitemap(Url("https://a.test/r.xml"), 0, HOME),
        PlannedSitemap(Url("https://cdn.test/1.xml"), 1, HOME),
    )


def test_indexes_lead_no_deeper_than_three() -> None:
    plan, problems = SitemapPlan.for_origin(ORIGIN, [], Sitemaps())
    depths = []
    while plan.next is not None:
        depths.append(plan.next.depth)
        name = len(depths)
        plan, problems = plan.after(plan.next, [link(name), link(f"{name}b"), link(f"{name}c")][:2])
    assert max(depths) == MAX_DEPTH
    assert problems == (Problem("2 sitemaps ignored: more than 3 indexes deep", "sitemap"),)


def test_no_more_files_are_read_than_allowed() -> None:
    plan, _ = SitemapPlan.for_origin(ORIGIN, ["/0.xml"], Sitemaps(max_files=3))
    assert plan.next is not None
    plan, problems = plan.after(plan.next, [link(number) for number in range(10)])
    assert [planned.url for planned in plan.waiting] == [link(1).url, link(2).url]
    assert problems == (Problem("7 sitemaps ignored: more than 3 of one host", "sitemap"),)


@given(
    st.dictionaries(st.integers(0, 12), st.lists(st.integers(0, 12), max_size=6)),
    st.integers(1, 10),
)
def test_any_web_of_indexes_is_read_to_an_end_and_nothing_twice(
    web: dict[int, list[int]], max_files: int
) -> None:
    plan, _ = SitemapPlan.for_origin(ORIGIN, ["/0.xml"], Sitemaps(max_files=max_files))
    read = []
    while plan.next is not None:
        now = plan.next
        read.append(now.url)
        number = int(now.url.removeprefix("https://a.test/").removesuffix(".xml"))
        plan, _ = plan.after(now, [link(other) for other in web.get(number, [])])
    assert len(read) == len(set(read)) <= max_files
