import pytest
from tests.transform.rdfa.saying import items, said

from gossamer.config import Transform as Options
from gossamer.model import Problem

EXPAND = Options(expand_vocabularies=True)
PAGE = '<p vocab="http://v.test/terms#" typeof="Cat"><b property="nick">Tom</b></p>'
TURTLE = b"""
@prefix : <http://v.test/terms#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Cat rdfs:subClassOf :Animal . :Animal owl:equivalentClass :Beast .
:nick rdfs:subPropertyOf :name . :name rdfs:subPropertyOf :label, :nick .
"""
RDFA = b"""<html prefix="v: http://v.test/terms#"><body>
<p about="v:Cat" property="rdfs:subClassOf" resource="v:Animal"></p>
<p about="v:Animal" property="owl:equivalentClass" resource="v:Beast"></p>
<p about="v:nick" property="rdfs:subPropertyOf" resource="v:name"></p>
<p about="v:name" property="rdfs:subPropertyOf" resource="v:label"></p></body></html>"""
PLAIN = [
    "<> rdfa:usesVocabulary <http://v.test/terms#>",
    "_:1 a <http://v.test/terms#Cat>",
    '_:1 <http://v.test/terms#nick> "Tom"',
]


@pytest.mark.parametrize("body", [TURTLE, RDFA])
def test_wider_and_equal_terms_follow(body: bytes) -> None:
    found = said(PAGE, options=EXPAND, contexts={"http://v.test/terms": body})
    assert found[:3] == PLAIN
    assert sorted(found[3:]) == [
        '_:1 <http://v.test/terms#label> "Tom"',
        '_:1 <http://v.test/terms#name> "Tom"',
        "_:1 a <http://v.test/terms#Animal>",
        "_:1 a <http://v.test/terms#Beast>",
    ]


def test_nothing_follows_unless_asked() -> None:
    assert said(PAGE, contexts={"http://v.test/terms": TURTLE}) == PLAIN


def test_a_vocabulary_that_is_not_at_hand_is_a_problem() -> None:
    found = items(PAGE, options=EXPAND)
    assert said(PAGE, options=EXPAND) == PLAIN
    (problem,) = [item for item in found if isinstance(item, Problem)]
    assert problem.message == 'The vocabulary "http://v.test/terms#" is not at hand.'


@pytest.mark.parametrize("body", [b"", b"\0\xff", b"<a", b"no vocabulary at all", b"@prefix"])
def test_a_vocabulary_that_says_nothing_adds_nothing(body: bytes) -> None:
    assert said(PAGE, options=EXPAND, contexts={"http://v.test/terms": body}) == PLAIN
