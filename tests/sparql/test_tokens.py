import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sparql.tokens import place, tokens


def kinds(query: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(query)]


def test_what_is_inside_of_strings_and_comments_is_no_word() -> None:
    assert kinds("ASK # FROM '\n {'FROM' '''it's \"\"\" FROM''' }") == [
        ("word", "ASK"),
        ("mark", "{"),
        ("string", "'FROM'"),
        ("string", "'''it's \"\"\" FROM'''"),
        ("mark", "}"),
    ]


def test_a_text_that_does_not_end_is_told_from_one_that_does() -> None:
    assert kinds("'a' 'b")[-1] == ("open", "'b")
    assert kinds("''''a''b")[0][0] == "open"
    assert kinds("'' \"\"") == [("string", "''"), ("string", '""')]


def test_names_values_and_marks_are_told_apart() -> None:
    assert kinds("ex:a.b. :x ex: _:n ?v $w 1.5e3 12 'a'@en-GB <urn:(x)> ( ) ^^ ||") == [
        *[("name", "ex:a.b"), ("mark", "."), ("name", ":x"), ("name", "ex:"), ("name", "_:n")],
        *[("var", "?v"), ("var", "$w"), ("number", "1.5e3"), ("number", "12"), ("string", "'a'")],
        *[("lang", "@en-GB"), ("iri", "<urn:(x)>"), ("mark", "( )"), ("mark", "^^")],
        ("mark", "||"),
    ]


def test_brackets_between_two_comparisons_are_brackets() -> None:
    assert [text for kind, text in kinds("1<(2)&&(3)>2") if kind == "iri"] == []


@given(st.text(max_size=60) | st.text("SELECT a{}()[]?:.<>'\"\\#@^|\n", max_size=60))
def test_every_letter_of_a_query_is_in_one_token_or_between_two(query: str) -> None:
    end = 0
    for token in tokens(query):
        assert token.start >= end
        assert query.startswith(token.text, token.start)
        between = query[end : token.start].strip()
        assert not between or between.startswith("#")
        end = token.start + len(token.text)


PIECES = ["a", "a.", "a-", "1.", "'", '"', "'a\n", "<", "<a", "?", "'''\\", "ex:a.", "(", "( "]


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_query_is_looked_at_once(piece: str) -> None:
    # If every letter began anew, this would take minutes.
    found = [*tokens(piece * 50_000)]
    assert found[-1].start + len(found[-1].text) <= 50_000 * len(piece)


def test_places_count_from_one() -> None:
    assert place("ab\ncd", 0) == (1, 1)
    assert place("ab\ncd", 4) == (2, 2)
