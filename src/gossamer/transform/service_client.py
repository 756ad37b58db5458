"""The sending to external services: one request, no redirects, within time and size.

The owner of a pool asks on behalf of its workers, which have no way out (`reading/page_pool.py`).
"""

import http.client
import socket
from time import monotonic
from typing import Final

from gossamer.model import Problem
from gossamer.transform.document import Document
from gossamer.transform.services import (
    MOST_BYTES,
    Absent,
    Answer,
    Endpoint,
    headers_for,
    problem,
)

SHARE: Final = 0.8  # of a page's time, which a service may take
CONNECT_SECONDS: Final = 10.0  # whoever has not taken the connection by then is not there
GATEWAY_STATUSES: Final = frozenset({502, 503, 504})  # nobody behind it, or nobody yet
_BLOCK: Final = 64 * 1024


def ask_in_time(endpoint: Endpoint, document: Document) -> Answer | Problem:
    """Ask a service, within its share of a page's time."""
    return ask(endpoint, document, document.options.time_limit.total_seconds() * SHARE)


def ask(
    endpoint: Endpoint, document: Document, seconds: float, most_bytes: int = MOST_BYTES
) -> Answer | Problem:
    """Send a document to a service, and wait for its answer."""
    deadline = monotonic() + seconds
    kind = http.client.HTTPSConnection if endpoint.secure else http.client.HTTPConnection
    connection = kind(endpoint.host, endpoint.port, timeout=min(seconds, CONNECT_SECONDS))
    try:
        try:
            connection.connect()
        except OSError as error:
            return Absent(problem(endpoint, f"could not be asked: {_why(error)}").message)
        sock = connection.sock  # the connection lets go of it when the answer ends with it
        sock.settimeout(seconds)
        connection.request("POST", endpoint.target, document.body, headers_for(document))
        response = connection.getresponse()
        body = _body(sock, response, deadline, most_bytes)
    except TimeoutError:
        return problem(endpoint, f"did not answer within {seconds:g} seconds")
    except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: odd headers
        return problem(endpoint, f"could not be asked: {_why(error)}")
    finally:
        connection.close()
    if response.status in GATEWAY_STATUSES:
        return Absent(problem(endpoint, f"answered {response.status}").message)
    if body is None:
        return problem(endpoint, f"answered with more than {most_bytes:,} bytes")
    return Answer(response.status, response.headers.get("Content-Type", ""), body)


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__


def _body(
    sock: socket.socket, response: http.client.HTTPResponse, deadline: float, most_bytes: int
) -> bytes | None:
    """All of the body; None where it is too long."""
    body = bytearray()
    while len(body) <= most_bytes:
        if (left := deadline - monotonic()) <= 0:
            raise TimeoutError
        sock.settimeout(left)
        block = response.read1(_BLOCK)
        if not block and response.length:
            raise http.client.IncompleteRead(bytes(body), response.length)
        if not block:
            return bytes(body)
        body += block
    return None
