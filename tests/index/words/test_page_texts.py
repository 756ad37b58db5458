"""Visible texts of pages in the search index: with entities, and of pages that say nothing."""

from pathlib import Path

from tests.index.words.small_graph import Small, page, thing

from gossamer.index.words.page_texts import MOST_PAGES, entity_texts, may_be_page, page_entity
from gossamer.transform.text.page_text import PageText

A, B = "http://a.test/", "http://b.test/"
KEEPER = PageText("The keeper", ("Ships",), "Ships He counts ships by night.", language="en")


def test_a_page_that_says_nothing_is_found_by_what_people_see(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.show(A, KEEPER)
    small.follow()
    answer = small.answer("counts night")
    (found,) = answer["results"]
    assert (found["id"], found["label"], found["is_page"]) == (A, "The keeper", True)
    assert (found["pages"], found["hosts"], found["types"]) == ([A], ["a.test"], [])
    text = found["snippet"]["text"]
    assert [text[start:end] for start, end in found["snippet"]["marks"]] == ["counts", "night"]
    assert answer["facets"] == {"types": {}, "hosts": {"a.test": 1}, "languages": {"en": 1}}


def test_a_page_that_is_an_entity_is_one_result_with_its_text(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.show(A, KEEPER, *thing(A, "WebPage", name="About the keeper", about=f"<{A}#he>"))
    small.follow()
    assert small.found("counts") == ["About the keeper"]
    assert small.answer("keeper")["total"] == 1


def test_words_are_found_where_they_have_to_stand(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    text = PageText("Brass", ("Copper",), "Tin", "Lead")
    small.show(A, text, *thing(A, "WebPage", name="Gold", description="Silver"))
    small.follow()
    found = {
        word: [where for where in ("title", "text", "data") if small.found(word, within=(where,))]
        for word in ("gold", "brass", "silver", "copper", "tin", "lead")
    }
    assert found == {
        "gold": ["title", "data"],
        "brass": ["title", "text"],
        "silver": ["data"],
        "copper": ["text"],
        "tin": ["text"],
        "lead": ["text"],
    }
    assert small.found("silver tin") == small.found("tin -bronze") == ["Gold"]
    assert small.found("silver tin", within=("title", "text")) == ["Gold"]  # some of the words
    assert small.answer("silver tin", within=("title", "text"))["relaxed"]
    assert not small.found("silver -tin")


def test_a_text_changes_goes_and_is_forgotten_with_its_page(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.show(A, KEEPER)
    small.follow()
    small.show(A, PageText("The keeper", main="He sleeps."))
    small.follow()
    assert (small.found("counts"), small.found("sleeps")) == ([], ["The keeper"])
    small.texts.clear()
    small.say(page(A, has_other_text=True))
    small.follow()
    assert small.found("sleeps") == []
    small.show(A, KEEPER)
    small.follow()
    small.texts.clear()
    small.say(page(A, drop=True))
    small.follow()
    assert small.answer("")["total"] == 0


def test_all_scripts_are_found(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    texts = {
        "ja": "灯台守は夜に通り過ぎた船を数えた。",
        "th": "เรือออกจากท่าในตอนเช้า",
        "ar": "غادرت السفينة الميناء في الصباح",
        "ru": "Корабль вышел из порта утром",
        "hi": "जहाज़ सुबह बंदरगाह से चला गया",
        "de": "Das Schiff verließ den größten Hafen",
    }
    for name, text in texts.items():
        small.show(A + name, PageText(name, main=text))
    small.follow()
    sought = {
        "ja": "船を",
        "th": "ตอนเช้า",
        "ar": "السفينة",
        "ru": "порта",
        "hi": "सुबह",
        "de": "grossten",
    }
    assert {name: small.found(word) for name, word in sought.items()} == {
        name: [name] for name in texts
    }


def test_a_page_of_others_gives_an_entity_words_and_no_title(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    wikidata = "http://www.wikidata.org/entity/Q7259"
    small.show(
        B, PageText("Pills", main="Cheap pills"), *thing(B, name="P", sameAs=f"<{wikidata}>")
    )
    small.follow()
    assert small.found("cheap", within=("text",)) == ["P"]
    assert small.found("pills", within=("title",)) == []


def test_of_many_pages_some_are_taken_and_of_broken_texts_none() -> None:
    pages = {f"http://{name}.test/": KEEPER.pack() for name in "abcdefg"}
    assert len(entity_texts(A, pages)) == MOST_PAGES
    assert [each.is_own for each in entity_texts(A, pages)] == [True, False, False]
    assert entity_texts(A, {A: b"broken"}) == []
    assert page_entity(A, [A], [], 0) is None


def test_a_page_without_a_title_is_called_by_what_there_is() -> None:
    for text, label in (
        (PageText(headings=("Ships",), main="Ships sail."), "Ships"),
        (PageText(main="Ships sail."), "Ships sail."),
        (PageText(rest="\u200b"), A),
    ):
        found = page_entity(A, [A], entity_texts(A, {A: text.pack()}), 0)
        assert found is not None
        assert found.label == label


def test_pages_have_no_fragment() -> None:
    assert may_be_page("https://a.test/x?y")
    assert not any(map(may_be_page, ("http://a.test/#i", "mailto:a@b.test", "urn:x", "_:b")))
