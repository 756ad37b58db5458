"""Requests to the user's own server: one at a time, waited for, the answer read as it comes.

For processes that do nothing else meanwhile. No redirect is followed, no cookie kept, and no proxy
of the environment used: the address is the user's word.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import pycurl

from gossamer.index.server.address import Server

CONNECT_SECONDS: Final = 10
MOST_HEADERS: Final = 200
SHORT_BYTES: Final = 4096  # of an answer that only says what is wrong
MOST_OF_A_MESSAGE: Final = 200
BUSY: Final = (408, 429, 502, 503, 504, 507)  # statuses: it may be better later
CUT: Final = (
    "The SPARQL server at {} cuts its answers at {} rows, so there may be more than it says. "
    "Raise its limit: for Virtuoso, ResultSetMaxRows in the section [SPARQL] of virtuoso.ini."
)
_WHY: Final = {
    pycurl.E_COULDNT_RESOLVE_HOST: "its name is not known",
    pycurl.E_COULDNT_CONNECT: "nobody takes the connection",
    pycurl.E_OPERATION_TIMEDOUT: "it took too long",
    pycurl.E_GOT_NOTHING: "it hung up without an answer",
    pycurl.E_RECV_ERROR: "the connection broke",
    pycurl.E_SEND_ERROR: "the connection broke",
    pycurl.E_PARTIAL_FILE: "its answer broke off",
}


class UnreachableError(Exception):
    """A server that gave no answer, or not all of it; the text says why."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked."""

    url: str
    body: bytes
    content_type: str
    accept: str = "*/*"
    method: str = "POST"
    timeout: float | None = None  # seconds; None: as long as it takes


class Http:
    """A way to one server. For one request after the other."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._multi = pycurl.CurlMulti()  # which keeps the connection for the next request
        self._authentication = pycurl.HTTPAUTH_BASIC

    def ask(self, request: Request, most_bytes: int = SHORT_BYTES) -> "ServerAnswer":
        """The answer, with so much of its body at most; raises `UnreachableError`."""
        with self.open(request) as exchange:
            body = bytearray()
            while len(body) < most_bytes and (part := exchange.read(most_bytes - len(body))):
                body += part
            return ServerAnswer(
                exchange.status,
                bytes(body),
                exchange.media_type,
                exchange.location,
                exchange.cut_at,
            )

    def open(self, request: Request) -> "Exchange":
        """The answer from its status on, to be read and closed; raises `UnreachableError`."""
        exchange = Exchange(self._multi, self._handle(request))
        if exchange.status == 401 and exchange.wants_digest and self._server.user is not None:
            if self._authentication == pycurl.HTTPAUTH_DIGEST:
                return exchange
            exchange.close()
            self._authentication = pycurl.HTTPAUTH_DIGEST
            return Exchange(self._multi, self._handle(request))
        return exchange

    def _handle(self, request: Request) -> pycurl.Curl:
        curl = pycurl.Curl()
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.FOLLOWLOCATION, 0)
        curl.setopt(pycurl.NETRC, pycurl.NETRC_IGNORED)
        curl.setopt(pycurl.PROXY, "")
        curl.setopt(pycurl.HTTP09_ALLOWED, 0)
        curl.setopt(pycurl.TCP_KEEPALIVE, 1)
        curl.setopt(pycurl.CONNECTTIMEOUT, CONNECT_SECONDS)
        curl.setopt(pycurl.TIMEOUT_MS, int((request.timeout or 0) * 1000))
        curl.setopt(pycurl.URL, request.url)
        curl.setopt(pycurl.CUSTOMREQUEST, request.method)
        curl.setopt(pycurl.POSTFIELDS, request.body)
        curl.setopt(pycurl.HTTPHEADER, self._headers(request))
        self._set_trust(curl)
        return curl

    def _set_trust(self, curl: pycurl.Curl) -> None:
        curl.setopt(pycurl.SSL_VERIFYPEER, 1)
        curl.setopt(pycurl.SSL_VERIFYHOST, 2)
        if self._server.authorities:
            curl.setopt(pycurl.CAINFO, self._server.authorities)
        if self._server.user is not None:
            curl.setopt(pycurl.HTTPAUTH, self._authentication)
            curl.setopt(pycurl.USERNAME, self._server.user.encode())
            curl.setopt(pycurl.PASSWORD, (self._server.password or "").encode())

    def _headers(self, request: Request) -> list[str]:
        # Without the empty one, curl would ask whether a large body is welcome, and wait.
        lines = [f"Content-Type: {request.content_type}", f"Accept: {request.accept}", "Expect:"]
        if self._server.token is not None:
            lines.append(f"Authorization: Bearer {self._server.token}")
        return lines


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """A status, and the body as far as it was wanted."""

    status: int
    body: bytes
    media_type: str
    location: str | None = None
    cut_at: int | None = None  # rows, beyond which the server leaves some out

    @property
    def is_good(self) -> bool:
        """Whether what was asked is done."""
        return 200 <= self.status < 300

    @property
    def message(self) -> str:
        """The status and the first words of the body, for people."""
        return said(self.status, self.body)


def said(status: int, body: bytes) -> str:
    """A status and the first words that came with it, on one line."""
    words = " ".join(body[:SHORT_BYTES].decode(errors="replace").split())
    printable = "".join(letter for letter in words if letter.isprintable())
    short = printable[:MOST_OF_A_MESSAGE] + ("…" if len(printable) > MOST_OF_A_MESSAGE else "")
    return f"{status}: {short}" if short and not short.startswith("<") else str(status)


class Exchange:
    """A request under way, and a file of its answer's body."""

    def __init__(self, multi: pycurl.CurlMulti, curl: pycurl.Curl) -> None:
        self._multi, self._curl = multi, curl
        self._received = bytearray()
        self._headers: list[tuple[str, str]] = []
        self._is_over = False
        curl.setopt(pycurl.WRITEFUNCTION, self._on_body)
        curl.setopt(pycurl.HEADERFUNCTION, self._on_header)
        multi.add_handle(curl)
        try:
            while not self._received and not self._is_over:
                self._advance()
        except UnreachableError:
            self.close()
            raise
        self.status = int(curl.getinfo(pycurl.RESPONSE_CODE))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Want no more of it."""
        if self._curl is not None:
            self._multi.remove_handle(self._curl)
            self._curl.close()
            self._curl = None

    def read(self, size: int = -1) -> bytes:
        """Some bytes, as soon as there are any; none at the end."""
        while not self._received and not self._is_over:
            self._advance()
        end = len(self._received) if size < 0 else size
        part = bytes(self._received[:end])
        del self._received[:end]
        return part

    @property
    def media_type(self) -> str:
        """What the body is said to be, without parameters."""
        return self._header("content-type").partition(";")[0].strip().lower()

    @property
    def location(self) -> str | None:
        """Where else to ask."""
        return self._header("location") or None

    @property
    def cut_at(self) -> int | None:
        """How many rows the server gives at most, where it says so: Virtuoso does when there are more."""
        most = self._header("x-sparql-maxrows")
        return int(most) if most.isdigit() else None

    @property
    def wants_digest(self) -> bool:
        """Whether a password has to be given in the way that does not show it.

        Virtuoso does not say how, where it is given in the other way.
        """
        asked = [value for name, value in self._headers if name == "www-authenticate"]
        return not asked or any(value.lower().startswith("digest") for value in asked)

    def _header(self, wanted: str) -> str:
        return next((value for name, value in self._headers if name == wanted), "")

    def _on_body(self, part: bytes) -> None:
        self._received += part

    def _on_header(self, line: bytes) -> None:
        name, colon, value = line.decode("latin-1").partition(":")
        if not colon:
            if line.strip():  # the status line, of which there may be several
                self._headers.clear()
        elif len(self._headers) < MOST_HEADERS:
            self._headers.append((name.strip().lower(), value.strip()))

    def _advance(self) -> None:
        """Let something happen, or wait a little for it."""
        self._multi.perform()
        _, good, bad = self._multi.info_read()
        if bad:
            _, code, message = bad[0]
            raise UnreachableError(_WHY.get(code) or message)
        if good:
            self._is_over = True
        elif not self._received and self._multi.select(1.0) == -1:
            time.sleep(0.01)  # nothing to wait on yet: a name is being looked up


def media_types(names: Sequence[str]) -> str:
    """An `Accept` for these, the first most of all."""
    weights = (1 - place / 10 for place in range(len(names)))
    return ", ".join(f"{name};q={weight:.1f}" for name, weight in zip(names, weights, strict=True))
