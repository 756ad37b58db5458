"""A small HTTP server that stands before a SPARQL server, or for one: it answers as it is told."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Seen:
    """A request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_update(self) -> bool:
        return self.headers.get("Content-Type") == "application/sparql-update"


@dataclass(frozen=True)
class Told:
    """An answer."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Rule = Callable[[Seen], Told | None]


def always(status: int, body: bytes = b"", **headers: str) -> Rule:
    """The same answer to everybody."""
    told = Told(status, body, {name.replace("_", "-"): value for name, value in headers.items()})
    return lambda _: told


class Gate:
    """`with Gate(url) as gate`: passes on what `rule` has no answer to."""

    def __init__(self, behind: str | None = None, tls: SSLContext | None = None) -> None:
        self.rule: Rule = lambda _: None
        self.seen: list[Seen] = []
        self._behind = behind
        gate = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # in one piece: else the second waits for word of the first

            def log_message(self, *_: object) -> None: ...

            def _handle(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = dict(self.headers.items())
                seen = Seen(self.command, self.path, headers, self.rfile.read(length))
                gate.seen.append(seen)
                told = gate.rule(seen) or gate._passed_on(seen)
                self.send_response(told.status)
                for name, value in told.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(told.body)))
                self.end_headers()
                self.wfile.write(told.body)

            do_GET = do_POST = do_PUT = _handle  # noqa: N815 (names of the library)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._scheme = "http" if tls is None else "https"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _passed_on(self, seen: Seen) -> Told:
        if self._behind is None:
            return Told(404, b"nothing here")
        connection = HTTPConnection(urlsplit(self._behind).netloc)
        kept = {n: v for n, v in seen.headers.items() if n in ("Content-Type", "Accept")}
        connection.request(seen.method, seen.path, seen.body, kept)
        answer = connection.getresponse()
        told = Told(
            answer.status,
            answer.read(),
            {"Content-Type": answer.getheader("Content-Type") or "text/plain"},
        )
        connection.close()
        return told
