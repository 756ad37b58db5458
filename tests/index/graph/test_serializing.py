from collections.abc import Iterable

import pyoxigraph as ox
import pytest

from gossamer.index.graph.query import RDF
from gossamer.index.graph.results import CHUNK_BYTES, SAMPLE, serialize
from gossamer.sparql.prefixes import PREFIXES

NAME = ox.NamedNode("http://schema.org/name")


def triple(number: int = 0, value: str = "Ada") -> ox.Triple:
    return ox.Triple(ox.NamedNode(f"http://a.test/{number}"), NAME, ox.Literal(value))


def written(
    statements: Iterable[ox.Triple], to: ox.RdfFormat = ox.RdfFormat.TURTLE, **own: str
) -> str:
    chunks: list[bytes] = []
    serialize(statements, to, chunks.append, own)
    return b"".join(chunks).decode()


def test_a_few_statements_come_with_the_prefixes_that_they_use_and_no_others() -> None:
    assert written([triple()]) == (
        '@prefix schema: <http://schema.org/> .\n<http://a.test/0> schema:name "Ada" .\n'
    )


def test_prefixes_of_ones_own_count_before_the_usual_ones() -> None:
    text = written([triple()], schema="http://a.test/", s="http://schema.org/", odd="not absolute")
    assert "schema:0 s:name" in text
    assert "odd" not in text


def test_many_statements_come_with_all_prefixes_for_nobody_knows_what_follows() -> None:
    text = written(map(triple, range(SAMPLE + 1)))
    assert text.count("@prefix") == len(PREFIXES)
    assert text.count("schema:name") == SAMPLE + 1


def test_a_datatype_is_shortened_too() -> None:
    day = ox.Literal("2024-05-17", datatype=ox.NamedNode(PREFIXES["xsd"] + "date"))
    assert "^^xsd:date" in written([ox.Triple(NAME, NAME, day)])


@pytest.mark.parametrize("format_", RDF.values())
def test_every_syntax_ends_with_a_line_break_and_reads_as_it_was(format_: ox.RdfFormat) -> None:
    text = written([triple(1), triple(2, 'a "b"\n')], format_)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    read = {quad.triple for quad in ox.parse(text, format=format_)}
    assert read == {triple(1), triple(2, 'a "b"\n')}


def test_nothing_is_written_of_nothing_in_a_syntax_of_lines() -> None:
    assert written([], ox.RdfFormat.N_TRIPLES) == ""


def test_what_is_long_comes_in_pieces() -> None:
    chunks: list[bytes] = []
    serialize(map(triple, range(5_000)), ox.RdfFormat.N_TRIPLES, chunks.append)
    assert len(chunks) > 2
    assert all(len(chunk) < 2 * CHUNK_BYTES for chunk in chunks)
