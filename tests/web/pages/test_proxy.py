"""What the proxy does, for people."""

from tests.service.running import Answered
from tests.web.conftest import Look
from tests.web.reading import read

from gossamer.model import Url
from gossamer.proxy.access_log import Figures
from gossamer.service.guard import HEADERS
from gossamer.web.pages.proxy import WORDS, ProxyPage
from gossamer.web.rendering import rendered

HOSTILE = Url("http://a.test/<script>alert(1)</script>?'\"")


def test_where_there_is_none_the_page_says_how_to_have_one(look: Look) -> None:
    page = look("/proxy")
    assert "No proxy runs here." in page.text
    assert "gossamer serve --proxy" in page.text


def test_clients_hosts_and_requests_in_hand_are_shown_as_text() -> None:
    figures = Figures(tunnels=2)
    figures.enter("<b>me</b>", "GET", HOSTILE).waits()
    figures.leave(None, 403, "ourselves")
    record = figures.record("127.0.0.1:8118", {"hits": 5}, intercepts=True)
    body = rendered("proxy.html", ProxyPage(record, WORDS))
    headers = {name.lower(): value for name, value in HEADERS.items()}
    page = read(Answered(200, headers, body))
    assert "at 127.0.0.1:8118" in page.text
    assert "reads HTTPS too" in page.text
    for row in ("<b>me</b> 1 1", "a.test 1 1", "ourselves 1", "403 1", "hits 5"):
        assert row in page.text
    assert "waits for its turn" in page.text
    assert "<script>" in page.text
