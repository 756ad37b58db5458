"""The log of the crawl: here that of one node, from its folder."""

from tests.service.running import Client
from tests.web.conftest import Look


def test_the_newest_lines_come_first_and_are_told_in_sentences(look: Look, ask: Client) -> None:
    told = ask("/api/log", limit=5).json
    assert (len(told["lines"]), told["is_shared"]) == (5, False)
    assert all(line["node"] and line["at"] and line["event"] for line in told["lines"])
    page = look("/log", limit=5)
    assert len(page.all("tbody tr")) == 5


def test_a_form_narrows_it_down_and_its_blank_fields_mean_nothing(look: Look, ask: Client) -> None:
    host = ask("/trace", limit=1).json["requests"][0]["host"]
    page = look("/log", node="", host=host, event="requested", level="", since="")
    assert {each.text() for each in page.all("tbody .badge")} == {"requested"}
    assert page.one("#host").attributes["value"] == host
    assert "No line of the log is like that" in look("/log", host="nobody.test").text


def test_what_means_nothing_is_refused(look: Look, ask: Client) -> None:
    look("/log", status=400, event="no-such-event")
    look("/log", status=400, since="yesterday")
    refused = ask("/api/log", event="no-such-event")
    assert refused.status == 400
    assert ask("/api/log", level="").status == 400


def test_requests_are_told_with_their_node(ask: Client) -> None:
    assert all("node" in each for each in ask("/trace").json["requests"])
