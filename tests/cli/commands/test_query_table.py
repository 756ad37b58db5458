import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.cli.commands.query import SAMPLE, RowsTable, shown_term
from gossamer.cli.text import shown_width
from gossamer.index.graph.results import tsv_rows


@pytest.mark.parametrize(
    ("term", "shown"),
    [
        ("?name", "name"),
        ("", ""),
        ("<http://schema.org/Person>", "schema:Person"),
        ("<http://a.test/x>", "http://a.test/x"),
        ("_:b12", "_:b12"),
        ('"Ada"', "Ada"),
        ('"Ada"@en', "Ada@en"),
        ('"5"^^<http://www.w3.org/2001/XMLSchema#integer>', "5"),
        ('"x"^^<http://a.test/t>', "x^^http://a.test/t"),
        ('"P1D"^^<http://www.w3.org/2001/XMLSchema#duration>', "P1D^^xsd:duration"),
        (r'"a \"b\"\n\tc\\d"', 'a "b" c\\d'),
        (r'"\u0041\U0001F577"', "A🕷"),
        (r'"\u001b[31mred"', "\\u001b[31mred"),
        ('<<( <http://a.test/x> <http://a.test/y> "z" )>>',) * 2,
    ],
)
def test_a_term_is_shown_as_people_read_it(term: str, shown: str) -> None:
    assert shown_term(term) == shown


@given(st.text(), st.integers(1, 9))
def test_any_text_comes_out_on_one_line_however_it_is_cut_into_pieces(text: str, size: int) -> None:
    try:
        literal = ox.Literal(text)
    except ValueError:
        return
    data = "".join(tsv_rows(["a", "b"], [[literal, None]])).encode()
    lines: list[str] = []
    table = RowsTable(lines.append)
    for start in range(0, len(data), size):
        table.feed(data[start : start + size])
    table.finish()
    assert len(lines) == 2
    assert all(character.isprintable() for line in lines for character in line)


def test_columns_are_fitted_to_the_first_rows_and_rows_are_written_as_they_come() -> None:
    lines: list[str] = []
    table = RowsTable(lines.append, width=40)
    table.feed(b"?a\t?b\n" + b'"x"\t"y"\n' * SAMPLE)
    assert len(lines) == SAMPLE + 1
    table.feed(f'"{"long" * 30}"\t"{"z" * 100}"\n'.encode())
    assert lines[-1] == "…  …"
    assert len(lines) == SAMPLE + 2


def test_wide_rows_are_cut_to_the_terminal_and_without_one_not_at_all() -> None:
    data = f'?a\t?b\t?c\n"{"x" * 90}"\t"{"蜘" * 60}"\t"{"z" * 90}"\n'.encode()
    for width in (80, None):
        lines: list[str] = []
        table = RowsTable(lines.append, width=width)
        table.feed(data)
        table.finish()
        assert (max(map(shown_width, lines)) <= 80) is (width is not None)


def test_no_rows_are_a_head() -> None:
    lines: list[str] = []
    table = RowsTable(lines.append, width=80)
    table.feed(b"?a\t?b\n")
    table.finish()
    assert lines == ["a  b"]
