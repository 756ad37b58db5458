"""A site without end on loopback, served by a thread: each page leads to the next and describes a person."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

FRONT: Final = "http://a.test/0"


def nothing(_: str) -> None:
    """What a site does when it is asked for a page, as a rule."""


@dataclass
class Chain:
    """The site, and the options of a crawl that goes there."""

    address: str
    pages: int
    when_asked: Callable[[str], None] = nothing
    asked: list[str] = field(default_factory=list)

    @property
    def options(self) -> dict[str, Any]:
        """Keywords of a crawl that goes there and wastes no time."""
        return {
            "connect_to": [f"*.test={self.address}"],
            "delay": 0,
            "workers": 1,
            "agent_contact": "me@a.test",
            "config": {"sitemaps.use": False, "politeness.slowness": 0},
        }

    def page(self, path: str) -> tuple[int, str]:
        """The status and text of a page."""
        number = path.lstrip("/")
        if not number.isdigit() or int(number) >= self.pages:
            return 404, "nothing"
        person = {"@context": "http://schema.org/", "@type": "Person", "name": f"Ada {number}"}
        linked = f"<script type='application/ld+json'>{json.dumps(person)}</script>"
        return 200, f"<title>{number}</title>{linked}<a href='/{int(number) + 1}'>on</a>"


@contextmanager
def served(pages: int = 10**9, kind: type[Chain] = Chain) -> Iterator[Chain]:
    """Serve so many pages."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            chain.asked.append(self.path)
            chain.when_asked(self.path)
            status, text = chain.page(self.path)
            self.send_response(status)
            media_type = "text/csv" if self.path.endswith(".csv") else "text/html"
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    chain = kind(f"127.0.0.1:{server.server_port}", pages)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield chain
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
