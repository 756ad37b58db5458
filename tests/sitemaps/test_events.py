"""Events as a parser would send them, also in orders that only a broken file gives."""

from gossamer.model import Problem, Url
from gossamer.sitemaps.events import MAX_ELEMENTS, MAX_LINKS, SitemapEvents
from gossamer.sitemaps.intake import MAX_TEXT_LENGTH, Intake
from gossamer.sitemaps.values import SitemapEntry, SitemapItem

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
BASE = Url("http://a.test/s.xml")
Step = tuple[str, dict[str, str]] | str  # an element begins; or "/", it ends; or text


def played(*steps: Step, max_entries: int = 10_000) -> list[SitemapItem]:
    events = SitemapEvents(BASE, Intake(max_entries))
    for step in steps:
        if isinstance(step, tuple):
            events.start(*step)
        elif step == "/":
            events.end("")
        else:
            events.data(step)
    events.finish()
    return events.take()


def begins(name: str, **attributes: str) -> tuple[str, dict[str, str]]:
    return SPACE + name, attributes


def urls(items: list[SitemapItem]) -> list[str]:
    return [item.url for item in items if not isinstance(item, Problem)]


LOC = begins("loc")


def test_text_may_come_in_pieces() -> None:
    steps: list[Step] = [
        begins("urlset"),
        begins("url"),
        LOC,
        "http://a.te",
        "st/",
        "1",
        "/",
        "/",
        "/",
    ]
    assert played(*steps) == [SitemapEntry(Url("http://a.test/1"))]


def test_an_entry_inside_another_ends_it() -> None:
    outer: list[Step] = [begins("urlset"), begins("url"), LOC, "http://a.test/1", "/"]
    assert urls(played(*outer, begins("url"), LOC, "http://a.test/2", "/", "/", "/", "/")) == [
        "http://a.test/1",
        "http://a.test/2",
    ]


def test_an_entry_cut_off_counts_only_if_its_address_was_whole() -> None:
    begun: list[Step] = [begins("urlset"), begins("url"), LOC, "http://a.test/1"]
    assert played(*begun) == []
    assert urls(played(*begun, "/")) == ["http://a.test/1"]
    assert played(begins("sitemapindex"), begins("sitemap"), "http://a.test/hal") == []


def test_only_children_of_the_same_namespace_are_fields() -> None:
    image: list[Step] = [("{http://image.test/}loc", {}), "http://a.test/i.png", "/"]
    nested: list[Step] = [begins("x"), LOC, "http://a.test/n", "/", "/"]
    entry: list[Step] = [
        begins("urlset"),
        begins("url"),
        *image,
        *nested,
        LOC,
        "http://a.test/1",
        "/",
        "/",
    ]
    assert urls(played(*entry)) == ["http://a.test/1"]


def test_the_first_of_two_addresses_counts() -> None:
    first: list[Step] = [LOC, "http://a.test/1", "/"]
    second: list[Step] = [LOC, "http://a.test/2", "/"]
    assert urls(played(begins("urlset"), begins("url"), *first, *second, "/")) == [
        "http://a.test/1"
    ]


def test_text_is_kept_up_to_a_limit() -> None:
    long_text = ["x" * 1000] * (MAX_TEXT_LENGTH // 1000 + 50)
    in_field = played(begins("urlset"), begins("url"), LOC, "http://a.test/", *long_text, "/", "/")
    loose = played(begins("urlset"), begins("url"), "http://a.test/", *long_text, "/")
    assert urls(in_field) == urls(loose) == []


def test_an_atom_entry_gives_its_alternate_links_only_and_not_without_end() -> None:
    space = "{http://www.w3.org/2005/Atom}"
    links: list[Step] = []
    for number, rel in enumerate(["alternate", "edit", " Alternate ", "self"]):
        links += [(space + "link", {"rel": rel, "href": f"/{number}"}), "/"]
    entry = [(space + "feed", {}), (space + "entry", {}), *links]
    assert urls(played(*entry, "/")) == ["http://a.test/0", "http://a.test/2"]
    many: list[Step] = [(space + "link", {"href": "/n"}), "/"] * (MAX_LINKS + 5)
    assert len(urls(played(*entry, *many, "/"))) == MAX_LINKS


def test_relative_links_of_a_feed_are_relative_to_its_base() -> None:
    space = "{http://www.w3.org/2005/Atom}"
    base = {"{http://www.w3.org/XML/1998/namespace}base": "http://b.test/blog/"}
    link = (space + "link", {"href": "1"})
    assert urls(played((space + "feed", base), (space + "entry", {}), link, "/", "/")) == [
        "http://b.test/blog/1"
    ]


def test_a_root_of_another_kind_ends_the_reading() -> None:
    for root, kind in [("html", "an HTML page"), ("svg", "an XML file of another kind ('svg')")]:
        steps: list[Step] = [begins(root), begins("url"), LOC, "http://a.test/1", "/", "/"]
        assert played(*steps) == [Problem(f"{kind}, not a sitemap", "sitemap")]


def test_a_wrong_or_missing_namespace_is_one_problem() -> None:
    entries: list[Step] = [("url", {}), ("loc", {}), "http://a.test/1", "/", "/"] * 3
    problem, *found = played(("urlset", {}), *entries)
    assert problem == Problem("the namespace is missing; read all the same", "sitemap")
    assert len(urls(found)) == 3


def test_elements_have_a_limit() -> None:
    events = SitemapEvents(BASE, Intake(10))
    events.start(*begins("urlset"))
    for _ in range(MAX_ELEMENTS - 1):
        events.start("a", {})
    assert events.take() == []
    events.start("a", {})
    assert events.stopped
    assert events.take() == [
        Problem("more than 2,000,000 elements; the rest is ignored", "sitemap")
    ]
