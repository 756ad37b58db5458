from tests.transform.rdfa.saying import URL, items, problems, short

from gossamer.config import Transform as Options
from gossamer.model import Problem, Syntax
from gossamer.transform.rdfa.reports import MOST
from gossamer.transform.terms import InGraph

GRAPH = Options(processor_graph=True)


def test_problems_name_their_syntax() -> None:
    (problem,) = items("<p property=nonsense>x</p>")
    assert problem == Problem('The term "nonsense" is not defined here.', Syntax.RDFA)


def test_a_page_of_nothing_but_mistakes_is_not_worth_more_sentences() -> None:
    page = "".join(f"<p property=nonsense{n}>x</p>" for n in range(3 * MOST))
    assert len(problems(page)) == MOST


def test_the_processor_graph_has_them_as_statements_on_request() -> None:
    found = items("<p property=nonsense>x</p>", options=GRAPH)
    assert all(isinstance(item, InGraph) for item in found)
    assert {item.graph for item in found if isinstance(item, InGraph)} == {
        f"<{URL}#rdfa-processor-graph>"
    }
    assert [short(item.triple) for item in found if isinstance(item, InGraph)] == [
        "_:1 a rdfa:Warning",
        "_:1 a rdfa:UnresolvedTerm",
        '_:1 dc:description "The term \\"nonsense\\" is not defined here."@en',
        "_:1 rdfa:context <>",
    ]


def test_a_prefix_that_is_redefined_is_told_there_alone() -> None:
    page = '<p prefix="dc: http://purl.org/dc/elements/1.1/" property="dc:title">t</p>'
    assert problems(page) == []
    found = [item.triple for item in items(page, options=GRAPH) if isinstance(item, InGraph)]
    assert short(found[1]) == "_:1 a rdfa:PrefixRedefinition"


def test_a_fault_of_the_document_is_an_error() -> None:
    found = items("<a><b", "application/xml", GRAPH)
    kinds = [short(item.triple) for item in found if isinstance(item, InGraph)][:2]
    assert kinds == ["_:1 a rdfa:Error", "_:1 a rdfa:DocumentError"]
