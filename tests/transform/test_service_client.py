import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from tests.slowness import patience

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.service_client import ask
from gossamer.transform.services import Answer, Endpoint, service_statements
from gossamer.values import Addresses

URL = "https://example.test/a.pdf"
BODY = b"%PDF" * 50_000


@contextmanager
def service(*parts: bytes, hold: bool = False) -> Iterator[tuple[int, list[bytes]]]:
    """A server that reads one whole request and sends these parts; `hold` keeps the line open."""
    requests: list[bytes] = []
    done = threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            received = b""
            while not received.endswith(BODY):
                if not (block := connection.recv(65536)):
                    return
                received += block
            requests.append(received)
            try:
                for part in parts:
                    connection.sendall(part)
            except OSError:
                return  # it has heard enough
            if hold:
                done.wait(patience(10))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(patience(10))
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1], requests
        finally:
            done.set()
            thread.join()


def answer_of(*parts: bytes, seconds: float = 5, hold: bool = False) -> Answer | Problem:
    document = Document(URL, BODY, media_type="application/pdf")
    with service(*parts, hold=hold) as (port, _):
        return ask(Endpoint("127.0.0.1", port, "/pdf", secure=False), document, seconds, 10_000)


def read(address: str) -> list[Item]:
    options = Options(
        services={"application/pdf": Addresses(address)}, time_limit=timedelta(seconds=5)
    )
    return list(
        service_statements(Document(URL, BODY, media_type="application/pdf", options=options))
    )


def test_a_service_gets_the_body_and_answers_in_rdf() -> None:
    turtle = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\nContent-Length: 12\r\n\r\n<a> a <b> . "
    )
    with service(turtle) as (port, requests):
        items = read(f"http://127.0.0.1:{port}/pdf?x=1")
    assert items == [
        "<https://example.test/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://example.test/b>"
    ]
    (request,) = requests
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /pdf?x=1 HTTP/1.1\r\n")
    assert b"Content-Type: application/pdf\r\n" in head
    assert b"Content-Location: https://example.test/a.pdf\r\n" in head
    assert body == BODY


def test_nobody_is_asked_without_an_endpoint() -> None:
    assert list(service_statements(Document(URL, b"", media_type="application/pdf"))) == []
    (problem,) = read("nowhere")
    assert isinstance(problem, Problem)


@pytest.mark.parametrize(
    "parts",
    [
        [
            b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\nx\r\n0\r\n\r\n",
        ],
        [b"HTTP/1.0 200 OK\r\nContent-Type: a/b\r\n\r\n", b"x"],
    ],
)
def test_answers_end_in_several_ways(parts: list[bytes]) -> None:
    assert answer_of(*parts) == Answer(200, "a/b", b"x")


def test_a_redirect_is_not_followed() -> None:
    with service() as (port, requests):
        location = f"Location: http://127.0.0.1:{port}/\r\n".encode()
        answer = answer_of(b"HTTP/1.1 307 X\r\n" + location + b"Content-Length: 0\r\n\r\n")
        assert isinstance(answer, Answer)
        assert answer.status == 307
        assert requests == []
        socket.create_connection(("127.0.0.1", port)).close()


@pytest.mark.parametrize(
    ("parts", "clause"),
    [
        ([], "could not be asked"),
        ([b"rubbish\r\n\r\n"], "could not be asked"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", b"short"], "could not be asked"),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n", b"x" * 50_000], "more than 10,000"),
        ([b"HTTP/1.0 200 OK\r\n\r\n", *[b"x" * 1000] * 100], "more than 10,000"),
        ([b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000], "could not be asked"),
    ],
)
def test_a_service_that_misbehaves_is_a_problem(parts: list[bytes], clause: str) -> None:
    problem = answer_of(*parts)
    assert isinstance(problem, Problem)
    assert clause in problem.message


@pytest.mark.parametrize("parts", [[], [b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", b"x"]])
def test_a_service_that_is_silent_is_given_up(parts: list[bytes]) -> None:
    problem = answer_of(*parts, seconds=0.2, hold=True)
    assert isinstance(problem, Problem)
    assert "did not answer within 0.2 seconds" in problem.message


def test_a_service_that_is_not_there_is_a_problem() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    (problem,) = read(f"http://127.0.0.1:{port}/")
    assert isinstance(problem, Problem)
    assert "could not be asked" in problem.message
