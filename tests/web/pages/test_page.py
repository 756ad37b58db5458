"""What we know of one page."""

from typing import Any

import pytest
from tests.service.conftest import WORLD
from tests.service.running import Client
from tests.web.conftest import Look

from gossamer.web.addresses import page_address
from gossamer.web.pages.page import main_first, statements_of

FRONT = WORLD.front(0)


def test_what_became_of_it_is_told(look: Look) -> None:
    page = look("/page", url=FRONT)
    assert "status 200" in page.text
    assert "it is a seed" in page.text
    assert page.one("h1").text() == FRONT.removeprefix("http://")


def test_the_scheme_may_be_left_out(look: Look) -> None:
    assert look("/page", url=FRONT.removeprefix("http://")).title == look("/page", url=FRONT).title


def test_all_that_it_says_is_listed(look: Look, ask: Client) -> None:
    rows = ask(
        "/sparql",
        query=f"SELECT * {{ GRAPH <{FRONT}> {{ ?s ?p ?o }} }}",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    page = look("/page", url=FRONT)
    assert len(page.all("#says ~ .scroll tbody tr")) == min(200, len(rows)) > 0
    assert "this page" in page.text


def said(subject: str, property_: str, value: str = "x", kind: str = "literal") -> Any:
    return {
        "s": {"type": "bnode" if subject.startswith("b") else "uri", "value": subject},
        "p": {"type": "uri", "value": property_},
        "o": {"type": kind, "value": value},
    }


def test_the_page_and_what_it_is_about_come_first() -> None:
    about = said("urn:page", "https://schema.org/mainEntity", "bmain", "bnode")
    rows = [
        said("bother", "urn:p"),
        said("urn:other", "urn:p"),
        said("bmain", "urn:p"),
        said("urn:page", "urn:p"),
    ]
    told = [each["s"]["value"] for each in main_first([*rows, about], "urn:page")]
    assert told == ["urn:page", "urn:page", "bmain", "urn:other", "bother"]


def test_without_a_word_about_it_the_main_thing_is_that_of_which_most_is_said() -> None:
    rows = [said("burning", "urn:p"), said("urn:a", "urn:p"), *[said("bmost", "urn:p")] * 3]
    told = [each["s"]["value"] for each in main_first(rows, "urn:page")]
    assert told == ["bmost", "bmost", "bmost", "urn:a", "burning"]


def test_nameless_things_are_called_what_the_page_calls_them() -> None:
    rows = [
        said("urn:page", "http://schema.org/author", "bone", "bnode"),
        said("bone", "http://schema.org/headline", "A headline"),
        said("bone", "http://schema.org/name", "Ada Lovelace"),
        said("btwo", "http://schema.org/email", "a@b.test"),
    ]
    told = [(each.subject.text, each.object.text) for each in statements_of(rows, "urn:page")]
    assert told[0] == ("this page", "Ada Lovelace")
    assert {subject for subject, _ in told[1:]} == {"Ada Lovelace", "a thing (email a@b.test)"}


def test_statements_begin_with_the_page_itself(look: Look) -> None:
    first = look("/page", url=FRONT).all("#says ~ .scroll tbody tr")[0]
    assert first.css("td")[0].text() == "this page"


def test_the_copy_is_in_a_frame_that_can_do_nothing(look: Look) -> None:
    frame = look("/page", url=FRONT).one("iframe")
    assert frame.attributes["sandbox"] in ("", None)
    assert frame.attributes["loading"] == "lazy"


def test_pages_that_lead_here_are_told(look: Look, ask: Client) -> None:
    rows = ask(
        "/sparql",
        query="SELECT ?from ?to { GRAPH ?from { ?s rdfs:seeAlso ?to } GRAPH ?f { ?f prov:used ?to } "
        "FILTER (?from != ?to && !CONTAINS(STR(?from), '#')) } ORDER BY ?from ?to LIMIT 1",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    page = look("/page", url=rows[0]["to"]["value"])
    assert page_address(rows[0]["from"]["value"]) in page.links("aside .plain-list a")


def test_plain_links_count_among_pages_that_lead_here(look: Look) -> None:
    again = look("/page", url=FRONT, read="again")
    linked = next(
        each for each in again.links("aside .plain-list a") if each != page_address(FRONT)
    )
    assert page_address(FRONT) in look(linked).links("aside .plain-list a")


def test_pages_that_failed_or_were_never_asked_for_are_told_too(look: Look, ask: Client) -> None:
    pages: list[Any] = ask("/api/problems").json["pages"]
    for kind in {each["kind"] for each in pages}:
        one = next(each for each in pages if each["kind"] == kind)
        page = look("/page", url=one["url"])
        assert (one["why"] or one["problems"][0]["message"]) in page.text


@pytest.mark.parametrize("url", ["http://nobody.test/", f"{FRONT}<script>alert(1)</script>"])
def test_what_the_crawl_has_not_met_is_404(look: Look, url: str) -> None:
    assert "has not met this page" in look("/page", status=404, url=url).text


@pytest.mark.parametrize("url", ["http://", "javascript:alert(1)", "", "mailto:a@b.test"])
def test_what_is_no_address_is_400(look: Look, url: str) -> None:
    look("/page", status=400, url=url)
