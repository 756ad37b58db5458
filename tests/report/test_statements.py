import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from gossamer.report.statements import PageStatement, TermKind, page_statements

PAGE = ox.NamedNode("http://a.test/")
iris = st.from_regex(r"http://a\.test/[a-zü?=&./-]{0,9}", fullmatch=True).map(ox.NamedNode)
blanks = st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True)
texts = st.text(alphabet=st.characters(blacklist_categories=["Cs"]))
literals = st.one_of(
    texts.map(ox.Literal),
    st.builds(lambda text: ox.Literal(text, language="en-GB"), texts),
    st.builds(lambda text, kind: ox.Literal(text, datatype=kind), texts, iris),
)
quads = st.builds(
    ox.Quad,
    st.one_of(iris, blanks.map(ox.BlankNode)),
    iris,
    st.one_of(iris, blanks.map(ox.BlankNode), literals),
    st.just(PAGE),
)


def as_statement(quad: ox.Quad) -> PageStatement:
    match quad.object:
        case ox.Literal(value=value):
            kind = TermKind.TEXT
        case ox.NamedNode(value=value):
            kind = TermKind.IRI
        case other:
            kind, value = TermKind.BLANK, str(other)
    subject = quad.subject
    name = subject.value if isinstance(subject, ox.NamedNode) else str(subject)
    return PageStatement(name, quad.predicate.value, value, kind)


@given(st.lists(quads))
def test_statements_are_what_a_parser_reads(some: list[ox.Quad]) -> None:
    text = ox.serialize(some, format=ox.RdfFormat.N_QUADS)
    assert text is not None
    assert [*page_statements(text)] == [as_statement(quad) for quad in some]


def test_statements_about_statements_are_left_out() -> None:
    text = b'<http://a.test/> <http://a.test/p> <<( <http://a.test/> <http://a.test/p> "x" )>> <http://a.test/> .\n'
    assert [*page_statements(text)] == []
