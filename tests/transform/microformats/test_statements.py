import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import HTML_FORMATS, URL, pages
from tests.transform.demo_pages import demo_pages, graph_of_items

from gossamer.demo.content import Format
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.microformats import microformats_statements
from gossamer.transform.microformats.vocabulary import VOCABULARY

SCHEMA = "http://schema.org/"
VCARD = "http://www.w3.org/2006/vcard/ns#"
GEO = "http://www.w3.org/2003/01/geo/wgs84_pos#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def told(page: str, url: str = "http://a.test/") -> list[Item]:
    return list(microformats_statements(Document(url, page.encode(errors="surrogatepass"))))


def short(page: str) -> list[str]:
    """The statements, namespaces and blank nodes abbreviated."""
    blank = Document("http://a.test/", b"").blank("")
    lines = []
    for item in told(page):
        line = str(item).replace(TYPE, "a").replace(blank, "_:")
        for prefix, namespace in (("s", SCHEMA), ("v", VCARD), ("g", GEO), ("x", XSD)):
            line = line.replace(f"<{namespace}", f"<{prefix}:")
        lines.append(line)
    return lines


def sound(items: list[Item]) -> None:
    """Fails unless every statement can be read by others."""
    statements = {item for item in items if isinstance(item, str)}
    assert len(graph_of_items(items)) == len(statements)


def test_the_demo_pages_say_exactly_what_they_are_made_to_say() -> None:
    for page in demo_pages(Format.MICROFORMATS, Syntax.MICROFORMATS, 60):
        found = list(microformats_statements(page.document))
        assert not any(isinstance(item, Problem) for item in found)
        assert graph_of_items(found) == page.said


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_other_demo_pages_say_nothing_and_are_not_parsed_for_it(format_: Format) -> None:
    for read in pages(format_, 3):
        if Syntax.MICROFORMATS not in read.rendered.triples:
            document = Document(URL, read.text.encode())
            assert not list(microformats_statements(document))
            assert "html" not in vars(document)


def test_items_are_named_by_uid_then_by_id_else_blank() -> None:
    assert short(
        '<p class="h-item" id="i"><a class="u-uid" href="http://b.test/u">x</a></p>'
        '<p class="h-item" id="i j"></p><p class="h-item"></p>'
    ) == [
        "<http://b.test/u> a <s:Thing>",
        '<http://b.test/u> <s:name> "x"',
        "<http://a.test/#i%20j> a <s:Thing>",
        "_:f1 a <s:Thing>",
    ]


def test_a_feed_leads_to_its_entries_and_they_to_their_authors() -> None:
    page = (
        '<div class="h-feed"><p class="h-entry"><b class="p-author h-card">Ada</b></p>'
        '<p class="h-cite"></p></div>'
    )
    assert short(page) == [
        "_:f1 a <s:Blog>",
        "_:f1 <s:blogPost> _:f2",
        "_:f2 a <s:BlogPosting>",
        "_:f2 <s:author> _:f3",
        "_:f3 a <v:Kind>",
        '_:f3 <v:fn> "Ada"',
        "_:f4 a <s:CreativeWork>",
    ]


def test_all_that_goes_through_one_predicate_is_said_of_one_node() -> None:
    page = (
        '<p class="h-review"><b class="p-rating">4</b><b class="p-best">5</b></p>'
        '<p class="h-card"><b class="p-locality">Town</b><b class="p-region">Land</b></p>'
    )
    assert short(page) == [
        "_:f1 a <s:Review>",
        "_:f1 <s:reviewRating> _:f2",
        "_:f2 a <s:Rating>",
        '_:f2 <s:ratingValue> "4"^^<x:decimal>',
        '_:f2 <s:bestRating> "5"^^<x:decimal>',
        "_:f3 a <v:Kind>",
        "_:f3 <v:hasAddress> _:f4",
        "_:f4 a <v:Address>",
        '_:f4 <v:locality> "Town"',
        '_:f4 <v:region> "Land"',
    ]


def test_coordinates_may_stand_together() -> None:
    assert short('<abbr class="geo" title="50.1;8.6">here</abbr>') == [
        "_:f1 a <g:Point>",
        '_:f1 <g:lat> "50.1"^^<x:decimal>',
        '_:f1 <g:long> "8.6"^^<x:decimal>',
    ]


def test_an_item_of_two_kinds_says_what_both_say() -> None:
    assert short('<p class="h-card h-event">x</p>') == [
        "_:f1 a <v:Kind>",
        "_:f1 a <s:Event>",
        '_:f1 <v:fn> "x"',
        '_:f1 <s:name> "x"',
    ]


def test_an_item_without_meaning_counts_by_its_text() -> None:
    page = '<p class="h-event"><b class="p-name">E</b><b class="p-location h-odd">Town</b></p>'
    assert short(page) == ["_:f1 a <s:Event>", '_:f1 <s:name> "E"', '_:f1 <s:location> "Town"']


def test_heights_of_style_sheets_do_not_come_between() -> None:
    page = '<div class="h-card h-full"><p class="h-screen"><b class="p-name">x</b></p></div>'
    assert short(page) == ["_:f1 a <v:Kind>", '_:f1 <v:fn> "x"']


def test_a_page_styled_with_tailwind_has_no_microformats() -> None:
    page = (
        '<body class="h-full min-h-screen p-4"><main class="h-auto h-px h-1/2 h-[32px] md:h-full '
        'h-fit h-min h-max h-dvh h-svh h-lvh h-64 p-x-4 p-px u-flex e-1 dt-2">'
        '<h1 class="h-12 h-screen"><span class="p-4 p-px u-hidden">x</span></h1></main>'
    )
    assert told(page) == []


def test_what_is_good_beside_what_is_bad_is_kept() -> None:
    page = (
        '<p class="h-card"><b class="p-name">x</b><a class="u-url" href="http://[/">y</a>'
        '<b class="p-tel">none</b><b class="p-nickname">z</b></p>'
    )
    found = told(page)
    assert [type(item) for item in found] == [str, str, Problem, Problem, str]
    assert all(item.syntax == Syntax.MICROFORMATS for item in found if isinstance(item, Problem))


def test_a_hundred_thousand_nested_elements_are_one_problem(full_size: bool) -> None:
    count = 100_000 if full_size else 20_000
    for tags in (
        '<span class="h-card">',
        '<div class="h-card">' + '<span class="p-note">' * count,
        '<span class="hentry"><i class="author">',
    ):
        found = told(tags * (1 if len(tags) > count else count) + "<b class=p-name>x")
        assert len([item for item in found if isinstance(item, Problem)]) == 1
        assert len(found) < 300


def test_a_page_on_one_long_line_is_read(full_size: bool) -> None:
    words = "word " * (10_000_000 if full_size else 200_000)
    found = told(f'<p class="h-entry"><b class="e-content">{words}</b></p>')
    assert str(found[1]).endswith(f'"{words.strip()}"')


@pytest.mark.parametrize(
    "page",
    [
        '<p class="h-card\0">x',
        '<p class="h-card">\0<b class="p-name">a\0b</b>',
        '<p class="h-card"><b class="p-name">\ud800',
        '<base href="\0"><p class="h-card"><a class="u-url" href="//[">x',
        '<p class="h-card" id="\x01<>">x<svg><a class="u-url" xlink:href="y"></a></svg>',
        '<table class="vcard"><caption class="fn"><p class="vevent"></table><b class="dtend">',
        '<math class="h-card"><annotation-xml><p class="p-name">x</math>',
        f'<p class="h-card"><b class="{" ".join(f"p-a{chr(97 + n % 26)}" for n in range(9999))}">x',
    ],
)
def test_hostile_pages_do_no_harm(page: str) -> None:
    sound(told(page))


WORDS = (
    "h-card h-entry h-full vcard hentry vevent hreview p-name u-url u-uid dt-start e-content "
    "p-author fn url item author value value-title adr geo photo h-adr p-geo"
)
TAGS = "p b a img time abbr data div span template table svg"
elements = st.builds(
    lambda tag, classes, inner, value: (
        f'<{tag} class="{" ".join(classes)}" href="{value}" src="{value}" alt="{value}" '
        f'title="{value}" id="{value}" rel="tag">{inner}'
    ),
    st.sampled_from(TAGS.split()),
    st.lists(st.sampled_from(WORDS.split()), max_size=4),
    st.sampled_from(["", "x", "</b>", "</p>", "2020-01-01", "http://b.test/", "a@b", "<script>"]),
    st.sampled_from(["", "x", "2020-01-01T10:00", "http://b.test/ x", "//[", "50;8", "&#0;"]),
)


@given(st.lists(elements, max_size=12))
def test_any_mixture_gives_sound_statements_the_same_every_time(page: list[str]) -> None:
    first = told("".join(page))
    assert first == told("".join(page))
    sound(first)


def test_the_pages_of_the_public_suite_give_sound_statements_where_they_should(
    suites: Path,
) -> None:
    suite = suites / "mf2"
    for entry in json.loads((suite / "manifest.json").read_text("utf-8")):
        document = Document(entry["url"], (suite / entry["input"]).read_bytes())
        found = list(microformats_statements(document))
        sound(found)
        expected = (suite / entry["expect"]).read_text("utf-8")
        assert bool(found) == any(f'"{type_}"' in expected for type_ in VOCABULARY), entry["id"]
