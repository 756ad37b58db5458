import pytest

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.document import Document
from gossamer.transform.services import (
    SYNTAXES,
    Answer,
    Endpoint,
    answer_statements,
    endpoint_for,
    headers_for,
)
from gossamer.values import Addresses

URL = "https://example.test/a.pdf"
DOCUMENT = Document(URL, b"%PDF", media_type="application/pdf")
ENDPOINT = Endpoint("127.0.0.1", 9000, "/pdf?key=secret", secure=False)
BODIES = {
    "application/rdf+xml": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    b'<rdf:Description rdf:about="http://s"><p xmlns="http://">o</p></rdf:Description></rdf:RDF>'
}


def options(services: dict[str, str]) -> Options:
    return Options(services={name: Addresses(each) for name, each in services.items()})


def test_the_endpoint_is_that_of_the_media_type() -> None:
    services = options({"application/pdf": "http://127.0.0.1:9000/pdf?key=secret"})
    assert endpoint_for(services, "application/pdf") == ENDPOINT
    assert endpoint_for(services, "text/html") is None
    assert endpoint_for(services, None) is None
    images = options({"image/*": "https://s.test"})
    assert endpoint_for(images, "image/png") == Endpoint("s.test", 443, "/", secure=True)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://s.test/",
        "s.test",
        "http://",
        "http://a:b@s.test/",
        "http://s.test:x/",
        "http://s/a b",
    ],
)
def test_an_address_that_is_none_is_a_problem(address: str) -> None:
    problem = endpoint_for(options({"image/*": address}), "image/png")
    assert isinstance(problem, Problem)
    assert problem.message.startswith("The service for image/* cannot be used: ")


def test_the_document_is_sent_with_its_type_and_url() -> None:
    headers = headers_for(DOCUMENT)
    assert headers["Content-Type"] == "application/pdf"
    assert headers["Content-Location"] == URL
    assert "text/turtle" in headers["Accept"]


@pytest.mark.parametrize("media_type", SYNTAXES)
def test_an_answer_is_read_by_its_content_type(media_type: str) -> None:
    body = BODIES.get(media_type, b'<http://s> <http://p> "o" .')
    answer = Answer(200, f"{media_type.upper()}; charset=utf-8", body)
    assert list(answer_statements(DOCUMENT, ENDPOINT, answer)) == ['<http://s> <http://p> "o"']


def test_relative_iris_and_blank_nodes_are_those_of_the_document() -> None:
    (item,) = answer_statements(DOCUMENT, ENDPOINT, Answer(200, "text/turtle", b"<#p> a [] ."))
    assert str(item).startswith(f"<{URL}#p> ")
    assert str(item).endswith(f" {DOCUMENT.blank('s0')}")


@pytest.mark.parametrize(
    ("answer", "clause"),
    [
        (Answer(500, "text/turtle", b""), "answered 500"),
        (Answer(302, "text/turtle", b""), "answered 302"),
        (Answer(200, "text/html", b""), "answered in text/html, not in RDF"),
        (Answer(200, "", b""), "answered in no type, not in RDF"),
    ],
)
def test_an_answer_that_is_none_is_a_problem_without_keys(answer: Answer, clause: str) -> None:
    (problem,) = answer_statements(DOCUMENT, ENDPOINT, answer)
    assert isinstance(problem, Problem)
    assert problem.message == f"The service http://127.0.0.1:9000/ {clause}."


def test_a_service_may_have_nothing_to_say() -> None:
    assert list(answer_statements(DOCUMENT, ENDPOINT, Answer(204, "", b""))) == []
