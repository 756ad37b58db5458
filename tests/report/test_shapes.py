import pytest
from tests.report.pages import rule_page, schema

from gossamer.report.finding import Severity
from gossamer.report.options import ReportOptions
from gossamer.report.rules import check_page, load_rules
from gossamer.report.shapes import read_shapes, shape_findings

HEAD = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <http://schema.org/> .\n"
SHAPES = f"""{HEAD}
<http://a.test/shapes#product> a sh:NodeShape ; sh:targetClass s:Product ;
    sh:property [ sh:path s:sku ; sh:minCount 1 ; sh:message "A product needs its number." ] ,
        [ sh:path s:name ; sh:maxLength 5 ; sh:severity sh:Warning ; sh:message "Too long" ] .
"""


def shapes(text: str = SHAPES) -> str:
    return read_shapes(text.encode(), ".ttl")


def test_findings_of_the_users_own_shapes() -> None:
    page = rule_page(schema("Product", name="A very long name"))
    told = [*shape_findings(page, shapes())]
    assert [(each.message, each.severity, each.line) for each in told] == [
        ('name: Too long. It is "A very long name".', Severity.WARNING, 3),
        ("sku: A product needs its number.", Severity.ERROR, 3),
    ]
    assert {each.entity for each in told} == {next(iter(page.schema.entities))}
    options = ReportOptions(shapes=shapes())
    rules = [each.rule for each in check_page(page, load_rules(()), options)]
    assert rules == ["shape", "shape"]


def test_a_page_that_keeps_to_them_has_none() -> None:
    page = rule_page(schema("Product", name="Lamp", sku="1"))
    assert [*shape_findings(page, shapes())] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<a> <b>", "it cannot be read"),
        ("<http://a.test/> <http://a.test/p> 1 .", "it has no shapes"),
        (f'{HEAD}[] a sh:NodeShape ; sh:sparql [ sh:select "x" ] .', "beyond SHACL Core"),
        (f"{HEAD}[] a sh:NodeShape ; sh:target [ a sh:SPARQLTarget ] .", "beyond SHACL Core"),
        (
            f"{HEAD}<http://a.test/> <http://www.w3.org/2002/07/owl#imports> <http://b.test/> ; sh:property [] .",
            "owl:imports is not followed",
        ),
    ],
)
def test_what_is_no_shape_of_the_core_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        shapes(text)
