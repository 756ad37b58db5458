"""Plainly harmless pages: what is said to be shallow is shallow in the parser's tree."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.nesting import MOST_OPEN, MOST_UNCLOSED, is_well_nested

NAMES = (
    *("a", "b", "i", "nobr", "div", "p", "span", "x-y", "ul", "li", "dd", "dt", "h1", "h2", "hr"),
    *("table", "tbody", "tr", "td", "caption", "colgroup", "button", "form", "noscript", "object"),
    *("template", "option", "ruby", "rt", "img", "body", "frame", "image", "details", "dialog"),
)
ODD = ("<a b='</div>'>", "<!-- </div> -->", "<svg><path/></svg>", "text", "<div/>", "</ x>")
TAGS = (*(f"<{name}>" for name in NAMES), *(f"</{name}>" for name in NAMES), *ODD)
TIMES = 300  # a page that nests once more each time is deep


def depth(page: str) -> int:
    """The most elements within each other, found without recursion."""
    node, deep, deepest = LexborHTMLParser(page).root, 0, 0
    while node is not None:
        deepest = max(deepest, deep)
        if node.first_child is not None:
            node, deep = node.first_child, deep + 1
            continue
        while node is not None and node.next is None:
            node, deep = node.parent, deep - 1
        node = None if node is None else node.next
    return deepest


@given(
    st.sampled_from(["", "<!doctype html>"]),
    st.lists(st.sampled_from(TAGS), min_size=2, max_size=9).map("".join),
)
def test_what_is_well_nested_is_not_deep(doctype: str, unit: str) -> None:
    page = doctype + unit * TIMES
    assume(is_well_nested(page.encode()))
    # Tables have sections and rows that nobody wrote.
    assert depth(page) <= MOST_OPEN + MOST_UNCLOSED + 3


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "<b>x<i>y</b>z</i>",
            "<p>x<li>y<p>z",
            "<ul><li>x<li>y</ul>",
        ),
        *("<p><b>x</p></b>", "<dl><dt><div>x<dd>y</dl>", "<table><tr><td>x<td>y<tr><td>z</table>"),
        *(
            "<table><td>x</tr></tbody></table>",
            "</div></p></x>",
            "<a>x<a>y</a>",
            "<p><table></table>",
        ),
        *("<h1>x<h2>y</h1>", "<b><div>x</b></div>", "<IMG SRC='a>b'><!-- <div> --><br/>a < b"),
        *("<script>'<div>'</script>", "<script><!-- '<div>' --></script>", "<style>a>b</style>"),
        *("<svg><path d='x'/><g></g><title>x</title></svg>", "<select><option>x</select>"),
        *(
            "<iframe>x</iframe>",
            "<textarea>x</textarea>",
            "<?x?><!x>",
            "<noscript><img></noscript>",
        ),
    ],
)
def test_slips_of_real_pages_are_no_doubt(unit: str) -> None:
    page = f"<!doctype html><title>x</title><body>{unit * TIMES}"
    assert is_well_nested(page.encode())
    assert depth(page) < MOST_OPEN


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * (MOST_OPEN + 1),
        "".join(f"<div><b a={n}></div>" for n in range(MOST_UNCLOSED + 1)),
        f"<p {'a ' * 1000}>",
        "<body a>" * 1000,
        *("<math>", "<svg><desc><div></desc></svg>", "<xmp>", "<plaintext>", "<frameset>", "<!--"),
        *("<script><!-- <script></script>", "<select><div></select>", "<title><b></title>", "<p"),
        *("<td>", "<template><td>", "<form><form>", "<form><p></form>", "<p><table>", "<a><b><a>"),
        *(
            "<a b = 'c'>",
            "<a ='>'>",
            "<a b='>",
            "<style>",
            "<table><table>",
            "<p>x</p><a",
        ),
    ],
)
def test_what_is_odd_is_left_to_others(page: str) -> None:
    assert not is_well_nested(page.encode())
