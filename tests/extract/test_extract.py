"""What holds for links as a whole: `gossamer.extract` itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import decoded

from gossamer.demo import links as demo
from gossamer.demo.malice.traps import FEW_TARGETS, MANY_LINKS, TRAPS
from gossamer.demo.rendering import rendered
from gossamer.demo.resources import Listing
from gossamer.demo.world import World
from gossamer.extract import distinct, links_of, meta_directives, targets_of
from gossamer.model import Detection, Evidence, Link, Syntax, Url
from gossamer.transform.document import Document

HTML = Detection("text/html", (Evidence(Syntax.PAGE, "a test"),), "utf-8", "a test")
OTHER = Detection("text/turtle", (Evidence(Syntax.TURTLE, "a test"),), "utf-8", "a test")
WORLD = World(seed=5, pages=300, hosts=12, malice=True)


def expected(links: tuple[demo.Link, ...]) -> dict[Url, bool]:
    """Where the links of a demo page lead, and whether none of them vouches for it."""
    found: dict[Url, bool] = {}
    for link in links:
        if link.target is not None:
            found[link.target] = found.get(link.target, True) and link.nofollow
    return found


def test_demo_pages_lead_where_they_are_said_to_lead() -> None:
    for page in map(WORLD.page, range(WORLD.pages)):
        made = rendered(WORLD, page)
        nquads = "\n".join(sorted(made.statements)).encode()
        text = decoded(made) if page.is_html else ""
        document = Document(page.url, text.encode())
        detection = HTML if page.is_html else OTHER
        found = links_of(document, detection, nquads)
        truth = expected(demo.links_of(WORLD, page))
        assert {link.url: link.nofollow for link in found} == truth, page
        lots = [
            [each.url for each in found if each.nofollow is shunned] for shunned in (False, True)
        ]
        assert [*targets_of(document, detection, nquads)] == lots


@pytest.mark.parametrize("path", [path for path, _ in TRAPS.exhibits.items()])
def test_malicious_pages_lead_where_they_are_said_to_lead(path: str) -> None:
    listing = TRAPS.exhibits[path]
    assert isinstance(listing, Listing)
    document = Document(listing.url, rendered(WORLD, listing).body)
    found = {link.url: link.nofollow for link in links_of(document, HTML)}
    assert found == expected(listing.links)


def test_a_limit_counts_links_as_they_stand_on_the_page() -> None:
    listing = TRAPS.exhibits["/many"]
    assert isinstance(listing, Listing)
    document = Document(listing.url, rendered(WORLD, listing).body)
    assert len(list(links_of(document, HTML))) == FEW_TARGETS < MANY_LINKS
    assert len(list(links_of(document, HTML, limit=100))) == 100
    assert len(list(links_of(document, HTML, limit=FEW_TARGETS + 50))) == FEW_TARGETS
    assert len(targets_of(document, HTML, limit=100)[0]) == 100


def test_only_html_is_read_as_html() -> None:
    document = Document("http://a.test/", b"<a href=/x>y</a><meta name=robots content=none>")
    assert list(links_of(document, OTHER)) == []
    assert list(meta_directives(document, OTHER)) == []
    assert [link.url for link in links_of(document, HTML)] == ["http://a.test/x"]
    assert list(meta_directives(document, HTML)) == [("robots", "none")]


def test_html_and_statements_make_one_list() -> None:
    document = Document("http://a.test/", b"<a href=/x rel=nofollow>y</a>")
    see_also = "<http://www.w3.org/2000/01/rdf-schema#seeAlso>"
    nquads = f"_:b {see_also} <http://a.test/z> .\n_:b {see_also} <http://a.test/x> .\n".encode()
    assert list(links_of(document, HTML, nquads)) == [
        Link(Url("http://a.test/x"), "y", ("nofollow",)),
        Link(Url("http://a.test/z"), source="statement"),
    ]
    assert targets_of(document, HTML, nquads) == (["http://a.test/x", "http://a.test/z"], [])


links = st.builds(
    Link,
    st.sampled_from([Url(f"http://a.test/{n}") for n in range(4)]),
    st.none() | st.sampled_from(["x", "y"]),
    nofollow=st.booleans(),
)


@given(st.lists(links))
def test_each_address_comes_once_where_it_stood_first(given_links: list[Link]) -> None:
    found = distinct(given_links)
    assert [link.url for link in found] == list(dict.fromkeys(link.url for link in given_links))
    for link in found:
        same = [each for each in given_links if each.url == link.url]
        assert link.nofollow == all(each.nofollow for each in same)
        assert link.label == next((each.label for each in same if each.label), None)
    assert distinct(found) == found
