"""Excerpts of long pages: the same elements as in the tree of the whole page, or none."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import gossamer
from gossamer.transform.excerpt import FROM_EXCERPT, SHORTEST, excerpt

JSON_LD = '<script type="application/ld+json">{"name": "<b>%d</b>"}</script>'
PIECES = (
    *(
        "<div>",
        "</div>",
        "<p title='<meta name=x content=no>'>",
        "<a href=x>y>",
        "a < b",
        "</",
        "<",
    ),
    *(
        "<!-- <meta name=c content=no> -->",
        "<!-->",
        "<!--",
        "-->",
        "<!x>",
        "<?x>",
        "</ x>",
        "<a ='x>'>",
    ),
    *(
        "<title>x</title>",
        "<title><meta name=t content=no></title>",
        "<title>",
        "<style>a>b</style>",
    ),
    *("<script>'<meta name=s content=no>'</script>", "<script><!-- <script></script>", "<script>"),
    *(
        "<textarea><link rel=no href=x></textarea>",
        "<iframe><meta></iframe>",
        "<noscript>",
        "</noscript>",
    ),
    *(
        "<svg>",
        "</svg>",
        "<svg/>",
        "<math>",
        "<svg><title>x</title><style>y</style></svg>",
        "<select>",
    ),
    *(
        "</select>",
        "<option>",
        "<table>",
        "<td>",
        "</table>",
        "<template>",
        "<xmp>",
        "<plaintext>",
        "\0",
    ),
    *(
        "<meta property=og:title content='a>b'>",
        '<META NAME=x CONTENT="y',
        '">',
        "<link rel=a href=b/>",
    ),
    *(
        "<html lang=en>",
        "<head>",
        "</head>",
        "<body>",
        "</html>",
        "<base href=/>",
        "<frameset>",
        "<b a=''b>",
    ),
    *(
        JSON_LD % 1,
        '<script type="application/ld+json">{"name": "x"}</script>',
        "<script data-x='>' type='application/ld+json'>{}</script>",
        JSON_LD.replace("ld+", "&#x6c;d+") % 2,
        (JSON_LD % 3).upper(),
        "<script type=x>1</script>",
    ),
    *("<![CDATA[", "]]>", "<noembed>", "<p", " x='", "'>", "é", "</script>", "</style>"),
)


EVERYTHING = frozenset(name for names in FROM_EXCERPT.values() for name in names)


def elements(markup: bytes) -> list[Any]:
    tree = LexborHTMLParser(markup)
    scripts = [
        (node.attributes, node.text_lexbor()) for node in tree.css('[type*="ld+json" i]:is(script)')
    ]
    named = [
        (node.tag, node.attributes)
        for node in tree.css("meta,link")
        if {*node.attributes} & {"property", "name", "rel"}
    ]
    # What a table may not hold stands before it in the tree.
    html = [node.attributes for node in tree.css("html")]
    return [sorted(scripts, key=repr), sorted(named, key=repr), html]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_an_excerpt_has_the_elements_of_the_page_or_there_is_none(page: str) -> None:
    found = excerpt(page.encode(), EVERYTHING)
    if found is not None:
        assert elements(found) == elements(page.encode())


@pytest.mark.parametrize(
    "doubtful",
    [
        *("<template><meta></template>", "<plaintext><meta>", "<svg><style><a></style></svg>"),
        *(
            "<script><!-- <b> </script>",
            "<title>",
            "<svg><meta></svg>",
            "<select><meta></select>",
            "<meta a",
        ),
    ],
)
def test_where_it_is_in_doubt_there_is_no_excerpt(doubtful: str) -> None:
    assert excerpt(b"<p>x</p>", EVERYTHING) == b""
    assert excerpt(doubtful.encode(), EVERYTHING) is None


@pytest.mark.parametrize("kind", ["json-ld", "opengraph", "dublincore"])
def test_the_items_of_a_long_page_are_those_of_its_tree(kind: str) -> None:
    page = (
        f"<html prefix='x: http://x.test/'><title>é</title><meta property=og:title content='a&amp;b'>{JSON_LD % 1}"
        f"<meta name=DC.title content=é><meta property=x:y content=z>{'<p class=x>text</p>' * SHORTEST}"
    )[: SHORTEST * 2] + f"<link rel=DC.relation href=/x>{JSON_LD % 2}"
    alone = gossamer.extract(page, url="http://a.test/", syntaxes=[kind])
    among_all = gossamer.extract(page, url="http://a.test/", syntaxes=["rdfa", kind])
    assert alone.items[kind]
    assert alone.items[kind] == among_all.items[kind]
