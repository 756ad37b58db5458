from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import Problem, Refusal, Url
from gossamer.sitemaps.admit import admissible
from gossamer.sitemaps.values import SitemapEntry, SitemapItem, SitemapLink

SITEMAP = Url("http://www.a-shop.test/s.xml")
OWN = SitemapEntry(Url("https://a-shop.test/1"))
FOREIGN = SitemapEntry(Url("http://b.test/1"))
IGNORED = Problem(
    "1 entries ignored: of another site, whose robots.txt does not name this sitemap", "sitemap"
)
NOBODY: frozenset[str] = frozenset()


def test_a_sitemap_speaks_for_its_own_site() -> None:
    assert list(admissible([OWN, FOREIGN], SITEMAP, NOBODY)) == [OWN, IGNORED]


def test_a_host_whose_robots_txt_names_the_sitemap_vouches_for_itself() -> None:
    items: list[SitemapItem] = [FOREIGN, SitemapEntry(Url("http://c.test/"))]
    assert list(admissible(items, SITEMAP, frozenset({"b.test"}))) == [FOREIGN, IGNORED]


def test_what_the_user_names_may_speak_for_anyone() -> None:
    assert list(admissible([OWN, FOREIGN], SITEMAP, None)) == [OWN, FOREIGN]


def test_an_index_leads_to_sitemaps_of_its_own_site_only() -> None:
    links: list[SitemapItem] = [SitemapLink(OWN.url), SitemapLink(FOREIGN.url)]
    assert list(admissible(links, SITEMAP, NOBODY)) == [links[0], IGNORED]


def test_scope_is_asked_about_pages_but_not_about_sitemaps() -> None:
    link = SitemapLink(Url("https://a-shop.test/more.xml"))
    items: list[SitemapItem] = [OWN, link]
    found = admissible(items, SITEMAP, NOBODY, lambda url: Refusal("scope", f"{url} is outside"))
    assert list(found) == [link, Problem("1 entries ignored: refused by the rule scope", "sitemap")]


def test_problems_pass() -> None:
    problem = Problem("broken", "sitemap", 3)
    assert list(admissible([problem], SITEMAP, NOBODY)) == [problem]


@given(st.lists(st.sampled_from([OWN, FOREIGN, SitemapEntry(Url("http://x.b.test/"))])))
def test_thousands_of_ignored_entries_are_one_problem(entries: list[SitemapItem]) -> None:
    found = list(admissible(entries, SITEMAP, NOBODY))
    kept = [item for item in found if not isinstance(item, Problem)]
    ignored = len(entries) - len(kept)
    assert kept == [entry for entry in entries if entry == OWN]
    assert [item.message.split()[0] for item in found if isinstance(item, Problem)] == (
        [str(ignored)] if ignored else []
    )
