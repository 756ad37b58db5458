"""Search, as people do it."""

from tests.service.running import Client
from tests.web.conftest import Look


def test_the_front_page_says_what_there_is_to_ask(look: Look, ask: Client) -> None:
    page = look("/")
    facets = ask("/api/search", limit=1).json["facets"]["types"]
    chips = {each.text().split()[0] for each in page.all(".chip")}
    assert chips == set(facets)
    assert page.one("main form").attributes["action"] == "/search"
    assert f"{ask('/api/status').json['ended']['content']:,} pages" in page.text


def test_what_was_found_is_listed_with_its_sources(look: Look, ask: Client) -> None:
    found = ask("/api/search", q="the").json
    page = look("/search", q="the")
    assert f"{found['total']:,} results" in page.text
    assert [each.text() for each in page.all(".result h2")] == [
        each["label"] for each in found["results"]
    ]
    assert page.all(".result mark")
    assert page.one("main input").attributes["value"] == "the"


def test_a_facet_narrows_down_and_is_taken_back(look: Look, ask: Client) -> None:
    before = look("/search", q="the")
    link = next(
        each for each in before.all(".facet a") if "type=" in (each.attributes["href"] or "")
    )
    narrowed = look(link.attributes["href"] or "")
    name, number = link.text().split()
    assert f"{number} result" in narrowed.text
    assert narrowed.one(".chip--on").text().split()[0] == name
    assert narrowed.links(".chip--on") == ["/search?q=the"]


def test_results_are_turned_page_by_page(look: Look) -> None:
    first = look("/search")
    second = look(first.one(".pager [rel=next]").attributes["href"] or "")
    assert second.one(".pager [rel=prev]").attributes["href"] == "/search"
    labels = {each.attributes["href"] for each in first.all(".result h2 a")}
    assert not labels & {each.attributes["href"] for each in second.all(".result h2 a")}


def test_another_spelling_is_offered(look: Look, ask: Client) -> None:
    label = next(
        word
        for each in ask("/api/search", form="thing", limit=50).json["results"]
        for word in each["label"].split()
        if word.isalpha() and word.isascii() and len(word) > 5
    )
    page = look("/search", q=f"{label[:-1]}q{label[-1]}")
    assert "With one letter different" in page.text
    assert look(page.links(".note a")[0]).all(".result")


def test_what_nobody_has_says_so_and_what_was_typed_stays_text(look: Look) -> None:
    page = look("/search", q='<script>alert("x")</script>zzzq')
    assert "Nothing was found" in page.text
    assert page.one("main input").attributes["value"] == '<script>alert("x")</script>zzzq'


def test_a_search_that_cannot_be_is_400(look: Look) -> None:
    assert "half of all words" in look("/search", status=400, q="a*").text
    look("/search", status=400, since="yesterday")
    look("/search", status=400, q="x" * 1001)


def test_no_picture_of_others_is_loaded(look: Look) -> None:
    page = look("/search", limit=100)
    assert not page.all("img")
    assert "img-src 'self' data:;" in page.headers["content-security-policy"]


def test_a_type_that_nothing_has_is_told_and_the_nearest_is_offered(look: Look) -> None:
    page = look("/search", q="the", type="persn")
    assert "is of type persn" in page.text
    assert "fewer words" not in page.text
    assert "Did you mean Person" in page.text
    near, without = page.links("main .empty a")
    assert "type=Person" in near
    assert "q=the" in near
    assert "type=" not in without
    instead, _ = look("/search", type="persn").links("main .empty a")
    assert look(instead).all(".result")
    assert "Did you mean" not in look("/search", type="Zzzzzzzz").text


def test_a_type_that_some_have_is_not_blamed_for_words_that_nobody_has(look: Look) -> None:
    page = look("/search", q="xyzzyx", type="Person")
    assert "fewer words" in page.text
    assert "is of type" not in page.text


def test_signs_alone_find_nothing_and_the_reader_is_told(look: Look) -> None:
    for signs in ('"', "(", "*", " - ", "“”"):
        page = look("/search", q=signs)
        assert "There is no word to look for" in page.text, signs
        assert not page.all(".result")
    assert look("/search", q="  ").all(".result")
