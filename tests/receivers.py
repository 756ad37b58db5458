"""A server on loopback that takes posts, as a receiver of webhooks does."""

import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.slowness import patience


@dataclass
class Receiver:
    """A server on loopback, and what was posted to it."""

    url: str = ""
    status: int = 204
    statuses: "queue.Queue[int]" = field(default_factory=queue.Queue)  # of the next answers
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    answering: threading.Event = field(
        default_factory=threading.Event
    )  # cleared: it keeps us waiting
    heard: "queue.Queue[tuple[dict[str, str], bytes]]" = field(default_factory=queue.Queue)

    def next(self) -> tuple[dict[str, str], Any]:
        """The next post, waited for."""
        headers, body = self.heard.get(timeout=patience(20))
        return headers, json.loads(body)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that runs until the block ends."""
    made = Receiver()
    made.answering.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.heard.put((dict(self.headers), body))
            made.answering.wait(patience(60))
            self.send_response(made.statuses.get_nowait() if made.statuses.qsize() else made.status)
            for name, value in made.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(made.body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            pass  # who posts may be killed before the answer

    server = Server(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/hook/key"
    serving = threading.Thread(target=server.serve_forever, args=(0.02,))
    serving.start()
    try:
        yield made
    finally:
        made.answering.set()
        server.shutdown()
        serving.join()
        server.server_close()
