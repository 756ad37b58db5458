"""Pages of other sites, in a browser: they lead people to our pages, and have us do nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.responses import PlainTextResponse, Response
from tests.e2e.conftest import PATIENCE, chromium
from tests.service.running import Client, service_on

from gossamer.config import Service
from gossamer.folder.data import DataFolder
from gossamer.service.routes import Call, Reply, Route
from gossamer.web.app import ROUTES

QUERY = "SELECT * { ?s ?p ?o } LIMIT 5"
WORK = ("/sparql?query=", "/api/explain?url=", "/politeness?urls=", "/api/search?q=")


@dataclass
class Worked:
    """A service whose routes note what was asked of them, and leave it at that."""

    url: str = ""
    asked: list[str] = field(default_factory=list)

    def noting(self, path: str) -> Route:
        async def note(call: Call) -> Response:
            self.asked.append(str(call.request.url))
            return PlainTextResponse("done")

        replies = {200: Reply(doc="Done.")}
        return Route(path=path, summary=path, handler=note, replies=replies, takes_anything=True)


@contextmanager
def page_elsewhere(body: str) -> Iterator[int]:
    """The port of a web server of somebody else, on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def working(tmp_path_factory: pytest.TempPathFactory, *origins: str) -> Iterator[Worked]:
    worked = Worked()
    paths = [urlsplit(each).path for each in WORK]
    noted = [worked.noting(path) for path in paths]
    others = [route for route in ROUTES if route.path not in paths]
    folder = DataFolder(tmp_path_factory.mktemp("other-sites") / "data")
    folder.path.mkdir()
    with service_on(folder, Service(origins=origins), routes=[*others, *noted]) as client:
        worked.url = client.url
        yield worked


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worked]:
    chromium()
    with working(tmp_path_factory) as worked:
        yield worked


@pytest.fixture
def evil(browser: Browser) -> Iterator[Page]:
    """A tab for pages of others."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


# Each resolves when the browser has an answer, or knows that it gets none.
ATTEMPTS = {
    "fetch": "fetch(url).catch(() => 0)",
    "fetch without cors": "fetch(url, {mode: 'no-cors'}).catch(() => 0)",
    "fetch with a header": "fetch(url, {headers: {'X-A': 'b'}}).catch(() => 0)",
    "beacon": "fetch(url, {method: 'POST', mode: 'no-cors', body: 'a=b'}).catch(() => 0)",
    "picture": "made('img', 'src')",
    "script": "made('script', 'src')",
    "style": "made('link', 'href')",
    "frame": "made('iframe', 'src')",
    "object": "made('object', 'data')",
    "form in a frame": "form()",
    "events": "new Promise(done => { new EventSource(url).onerror = done })",
}
SCRIPT = """async ([url, attempt]) => {
  const made = (tag, name) => new Promise(done => {
    const each = document.createElement(tag);
    if (tag === 'link') each.rel = 'stylesheet';
    each.onload = each.onerror = done;
    each[name] = url;
    document.body.append(each);
  });
  const form = () => new Promise(done => {
    const frame = document.createElement('iframe');
    frame.name = 'target';
    document.body.append(frame);
    const each = document.createElement('form');
    const asked = new URL(url);
    each.action = asked.origin + asked.pathname;
    each.target = 'target';
    for (const [name, value] of asked.searchParams) {
      const input = document.createElement('input');
      input.name = name;
      input.value = value;
      each.append(input);
    }
    document.body.append(each);
    frame.onload = done;
    each.submit();
  });
  await eval(attempt);
  document.body.replaceChildren();
}"""


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_another_sites_page_has_nothing_asked(service: Worked, evil: Page, name: str) -> None:
    """From another site, and from another port of the same name, which is the same site."""
    with page_elsewhere("<body>Elsewhere</body>") as port:
        evil.goto(f"http://{name}:{port}/")
        for path in WORK:
            for attempt in ATTEMPTS.values():
                evil.evaluate(SCRIPT, [f"{service.url}{path}{quote(QUERY)}", attempt])
    assert service.asked == []


def test_a_link_leads_to_pages_and_to_nothing_else(service: Worked, evil: Page) -> None:
    query = f"/query?query={quote(QUERY)}"
    places = ("/search?q=ada", query, "/explain?url=http://a.test/", *WORK)
    links = "".join(f'<p><a href="{service.url}{each}">{each}</a></p>' for each in places)
    with page_elsewhere(links) as port:
        there = f"http://localhost:{port}/"
        for place in WORK:
            evil.goto(there)
            with evil.expect_navigation() as led:
                evil.get_by_text(place, exact=True).click()
            assert led.value is not None
            assert led.value.status == 403
        assert service.asked == []
        for place in ("/search?q=ada", "/explain?url=http://a.test/", query):
            evil.goto(there)
            with evil.expect_navigation() as led:
                evil.get_by_text(place, exact=True).click()
            assert led.value is not None
            assert led.value.status == 200
        # The last is a query, which is shown and not asked until somebody does so here.
        expect(evil.get_by_text("It was not asked")).to_be_visible()
        expect(evil.locator("textarea[name=query]")).to_have_value(QUERY)
        assert service.asked == []
        evil.get_by_role("button", name="Ask").click()
        expect(evil.get_by_text("It was not asked")).not_to_be_visible()


def test_a_page_that_is_named_may_ask(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, evil: Page
) -> None:
    assert browser
    with page_elsewhere("<body>A friend</body>") as port:
        there = f"http://localhost:{port}"
        with working(tmp_path_factory, there) as service:
            evil.goto(there)
            url = f"{service.url}/sparql?query=x"
            told = evil.evaluate("url => fetch(url).then(each => each.text())", url)
            assert told == "done"
            evil.evaluate(SCRIPT, [url, ATTEMPTS["picture"]])
            assert service.asked == [url]


def test_our_own_pages_and_programs_ask_as_before(service: Worked, evil: Page) -> None:
    before = len(service.asked)
    evil.goto(f"{service.url}/")
    evil.evaluate("() => fetch('/sparql?query=own').then(each => each.text())")
    Client(service.url)("/sparql", query="program")
    evil.goto(f"{service.url}/sparql?query=typed")
    asked = [urlsplit(each).query for each in service.asked[before:]]
    assert asked == ["query=own", "query=program", "query=typed"]
