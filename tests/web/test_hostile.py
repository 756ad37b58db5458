"""A crawl of pages full of attempts to get in: every page of ours shows them as text."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.crawl.crawls import crawled, hurried, reaching
from tests.service.running import Client, service_on
from tests.web.conftest import BROWSER
from tests.web.reading import Page, read

from gossamer.config import Service
from gossamer.folder.data import DataFolder

SCRIPT = "<script>alert(1)</script>"
BREAKOUT = '"><img src=x onerror=alert(2)>'
CLOSING = "</textarea></title></style></script><svg onload=alert(3)>"
TEMPLATE = "{{ 7 * 7 }}{% raw %}"
TURNED = "gnp.\u202eexe"
BAD_LINKS = ["javascript:alert(4)", "data:text/html,<script>alert(5)</script>", "vbscript:x"]
THING = {
    "@context": "http://schema.org/",
    "@id": "http://evil.test/thing#<b>",
    "@type": ["Person", f"http://evil.test/{BREAKOUT}"],
    "name": f"Mallory {SCRIPT} {BREAKOUT}",
    "description": f"Mallory {CLOSING} {TEMPLATE} {TURNED}",
    "url": BAD_LINKS[0],
    "sameAs": [{"@id": link} for link in BAD_LINKS],
    "image": [*BAD_LINKS, "http://tracker.test/pixel.gif"],
    f"http://evil.test/p{SCRIPT}": BREAKOUT,
    "address": {"@type": "PostalAddress", "streetAddress": SCRIPT},
}
HTML = f"""<!doctype html><html><head><title>{CLOSING}Mallory's page</title>
<script>alert(6)</script><meta http-equiv="refresh" content="0;url=http://elsewhere.test/">
<script type="application/ld+json">{json.dumps(THING).replace("<", chr(92) + "u003c")}</script>
<script type="application/ld+json">{{ "@context": "http://schema.org/", "name": "{SCRIPT.replace("/", "")}
</script></head><body onload="alert(7)"><a href="/{"%3Cb%3E"}?q='%22">next</a>
<a href="javascript:alert(8)">{SCRIPT}</a><iframe src="http://elsewhere.test/"></iframe>
<form action="http://elsewhere.test/"><input></form></body></html>"""


class Hostile(BaseHTTPRequestHandler):
    """Says the same everywhere."""

    def do_GET(self) -> None:
        is_robots = self.path == "/robots.txt"
        body = b"" if is_robots else HTML.encode()
        self.send_response(404 if is_robots else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as it is called)
        """Nobody reads it."""


@contextmanager
def hostile_web() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "data"
    with hostile_web() as address:
        crawled(folder, reaching(hurried(scope="page"), address), ["http://evil.test/"])
    return folder


@pytest.fixture(scope="module")
def evil(folder: Path) -> Iterator[Client]:
    with service_on(DataFolder(folder)) as client:
        yield client


def look(client: Client, path: str, **query: object) -> Page:
    """A page of ours, found well-formed and harmless; and nothing went wrong on the way."""
    answer = client(path, headers={"Accept": BROWSER}, **query)  # type: ignore[arg-type]  # any query
    assert answer.status == 200, answer.body
    assert not client.events
    page = read(answer)
    for link in page.links("a"):
        assert not link.lower().startswith(("javascript", "data", "vbscript")), link
    assert not page.all("main img, main script, svg[onload]")
    assert "49" not in page.title
    return page


def test_search_shows_what_was_found_as_text(evil: Client) -> None:
    page = look(evil, "/search", q="mallory")
    assert all("Mallory" in each.text() for each in page.all(".result"))
    look(evil, "/search", q=SCRIPT)
    look(evil, "/search", q=BREAKOUT, type=SCRIPT, host='"><b>', lang="<i>")
    look(evil, "/")


def test_every_thing_has_a_page_that_does_no_harm(evil: Client) -> None:
    found = evil("/api/search", limit=50).json["results"]
    assert found
    pages = [look(evil, "/entity", id=each["id"]) for each in found]
    whole = next(page for page in pages if "street address" in page.text)
    assert SCRIPT in whole.text
    assert "{{ 7 * 7 }}" in whole.text
    assert "javascript:alert(4)" in whole.text
    assert "\u202e" not in whole.source


def test_the_page_its_source_and_all_lists_do_no_harm(evil: Client) -> None:
    page = look(evil, "/page", url="http://evil.test/", read="again")
    assert SCRIPT in page.text
    source = look(evil, "/source", url="http://evil.test/")
    assert source.all(".source li")[0].text().startswith("<!doctype html>")
    for path in (
        "/crawl",
        "/hosts",
        "/problems",
        "/changes",
        "/report",
        "/report?host=evil.test",
        "/freshness",
        "/audit",
        "/log",
        "/site-owner?host=evil.test",
    ):
        look(evil, path)
    look(evil, "/query", query="SELECT * { ?s ?p ?o }")
    look(evil, "/query", query=f"SELECT ?x {{ BIND ('''{CLOSING}''' AS ?x) }}")


def test_the_archived_copy_is_what_was_sent_and_can_do_nothing(evil: Client) -> None:
    answer = evil("/archived", url="http://evil.test/")
    assert answer.body.decode() == HTML
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


def test_pictures_are_shown_only_where_that_is_wished(folder: Path, evil: Client) -> None:
    service = Service(pictures=True)
    with service_on(DataFolder(folder), service, beside=True) as showing:
        found = showing("/api/search", q="mallory").json["results"]
        answer = showing("/entity", id=found[0]["id"], headers={"Accept": BROWSER})
        (picture,) = read(answer).all("main img")
        assert picture.attributes["src"] == "http://tracker.test/pixel.gif"
        assert picture.attributes["referrerpolicy"] == "no-referrer"
        assert "img-src 'self' data: https: http:;" in answer.headers["content-security-policy"]
        assert showing("/search", q="mallory").status == 200
