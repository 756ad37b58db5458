import pytest
from tests.transform.rdfa.saying import problems, said

from gossamer.transform.rdfa.literals import MOST_MARKUP


def value(attributes: str, text: str = "text", tag: str = "p") -> str:
    (line,) = said(f'<{tag} property="dc:date" {attributes}>{text}</{tag}>')
    return line.removeprefix("<> dc:date ")


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ("", '"text"'),
        ("content='c'", '"c"'),
        ("content", '""'),
        ("lang=de", '"text"@de'),
        ("xml:lang=de lang=fr", '"text"@de'),
        ("lang=''", '"text"'),
        ("datatype=xsd:int lang=de", '"text"^^xsd:int'),
        ("datatype='' lang=de", '"text"@de'),
        ("datatype=xsd:int content=7", '"7"^^xsd:int'),
        ("datatype=unknown", '"text"'),
        ("datatype=xsd:string", '"text"'),
        ("datatype=_:blank", '"text"'),
        ("value=7", '"text"'),  # a working draft read it; the recommendation does not
    ],
)
def test_the_literal_of_an_element(attributes: str, found: str) -> None:
    assert value(attributes) == found


@pytest.mark.parametrize(
    ("attributes", "text", "found"),
    [
        ("datetime=2012-03-18", "then", '"2012-03-18"^^xsd:date'),
        ("datetime=2012-03-18T00:00:00Z", "then", '"2012-03-18T00:00:00Z"^^xsd:dateTime'),
        ("datetime=2012", "then", '"2012"^^xsd:gYear'),
        ("datetime=PT2H lang=en", "then", '"PT2H"^^xsd:duration'),
        ("datetime=soon lang=en", "then", '"soon"@en'),
        ("", "2012-03", '"2012-03"^^xsd:gYearMonth'),
        ("content=now", "2012-03", '"now"'),
        ("datetime=2012 datatype=xsd:date", "then", '"2012"^^xsd:date'),
        ("datetime=2012 datatype=''", "then", '"2012"'),
    ],
)
def test_times_are_typed_by_their_form(attributes: str, text: str, found: str) -> None:
    assert value(attributes, text, "time") == found


def test_text_is_taken_as_it_is_with_what_is_within() -> None:
    assert value("", " a <b>b<!-- no --></b>\n c") == '" a b\\n c"'


def test_other_elements_are_times_only_by_their_attribute() -> None:
    assert value("", "2012") == '"2012"'
    assert value("datetime=2012") == '"2012"^^xsd:gYear'


def test_markup_within_markup_is_repeated_to_a_limit() -> None:
    depth, inside = 40, "<b>t</b>" * (MOST_MARKUP // 200)
    start = '<div property="dc:title" datatype="rdf:HTML">'
    page = start * depth + inside
    found = said(page)
    assert len(found) == depth
    assert found[-1] == '<> dc:title ""^^rdf:HTML'
    assert sum(map(len, found)) < 2 * MOST_MARKUP
    assert problems(page) == ["Literals hold too much markup; it is left out of further ones."]
