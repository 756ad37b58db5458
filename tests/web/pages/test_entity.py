"""The page of one thing."""

from typing import Any

import pytest
from tests.service.conftest import WORLD
from tests.service.running import Client
from tests.web.conftest import BROWSER, Look

from gossamer.web.addresses import address, page_address
from gossamer.web.nested import Fact, Nested
from gossamer.web.pages.entity import Source, Value, alike_once


@pytest.fixture(scope="module")
def thing(ask: Client) -> Any:
    """The thing of the crawl that is linked most."""
    found = ask("/api/search", form="thing", limit=100).json["results"]
    linked = max(found, key=lambda each: (each["links_in"], each["links_out"]))
    return ask("/api/entity", id=linked["id"]).json


def test_every_property_is_there_with_its_values_and_sources(look: Look, thing: Any) -> None:
    page = look("/entity", id=thing["id"])
    assert page.one("h1").text() == thing["label"]
    assert len(page.all(".property")) == len(thing["properties"])
    assert 0 < len(page.all(".values > li")) <= sum(len(p["values"]) for p in thing["properties"])
    assert all(each.css(".sources a") for each in page.all(".values > li"))
    numbers = {each.attributes["href"] for each in page.all(".sources a")}
    assert numbers == {f"#{each.attributes['id']}" for each in page.all(".source-list li")}


def test_a_thing_that_is_a_page_leads_to_what_we_know_of_it(look: Look, thing: Any) -> None:
    front = WORLD.front(0)
    assert page_address(front) in look("/entity", id=front).links(".thing-head a")
    assert "What we know of this page" not in look("/entity", id=thing["id"]).text


def test_properties_have_readable_names(look: Look, thing: Any) -> None:
    titles = [each.text() for each in look("/entity", id=thing["id"]).all(".property h3")]
    assert titles[0].startswith("is a")
    assert not [title for title in titles if title.startswith("http")]


def test_what_links_here_is_listed_and_drawn(look: Look, thing: Any) -> None:
    assert thing["links_here"]
    page = look("/entity", id=thing["id"])
    assert "What links here" in page.text
    assert page.one("[data-graph]").attributes["data-graph"] == thing["id"]
    assert page.all("svg.star circle")
    for link in page.links("svg.star a"):
        assert link.startswith("/entity?id=")


def test_a_thing_without_a_name_shows_what_it_is(look: Look, ask: Client) -> None:
    rows = ask(
        "/sparql",
        query="SELECT ?thing { ?thing schema:address ?where FILTER (STRSTARTS(STR(?where), "
        "'gossamer-blank:')) } LIMIT 1",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    name = rows[0]["thing"]["value"]
    page = look("/entity", id=f"_:{name}" if rows[0]["thing"]["type"] == "bnode" else name)
    assert page.all(".nested dt")
    inside = look(page.links(".nested p > a")[0])
    assert inside.one("h1").text()


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [("text/turtle", "text/turtle"), ("application/ld+json", "application/ld+json"),
     ("application/json", "application/json"), (BROWSER, "text/html"), ("*/*", "text/html"), ("application/rdf+xml, text/html;q=0.5", "application/rdf+xml")],
)  # fmt: skip
def test_the_form_follows_the_accept_header(
    ask: Client, thing: Any, accept: str, media_type: str
) -> None:
    answer = ask("/entity", id=thing["id"], headers={"Accept": accept})
    assert (answer.status, answer.media_type) == (200, media_type)
    assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize("to", ["turtle", "jsonld", "ntriples", "rdfxml"])
def test_it_can_be_taken_along(look: Look, ask: Client, thing: Any, to: str) -> None:
    page = look("/entity", id=thing["id"])
    (link,) = [each for each in page.links("a[download]") if each.endswith(f"to={to}")]
    answer = ask(link)
    assert answer.headers["content-disposition"].startswith("attachment; filename=")
    assert thing["label"].encode() in answer.body or b"\\u" in answer.body


def test_a_class_leads_to_its_things_and_a_property_to_its_statements(
    look: Look, ask: Client, thing: Any
) -> None:
    type_ = thing["types"][0]
    page = look("/entity", id=type_)
    assert "of this type" in page.text
    assert address("/search", type=type_) in page.links("main .card a")
    found = ask("/api/search", type=type_, limit=1000).json["results"]
    assert thing["id"] in {each["id"] for each in found}
    page = look("/entity", id=thing["properties"][-1]["iri"])
    assert "as property" in page.text
    assert any(link.startswith("/query?") for link in page.links("main .card a"))


def test_what_nobody_speaks_of_is_404_and_what_is_no_name_400(look: Look) -> None:
    look("/entity", status=404, id="http://nobody.test/")
    look("/entity", status=400, id="no iri <script>")
    look("/entity", status=400)
    look("/entity", status=400, id="urn:x", to="exe")


def test_nameless_things_of_which_the_same_is_said_are_shown_once() -> None:
    rating, other = (Nested("Rating", (Fact("value", n, None),)) for n in "34")
    one, two, three = (Source(n, f"http://a.test/{n}") for n in (1, 2, 3))
    values = [
        value("gossamer-blank:1", rating, one),
        value("gossamer-blank:2", other, two),
        value("gossamer-blank:3", rating, three, one),
        value("gossamer-blank:4", None, two),
        value("gossamer-blank:5", None, two),
    ]
    shown = alike_once(values)
    assert [each.nested for each in shown] == [rating, other, None, None]
    assert shown[0].sources == [one, three]


def value(iri: str, nested: Nested | None, *sources: Source) -> Value:
    told = {"type": "thing", "value": iri, "language": None, "datatype": None}
    return Value(told, sources, 0, nested)
