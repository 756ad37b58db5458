"""External services: documents of a media type are sent to an HTTP endpoint, and RDF comes back.

Here is what is sent and how an answer is read; `service_client` does the sending. Only addresses
of the user's own configuration (`transform.services`) are ever contacted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from urllib.parse import SplitResult, urlsplit

from gossamer.config import Transform as Options
from gossamer.model import Problem, ServiceReply, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.media_types import match
from gossamer.transform.rdf import rdf_statements

MOST_BYTES: Final = 16 * 1024 * 1024  # of an answer
SYNTAXES: Final[Mapping[str, Syntax]] = MappingProxyType(
    {
        "application/n-quads": Syntax.N_QUADS,
        "application/n-triples": Syntax.N_TRIPLES,
        "application/trig": Syntax.TRIG,
        "text/turtle": Syntax.TURTLE,
        "application/rdf+xml": Syntax.RDF_XML,
    }
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The HTTP address of a service."""

    host: str
    port: int
    target: str  # path and query
    secure: bool

    def __str__(self) -> str:
        """For sentences; paths and queries may hold keys, so they are left out."""
        scheme = "https" if self.secure else "http"
        return f"{scheme}://{self.host}:{self.port}/"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered."""

    status: int
    content_type: str
    body: bytes


class Absent(Problem):
    """A service that nobody answers for at its address."""

    __slots__ = ()


def endpoint_for(options: Options, media_type: str | None) -> Endpoint | Problem | None:
    """The first address of the service for a media type; a problem if one of them is invalid."""
    found = endpoints_for(options, media_type)
    return found[0] if isinstance(found, tuple) else found


def endpoints_for(
    options: Options, media_type: str | None
) -> tuple[Endpoint, ...] | Problem | None:
    """The addresses of the service for a media type; a problem if one of them is invalid."""
    key = match(media_type, options.services)
    if key is None:
        return None
    try:
        addresses = dict.fromkeys(options.services[key].split()) or ("",)
        return tuple(_endpoint(urlsplit(address)) for address in addresses)
    except ValueError as error:
        return Problem(f"The service for {key} cannot be used: {error}.")


def headers_for(document: Document) -> dict[str, str]:
    """The request headers of a document: its type, its URL, and what we accept."""
    media_type = document.media_type or "application/octet-stream"
    return {
        "Content-Type": media_type,
        "Content-Location": document.url.encode("ascii", "ignore").decode(),
        "Accept": ", ".join(SYNTAXES),
        "User-Agent": "gossamer",
        "Connection": "close",
    }


def service_statements(document: Document) -> Iterator[Item]:
    """What the service for a document's media type says; nothing, if none is configured."""
    endpoint = endpoint_for(document.options, document.media_type)
    if isinstance(endpoint, Problem):
        yield endpoint
    elif endpoint is not None:
        if document.service:
            answer = _given(document.service)
        else:
            from gossamer.transform.service_client import ask_in_time  # HTTP and TLS: on request

            answer = ask_in_time(endpoint, document)
        if isinstance(answer, Problem):
            yield Problem(answer.message)
        else:
            yield from answer_statements(document, endpoint, answer)


def _given(reply: ServiceReply) -> Answer | Problem:
    if reply.fault is not None:
        return Problem(reply.fault)
    return Answer(reply.status, reply.content_type, reply.body)


def answer_statements(document: Document, endpoint: Endpoint, answer: Answer) -> Iterator[Item]:
    """The statements in the answer of a service."""
    if answer.status == 204:
        return
    if answer.status != 200:
        yield problem(endpoint, f"answered {answer.status}")
        return
    media_type, _, parameters = answer.content_type.partition(";")
    syntax = SYNTAXES.get(media_type.strip().lower())
    if syntax is None:
        yield problem(endpoint, f"answered in {media_type.strip()[:60] or 'no type'}, not in RDF")
        return
    encoding = "latin-1" if "iso-8859-1" in parameters.lower() else "utf-8"
    result = Document(document.url, answer.body, encoding=encoding, options=document.options)
    yield from rdf_statements(result, syntax, "s")


def problem(endpoint: Endpoint, clause: str) -> Problem:
    """A problem with a service."""
    return Problem(f"The service {endpoint} {clause}.")


def _endpoint(parts: SplitResult) -> Endpoint:
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("its address does not begin with http:// or https://")
    if parts.username is not None:
        raise ValueError("its address holds a user name, which is not supported")
    secure = parts.scheme == "https"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not target.isascii() or not target.isprintable() or " " in target:
        raise ValueError("its address has characters that want percent-encoding")
    return Endpoint(parts.hostname, parts.port or (443 if secure else 80), target, secure)
