import re
from pathlib import Path

import pytest

from gossamer.detect.hypertext import page_evidence, rdfa_evidence
from gossamer.model import Syntax


def found(page: str) -> set[Syntax]:
    evidence = page_evidence(page.encode())
    assert evidence[0].syntax is Syntax.PAGE
    return {each.syntax for each in evidence[1:]}


@pytest.mark.parametrize(
    "page",
    [
        *(
            '<p property="a">',
            "<P TYPEOF=a>",
            "<p vocab = 'a'>",
            '<a rel="license">',
            "<p\nrole=a>",
        ),
        *("<a rev=made>", '<a href="x"property="a">', "<p/typeof=a>", '<a rel="nofollow license">'),
        *("<a rel='dc:creator'>", "<link rel=stylesheet>", "<a rel=nofollow></a><a rel=next>"),
    ],
)
def test_attributes_of_rdfa_are_seen(page: str) -> None:
    assert Syntax.RDFA in found(page)
    assert rdfa_evidence(page.encode())


@pytest.mark.parametrize(
    "page",
    [
        *("<p about=x resource=y prefix='a: b'>", "<p>The property of role-models</p>"),
        *("<a rel=nofollow>", '<a rel="noopener noreferrer">', "<a rel='nofollow' href=x>"),
        *("<p data-property=x aria-role=x>", "<p title='typeof'>", '<p><a rel="nofol'),
    ],
)
def test_words_of_rdfa_are_not_enough(page: str) -> None:
    assert Syntax.RDFA not in found(page)


@pytest.mark.parametrize(
    "page",
    [
        *(
            '<p class="h-card">',
            "<p class=vcard>",
            "<p class='a hentry b'>",
            '<p CLASS = "vevent">',
        ),
        *('<p class="\n  h-entry\n">', "<p class=h-review-aggregate>", '<p class="geo">'),
        *("<p class='a adr'>", "<p class='hreview-aggregate'>", '<p class="h&#45;card">'),
        *("<p class='&#x68;card'>", "<p class=h-x-app>"),
    ],
)
def test_roots_of_microformats_are_seen(page: str) -> None:
    assert found(page) == {Syntax.MICROFORMATS}


def test_every_root_that_the_vocabulary_maps_is_seen() -> None:
    vocabulary = Path(__file__).parents[2] / "docs" / "vocabularies.md"
    roots = set(re.findall(r"^\| `(h-[a-z-]+)` \|", vocabulary.read_text(), re.MULTILINE))
    assert len(roots) >= 11
    for root in roots:
        assert found(f"<p class='{root}'>") == {Syntax.MICROFORMATS}


@pytest.mark.parametrize(
    "page",
    [
        *('<p class="h-full h-4 h-screen">', "<p>a vcard, geo or adr</p>", '<p id="vcard">'),
        *('<p class="geometry">', '<p class="my-geo">', "<p title='h-card'>", "<p class=x>h-card"),
        *("<p class='x'>&#45;", "<p class='geo&amp;'>", "<p class=p-name>"),
    ],
)
def test_a_page_without_microformats_does_not_pay_for_them(page: str) -> None:
    assert Syntax.MICROFORMATS not in found(page)


@pytest.mark.parametrize(
    "page",
    [
        *(
            '<meta name="og:title" content="a">',
            '<META NAME="Twitter:card">',
            "<meta name=keywords>",
        ),
        *(
            "<meta content='a > b' name='DC.title'>",
            '<meta name="dcterms.issued">',
            "<meta/name=icbm>",
        ),
        *(
            "<meta name=citation_title>",
            "<link rel='DC.license' href=x>",
            "<meta name='geo.position'>",
        ),
        *("<meta name=og&#58;title>", "<meta name='article:author'>", "<meta name=copyright>"),
        "<html prefix='x: http://ogp.me/ns#'><meta name='x:title'>",
    ],
)
def test_meta_elements_that_say_something_are_seen(page: str) -> None:
    assert Syntax.OPEN_GRAPH in found(page)


@pytest.mark.parametrize(
    "page",
    [
        *("<meta name=viewport content='width=device-width'>", "<meta charset=utf-8>"),
        *("<p>og:title, keywords and dc.title</p>", "<meta name=description content='Hello'>"),
        *("<link rel=canonical href=/>", "<metadata name=keywords>"),
    ],
)
def test_other_meta_elements_are_not(page: str) -> None:
    assert Syntax.OPEN_GRAPH not in found(page)


def test_microdata_and_json_ld_are_seen() -> None:
    assert found("<p itemscope>") == {Syntax.MICRODATA}
    assert found("<p ITEMSCOPE=''>") == {Syntax.MICRODATA}
    assert found('<script type="application/ld+json">{}</script>') == {Syntax.JSON_LD}
    assert found("<script type='application/LD+JSON; charset=utf-8'>") == {Syntax.JSON_LD}
    assert found("<script type='application&#47;ld&plus;json'>") == {Syntax.JSON_LD}
    assert found("<script type='text/javascript'>") == set()


@pytest.mark.parametrize(
    "text", ["&#8217;", "&#160;", "&#39;", "&#x27;", "&amp;", "&#x201c;", "&#038;"]
)
def test_ordinary_references_hide_nothing(text: str) -> None:
    assert found(f"<p class='{text}' type='{text}' name='{text}'>{text}</p>") == set()


def test_a_page_may_hold_everything() -> None:
    page = '<meta property="og:title"><p class=h-card itemscope><script type=application/ld+json>'
    assert found(page) == {
        *(Syntax.RDFA, Syntax.JSON_LD, Syntax.MICRODATA, Syntax.MICROFORMATS, Syntax.OPEN_GRAPH)
    }


def test_the_evidence_is_told_in_words() -> None:
    assert [each.why for each in page_evidence(b'<p typeof="a" itemscope>')] == [
        "an HTML page",
        "an attribute typeof",
        "an attribute itemscope",
    ]


@pytest.mark.parametrize("space", [" ", "\t", "\n", "\v", "\f", "\r"])
def test_every_white_space_separates(space: str) -> None:
    assert found(f"<p{space}typeof{space}={space}a>") == {Syntax.RDFA}
    assert found(f"<p class='a{space}h-card{space}b'>") == {Syntax.MICROFORMATS}
    assert found(f"<meta{space}name=keywords>") == {Syntax.OPEN_GRAPH}


@pytest.mark.parametrize(
    "page", ["<p class=h-card", "<p class='h-card", "<meta name=keywords", "<p class='h&#45"]
)
def test_a_page_that_breaks_off_is_searched_to_its_end(page: str) -> None:
    assert len(found(page)) == 1


def test_bytes_of_any_encoding_are_searched() -> None:
    page = b"\xff\0<p title='\xe9\x80'\0 typeof='\xa4'>"
    assert [each.syntax for each in page_evidence(page)] == [Syntax.PAGE, Syntax.RDFA]


def test_bytes_of_any_encoding_may_stand_before_a_reference() -> None:
    page = b'\xff<script id="\xff" type="\xff &#x6c;d+json">'
    assert Syntax.JSON_LD in [each.syntax for each in page_evidence(page)]


@pytest.mark.parametrize(
    ("page", "syntax"),
    [
        (b"<SCRIPT TYPE=application/LD+JSON>", Syntax.JSON_LD),
        (b"<script type='application/ld&plus;json'>", Syntax.JSON_LD),
        (b"<p ITEMSCOPE>", Syntax.MICRODATA),
        (b"<meta property=og:title content=x>", Syntax.OPEN_GRAPH),
        (b"<p typeof=Thing>", Syntax.RDFA),
        (b"<p class=h-card>", Syntax.MICROFORMATS),
    ],
)
def test_one_syntax_alone_is_found_where_it_is_found_among_all(page: bytes, syntax: Syntax) -> None:
    of_all = {each.syntax for each in page_evidence(page)}
    for each in Syntax:
        found = {found.syntax for found in page_evidence(page, frozenset({each}))}
        assert found == ({Syntax.PAGE, each} if each in of_all else {Syntax.PAGE})
    assert syntax in of_all
