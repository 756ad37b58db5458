"""The cheap look that spares pages without mark-up their parsing: it misses nothing."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.columnar.rows import ReadOptions
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World
from gossamer.model import Evidence, Syntax
from gossamer.reading.jobs import PageJob
from gossamer.reading.page_reading import PageReading

PAGES = Path(__file__).resolve().parent.parent / "pages"
OF_HTML = (
    *(Syntax.OPEN_GRAPH, Syntax.RDFA, Syntax.MICRODATA),
    *(Syntax.JSON_LD, Syntax.MICROFORMATS),
)
HTML = "text/html; charset=utf-8"


def job(body: bytes, url: str = "http://a.test/", content_type: str | None = HTML) -> PageJob:
    return replace(ReadOptions().template, url=url, body=body, content_type=content_type)


def assert_nothing_is_missed(wanted: PageJob) -> None:
    """What the page says is what it says where every syntax of HTML is looked for in its tree."""
    look, full = PageReading(wanted), PageReading(wanted)
    if Syntax.PAGE not in look.detection.syntaxes:
        return
    everything = tuple(Evidence(syntax, "asked for") for syntax in (Syntax.PAGE, *OF_HTML))
    vars(full)["detection"] = replace(look.detection, evidence=everything)
    assert sorted(look.nquads.splitlines()) == sorted(full.nquads.splitlines())


def test_nothing_is_missed_on_pages_of_the_demo_web() -> None:
    world = World(seed=11, pages=150, hosts=8)
    for number in range(world.pages):
        page = world.page(number)
        made = rendered(world, page)
        assert_nothing_is_missed(job(made.body, page.url, made.content_type))


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.html")), ids=lambda path: path.name)
def test_nothing_is_missed_on_pages_of_the_suites(path: Path) -> None:
    assert_nothing_is_missed(job(path.read_bytes()))


ATTRIBUTES = (
    *("itemscope", "itemprop=name", "property=og:title", "name=dc.title", "content=x"),
    *("typeof=s:T", "rel=license", "rel='nofollow me'", "class=h-card", "class=' vcard '"),
    *("class=p-name", "prefix='s: http://s.test/'", "vocab=http://v.test/", "href=/x"),
    *("type=application/ld+json", "type='application/LD&#43;json'", "class='h&#45;card'"),
    *('property="&#111;g:title"', "name=keywords", "itemtype=http://schema.org/Thing", "rev=x"),
)
ELEMENTS = ("p", "a", "meta", "link", "script", "div", "span", "svg", "template", "title")
MARKUP = st.lists(
    st.one_of(
        st.builds(
            lambda name, attributes, text: f"<{name} {' '.join(attributes)}>{text}</{name}>",
            st.sampled_from(ELEMENTS),
            st.lists(st.sampled_from(ATTRIBUTES), max_size=4),
            st.sampled_from(["", "x", '{"@context": {"n": "http://n.test/"}, "n": 1}', "<b>y"]),
        ),
        st.sampled_from(
            ["<!--", "-->", "<", ">", '"', "'", "=", " ", "\0", "\x0b", "</p>", "<![CDATA["]
        ),
    ),
    max_size=8,
)


@given(MARKUP)
def test_nothing_is_missed_whatever_the_mark_up(pieces: list[str]) -> None:
    assert_nothing_is_missed(job(f"<html>{''.join(pieces)}".encode()))


def test_a_page_without_mark_up_is_not_parsed() -> None:
    for body, page in product([b"<html><title>x</title><p>y", b"<p>z"], [False, True]):
        reading = PageReading(replace(job(body), page_statements=page))
        assert bool(reading.nquads) is (page and b"title" in body)
        document = vars(reading).get("_document")
        assert ("html" in vars(document)) is page
