"""What `gossamer.extract` takes RDF for: what is said against what stands there."""

import gossamer
from gossamer import Page

URL = "https://example.test/doc"
TURTLE = (
    b"<http://e/s> <http://e/p> <http://e/o> .\n"
    b"<http://e/s> <http://e/p> 1, 2 .\n"
    b"<http://e/s> a <http://e/o> .\n"
)


def extract(body: bytes, content_type: str | None, *syntaxes: str) -> Page:
    return gossamer.extract(
        body, url=URL, content_type=content_type, syntaxes=syntaxes or None, keep_graphs=True
    )


def test_n_triples_alone_are_read_strictly() -> None:
    for content_type in ("application/n-triples", None, "text/plain"):
        page = extract(TURTLE, content_type, "ntriples")
        assert page.count == 1
        assert [problem.line for problem in page.problems] == [2, 3]


def test_a_document_of_another_name_is_none_of_what_is_wanted() -> None:
    page = extract(TURTLE, "text/turtle", "ntriples")
    assert (page.count, page.problems) == (0, ())


def test_turtle_under_the_name_of_n_triples_is_read_with_a_problem() -> None:
    page = extract(b"@prefix e: <http://e/> .\ne:s e:p 1, 2 .", "application/n-triples")
    assert page.count == 2
    (problem,) = page.problems
    assert problem.message == (
        "The header says application/n-triples, but the document is text/turtle."
    )


def test_another_syntax_that_is_wanted_makes_no_problem() -> None:
    page = extract(b"@prefix e: <http://e/> .", "application/n-triples", "rdfa")
    assert (page.count, page.problems) == (0, ())


def test_an_empty_document_of_rdf_is_no_problem() -> None:
    assert extract(b"", "text/turtle").problems == ()
    assert len(extract(b"", "text/html").problems) == 1


def test_rdf_xml_needs_no_outermost_rdf_element() -> None:
    body = b'<Book xmlns="http://e/"><title>Dogs in Hats</title></Book>'
    assert extract(body, "application/rdf+xml").count == 2
    assert extract(body, "application/xml").count == 0


def test_a_direction_reaches_the_quads() -> None:
    page = extract(b'<http://e/s> <http://e/p> "a"@ar--rtl .', "application/n-triples")
    (quad,) = page.quads
    assert str(quad.object) == '"a"@ar--rtl'
    assert page.problems == ()
