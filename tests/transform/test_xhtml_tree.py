import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.xhtml_tree import DEEPEST, MATHML, SVG, XHTML, XhtmlTree, xhtml_tree


def tree(markup: str) -> XhtmlTree:
    root = LexborHTMLParser(markup.encode(errors="replace")).root
    assert root is not None
    return xhtml_tree(root)


def body(markup: str) -> str:
    """The inside of the body, as XML; the namespace of XHTML is told by the root."""
    found = tree(f"<body>{markup}").root.find(f"{{{XHTML}}}body")
    assert found is not None
    written = etree.tostring(found, encoding="unicode")
    return written.removeprefix(f'<body xmlns="{XHTML}">').removesuffix("</body>")


@pytest.mark.parametrize(
    ("html", "xhtml"),
    [
        ("<p>one<p>two", "<p>one</p><p>two</p>"),
        ("a<br>b<!-- c -->d", "a<br/>b<!--c-->d"),
        ("<input CHECKED value=1&amp;2>", '<input checked="" value="1&amp;2"/>'),
        ("<script>1<2</script>", "<script>1&lt;2</script>"),
        ("<table><td>x", "<table><tbody><tr><td>x</td></tr></tbody></table>"),
        ('<p xmlns="urn:x" xmlns:a=b xml:lang=de>', '<p xmlU00003Alang="de"/>'),
        ('<a"b 1=2>', '<aU000022b U000031="2"/>'),
        ("<o:p>x</o:p>", "<oU00003Ap>x</oU00003Ap>"),
        ("<!-- a--b --- -->", "<!--a- -b - - - -->"),
        ("x\f&#1;&#xfffe;", "x \ufffd\ufffd"),
    ],
)
def test_html_becomes_the_xhtml_that_a_browser_makes_of_it(html: str, xhtml: str) -> None:
    assert body(html) == xhtml


def test_drawings_and_formulas_are_in_their_namespaces() -> None:
    root = tree(
        "<svg viewBox='0 0' xlink:href=x><linearGradient/><foreignObject><p><svg><path></svg>"
        "</foreignObject></svg><math><mi>x<b>y</b></mi><mfrac/></math><path>"
    ).root
    names = [str(each.tag) for each in root.iter() if each.tag != f"{{{XHTML}}}p"]
    assert names[3:] == [
        f"{{{SVG}}}svg",
        f"{{{SVG}}}linearGradient",
        f"{{{SVG}}}foreignObject",
        f"{{{SVG}}}svg",
        f"{{{SVG}}}path",
        f"{{{MATHML}}}math",
        f"{{{MATHML}}}mi",
        f"{{{XHTML}}}b",
        f"{{{MATHML}}}mfrac",
        f"{{{XHTML}}}path",
    ]
    drawing = root.find(f".//{{{SVG}}}svg")
    assert drawing is not None
    attributes = [(str(name), str(value)) for name, value in drawing.items()]
    assert attributes == [("viewBox", "0 0"), ("{http://www.w3.org/1999/xlink}href", "x")]


def test_what_nests_too_deeply_is_left_out() -> None:
    root, is_cut = tree("<div>" * 1000 + "in</div>" * 1000 + "<p>after")
    assert is_cut
    assert max(len(list(each.iterancestors())) for each in root.iter()) == DEEPEST - 1
    assert root.find(f".//{{{XHTML}}}p") is not None
    assert not tree("<div>" * 200).is_cut


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                ["<p>", "</p>", "<svg>", "</svg>", "<math>", "<mi>", "<title>", "<!--"]
            ),
            st.builds(
                "<{} {}={}>".format, st.text('ab:é\x00<1"', min_size=1), st.text(), st.text()
            ),
            st.text(),
        ),
        max_size=12,
    )
)
def test_whatever_a_page_holds_is_well_formed(pieces: list[str]) -> None:
    root = tree("".join(pieces)).root
    again = etree.fromstring(etree.tostring(root, encoding="utf-8"))
    assert [each.tag for each in again.iter()] == [each.tag for each in root.iter()]
