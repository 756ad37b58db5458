"""For whoever runs a site that we crawl."""

import pytest
from tests.service.conftest import WORLD
from tests.service.running import Client
from tests.web.conftest import Look

from gossamer.web.pages.site_owner import contact_address, host_named

HOST = WORLD.front(0).split("/")[2]


def test_what_we_did_there_is_told(look: Look, ask: Client) -> None:
    page = look("/site-owner", host=HOST)
    requests = ask("/trace", host=HOST, limit=30).json["requests"]
    assert len(page.all("#last ~ .scroll tbody tr")) == len(requests) > 0
    assert "never sooner than agreed" in page.text


def test_how_to_slow_us_down_and_keep_us_out_is_there_without_a_host(look: Look) -> None:
    page = look("/site-owner")
    rules = [each.text() for each in page.all("pre")]
    assert "User-agent: gossamer\nCrawl-delay: 10" in rules
    assert "User-agent: gossamer\nDisallow: /" in rules
    assert "Retry-After" in page.text
    assert "has not said how to reach them" in page.text


def test_of_a_host_that_we_did_not_ask_it_says_so(look: Look) -> None:
    assert "we have not asked nobody.test" in look("/site-owner", host="nobody.test").text
    assert look("/site-owner", host="<script>").one("h1").text()


@pytest.mark.parametrize(
    ("typed", "host"),
    [("Example.org", "example.org"), (" https://a.test:8080/x ", "a.test"), ("a.test/x", "a.test"),
     ("a.test.", "a.test"), ("", ""), ("http://[", ""), ("a b", "a b")],
)  # fmt: skip
def test_people_paste_addresses(typed: str, host: str) -> None:
    assert host_named(typed) == host


def test_a_contact_is_a_link() -> None:
    assert contact_address("https://a.test/bot") == "https://a.test/bot"
    assert contact_address("me@a.test") == "mailto:me@a.test"
    assert contact_address(None) is None
