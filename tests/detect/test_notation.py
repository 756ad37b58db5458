import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.detect.notation import notation, plausible
from gossamer.model import Syntax

LINE = "<http://x.test/a> <http://x.test/b> "


def look(text: str) -> Syntax | None:
    found = notation(text.encode())
    return found.syntax if found else None


@pytest.mark.parametrize(
    "text",
    [
        f'{LINE}"c" .',
        f'{LINE}"c \\" \\u00e9 é"@en-GB .',
        f'{LINE}"1"^^<http://x.test/int> .',
        "_:a<http://x.test/b>_:c.",
        f"# a comment\r\n\r\n{LINE}<urn:c> . # another",
        f"{LINE}_:a.b .",
        f'{LINE}"" .\n' * 2000,
    ],
)  # fmt: skip
def test_lines_of_three_are_n_triples(text: str) -> None:
    assert look(text) is Syntax.N_TRIPLES


@pytest.mark.parametrize("text", [f"{LINE}_:c <urn:g> .", f'{LINE}"c"@en _:g.\n{LINE}"c" .'])
def test_lines_of_four_are_n_quads(text: str) -> None:
    assert look(text) is Syntax.N_QUADS


@pytest.mark.parametrize(
    "text",
    [
        "@prefix : <http://x.test/> .",
        "@base <http://x.test/> .\n<a> <b> <c> .",
        "prefix a-b: <x>\nBASE <http://x.test/>\na-b:c a-b:d 1 .",
        "# who made it\n@prefix\n  ex:\n  <http://x.test/>\n.",
        f"{LINE}<urn:c> , <urn:d> .",
        f'<> {LINE.split()[1]} """several\nlines""" .',
        "[] a <http://x.test/Person> .",
        "[ <http://x.test/name> 'Ada' ] .",
        "_:a a <http://x.test/Person> ; <http://x.test/age> 36 .",
        "<http://x.test/a> a <Relative> .",
        "@prefix : <http://x.test/> .\n:a :b 'c' {| :d :e |} .",
    ],
)
def test_prefixes_and_abbreviations_are_turtle(text: str) -> None:
    assert look(text) is Syntax.TURTLE


@pytest.mark.parametrize(
    "text",
    [
        "@prefix : <http://x.test/> .\n:g { :a :b :c }",
        "@prefix : <http://x.test/> .\n{ :a :b '{' }",
        "<http://x.test/g> { <http://x.test/a> a <http://x.test/b> }",
        "graph _:g {\n# nothing yet\n<#a> a <http://x.test/b> }",
        "{ <http://x.test/a> <http://x.test/b> 1 }",
    ],
)
def test_graphs_in_braces_are_trig(text: str) -> None:
    assert look(text) is Syntax.TRIG


@pytest.mark.parametrize(
    "text",
    [
        *("", "# nothing but a comment", "Hello", "<a> <b> <c> .", "a b c .", "ex:a ex:b ex:c ."),
        *(
            "PREFIX a: <b> SELECT * {}",
            "base <http://x.test/> ask {}",
            "prefix: the word",
            "@prefix",
        ),
        *(
            "<p> a <b>bold</b> word",
            "</p> a <b>",
            "{ color: red }",
            "a { color: red }",
            "[link](x)",
        ),
        *(f"See:\n{LINE}_:c .", "@import url(x) ;", "<#a> b <c> ."),
        *("_:a b c", "{}", "[1, 2]", "<http://x.test/> is a site", "<http://x.test/> a site"),
    ],
)
def test_where_it_is_not_sure_nothing_is_said(text: str) -> None:
    assert look(text) is None


def test_a_suffix_and_a_plausible_start_are_enough() -> None:
    for text in (b"ex:a ex:b 1 .", b"<a> <b> <c> .", b"@prefix", b"# a\n[", b":a", b"Base <a>"):
        assert plausible(text)
    for text in (b"Not found", b"", b"404", b"# only a comment"):
        assert not plausible(text)


absolute = st.sampled_from(["http://x.test/a", "urn:b", "mailto:c@x.test", "http://x.test/é#_"])
nodes = st.one_of(
    absolute.map(ox.NamedNode), st.from_regex(r"\A[a-z][a-z0-9]{0,5}\Z").map(ox.BlankNode)
)
literals = st.one_of(
    st.text(max_size=20).map(ox.Literal),
    st.text(max_size=20).map(lambda text: ox.Literal(text, language="en-gb")),
    st.integers().map(ox.Literal),
)
triples = st.tuples(nodes, absolute.map(ox.NamedNode), st.one_of(nodes, literals))


def written(found: list[tuple[object, ...]], as_: ox.RdfFormat) -> bytes:
    made = ox.serialize((ox.Quad(*each) for each in found), format=as_)  # type: ignore[arg-type]  # drawn as such
    assert isinstance(made, bytes)
    return made


@given(st.lists(triples, min_size=1, max_size=8))
def test_what_others_write_as_n_triples_is_n_triples(found: list[tuple[object, ...]]) -> None:
    sure = notation(written(found, ox.RdfFormat.N_TRIPLES))
    assert sure is not None
    assert sure.syntax is Syntax.N_TRIPLES


@given(st.lists(triples, min_size=1, max_size=8), nodes)
def test_what_others_write_as_quads_is_n_quads(
    found: list[tuple[object, ...]], graph: object
) -> None:
    sure = notation(written([(*each, graph) for each in found], ox.RdfFormat.N_QUADS))
    assert sure is not None
    assert sure.syntax is Syntax.N_QUADS


@given(st.lists(triples, min_size=1, max_size=8), nodes)
def test_what_others_write_as_trig_is_trig(found: list[tuple[object, ...]], graph: object) -> None:
    sure = notation(written([(*each, graph) for each in found], ox.RdfFormat.TRIG))
    assert sure is not None
    assert sure.syntax is Syntax.TRIG


@given(st.lists(triples, min_size=1, max_size=8))
def test_what_others_write_as_turtle_is_turtle_or_simpler(found: list[tuple[object, ...]]) -> None:
    sure = notation(written(found, ox.RdfFormat.TURTLE))
    assert sure is not None
    assert sure.syntax in (Syntax.TURTLE, Syntax.N_TRIPLES)


@given(st.text(alphabet="<>@prefix:ab.\"'{}[]#_ \n\\", max_size=80))
def test_any_text_is_looked_at(text: str) -> None:
    found = notation(text.encode())
    assert found is None or found.why
