import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.sparql.mistakes import mistake
from gossamer.sparql.prefixes import PREFIXES

NO_QUERY = "This is no SPARQL query: "


def told_of(query: str) -> str:
    with pytest.raises(SyntaxError) as caught:
        ox.Store().query(query, prefixes=dict(PREFIXES))
    told = mistake(caught.value.msg, query)
    assert told.startswith(NO_QUERY)
    return told.removeprefix(NO_QUERY)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            "SELEC ?s {}",
            "line 1, column 1: a query begins with SELECT, ASK, CONSTRUCT or DESCRIBE.",
        ),
        (
            "",
            "line 1, column 1: it is empty; a query begins with SELECT, ASK, CONSTRUCT or DESCRIBE.",
        ),
        ("# one\nBASE <http://a.test/> hello", "line 2, column 23: a query begins with"),
        ("DELETE WHERE { ?s ?p ?o }", "line 1, column 1: DELETE would change the graph."),
        ("PREFIX a: <a:>\ninsert data {}", "line 2, column 1: INSERT would change the graph."),
        ("SELECT * {\n ?s a schemaa:Person }", "line 2, column 7: the prefix schemaa: is neither"),
        ("SELECT * { ?s ex:a 1 }", "line 1, column 15: the prefix ex: is neither usual nor"),
        ("ASK { ?s ?p http://a.test/ }", "line 1, column 13: an IRI stands between “<” and “>”."),
        ("PREFIX a <a:> ASK {}", "line 1, column 8: the prefix needs a colon, as in a:."),
        # What is missing.
        ("SELECT * { ?s ?p }", "line 1, column 18: “}” cannot stand here: an object is missing."),
        (
            "SELECT ?x {\n  ?x ?y\n}",
            "line 3, column 1: “}” cannot stand here: an object is missing.",
        ),
        (
            "ASK { ?s ?p ?o . ?s }",
            "line 1, column 21: “}” cannot stand here: a property is missing.",
        ),
        ("ASK { FILTER(?o > ) }", "column 19: “)” cannot stand here: an expression is missing."),
        ("SELECT ?s WHERE ?s", "“?s” cannot stand here: a group in “{ }” is missing."),
        ("SELECT (1 ?n) {}", "line 1, column 11: “?n” cannot stand here: AS is missing before it."),
        ("ASK { FILTER regex(?o 'a') }", "“'a'” cannot stand here: “)” or “,” is missing"),
        ("ASK { ?s ?p ?o ?s }", "“?s” cannot stand here: “.”, “;” or “,” is missing before it."),
        ("SELECT COUNT(*) {}", "what is computed stands in brackets, with a name: (COUNT(…) AS"),
        # What does not end.
        ("SELECT * { ?s ?p 'abc }", "line 1, column 18: this text is not closed; ' is missing."),
        ("ASK { ?s ?p '''abc\n }", "line 1, column 13: this text is not closed; ''' is missing."),
        ("ASK { ?s ?p <http://a.test }", "line 1, column 13: an IRI begins here that does not end"),
        (
            "ASK {\n{ ?s ?p ?o }",
            "line 2, column 12: the query ends too early: the “{” of line 1, column 5 is not",
        ),
        (
            "ASK { ?s ?p ",
            "line 1, column 11: the query ends too early: an object is missing after “?p”.",
        ),
        (
            "ASK",
            "line 1, column 3: the query ends too early: a group in “{ }” is missing after “ASK”.",
        ),
        (
            "ASK { FILTER(1 }",
            "column 16: the “(” of line 1, column 13 is not closed before this “}”.",
        ),
        ("ASK { ?s ?p ?o }}", "line 1, column 17: “}” closes nothing."),
        # What is no word, and no number.
        (
            "ASK {} LIMIT ten",
            "line 1, column 14: “ten” cannot stand here: a whole number is wanted.",
        ),
        ("ASK {} LIMT 10", "line 1, column 8: SPARQL has no word “LIMT”. Do you mean LIMIT?"),
        ("ASK { FILTR(1) }", "line 1, column 7: SPARQL has no word “FILTR”. Do you mean FILTER?"),
        ("ASK { FILTER(STRLN('a')) }", "SPARQL has no word “STRLN”. Do you mean STRLEN?"),
        ("SELECT s {}", "SPARQL has no word “s”. A variable would be ?s, a text 's'."),
        # What only the engine knows.
        (
            "SELECT (COUNT(*) AS ?n) ?s {?s ?p ?o}",
            "The SELECT contains a variable that is unbound.",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place_and_in_words(query: str, told: str) -> None:
    assert told in told_of(query)


def test_where_much_could_stand_none_of_it_is_named() -> None:
    told = told_of("ASK { ?s ?p ?o . = }")
    assert told == "line 1, column 18: “=” cannot stand here."


def test_the_place_that_the_engine_names_is_within_the_query() -> None:
    told = mistake("error at 1:9: Prefix not found", "ASK {}")
    assert told == f"{NO_QUERY}line 1, column 6: Prefix not found."


def test_what_our_grammar_does_not_know_is_left_to_the_engine() -> None:
    assert "cannot be read" in told_of("ASK { << ?s ?p ?o >> ?q }")


@given(st.text(max_size=40) | st.text("SELECT ask{}?:.<>'\"\\#\n\r", max_size=40))
def test_no_mistake_is_told_in_the_words_of_a_grammar(query: str) -> None:
    try:
        ox.Store().query(query)
    except SyntaxError as error:
        told = mistake(error.msg, query)
        assert "expected" not in told
        assert ".." not in told.replace(query, "")
        assert len(told) < 400
    except (OSError, RuntimeError, ValueError):
        pass


def test_a_message_without_a_place_is_told_as_it_is() -> None:
    assert mistake("an odd\nthing", "x") == f"{NO_QUERY}an odd thing"
    assert len(mistake("error at 1:1: " + "long " * 1000, "ASK {}")) < 400
