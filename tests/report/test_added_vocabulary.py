from tests.report.pages import rule_page

import gossamer
from gossamer.report.added_vocabulary import AddedVocabulary, unknown_terms, vocabulary_of
from gossamer.report.page import RulePage
from gossamer.report.statements import page_statements

TERMS = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix b: <http://boats.test/terms#> .
b: a owl:Ontology . b:Boat a owl:Class . b:Raft a rdfs:Class . b:mast a rdf:Property .
b:keel a owl:DatatypeProperty ; owl:deprecated true . b:red a b:Colour . <http://other.test/x> a rdf:Property .
"""


def boats() -> AddedVocabulary:
    read = gossamer.extract(TERMS, url="http://boats.test/terms", content_type="text/turtle")
    found = vocabulary_of(page_statements(read.nquads), "http://boats.test/terms", "2026-05-01")
    assert found is not None
    return found


def test_a_vocabulary_is_the_namespace_with_most_terms_and_comes_back_from_its_text() -> None:
    found = boats()
    assert found.namespace == "http://boats.test/terms#"
    assert found.classes == {"Boat", "Raft"}
    assert found.properties == {"mast", "keel"}
    assert found.others == {"red"}
    assert found.deprecated == {"keel"}
    assert AddedVocabulary.parse(found.text()) == found


def test_terms_that_there_are_not_are_told_with_the_nearest() -> None:
    data = {
        "@context": {"@vocab": "http://boats.test/terms#"},
        "@type": ["Boot", "Raft"],
        "mats": 1,
        "keel": 2,
        "http://unknown.test/x": 3,
    }
    told = [*unknown_terms(rule_page(data), [boats().text()])]
    assert {(each.message, each.fix, each.severity.value) for each in told} == {
        ('http://boats.test/terms# has no type "Boot".', "Write Boat.", "error"),
        ('http://boats.test/terms# has no property "mats".', "Write mast.", "error"),
        (
            "The property keel of http://boats.test/terms# is deprecated.",
            "See http://boats.test/terms for what to use instead.",
            "warning",
        ),
    }


def test_a_document_without_terms_is_no_vocabulary() -> None:
    page: RulePage = rule_page({"@context": "https://schema.org", "@type": "Person"})
    assert vocabulary_of(page.statements, "http://a.test/", "2026-05-01") is None
