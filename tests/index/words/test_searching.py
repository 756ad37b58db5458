"""Searches find what they should, best first, and say what else there is."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.words.small_graph import Small, labels, page, thing

from gossamer.index.words import searching
from gossamer.index.words.asked import Search, SearchError
from gossamer.index.words.searching import answered, day

A, B = "http://a.test/", "http://www.b.test/"
PERSONS = {"Ada Lovelace", "William King"}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    made = Small.make(tmp_path_factory.mktemp("search"))
    made.say(
        page(
            A,
            *thing(
                f"{A}#ada",
                name='"Ada Lovelace"@en',
                description='"She wrote the first programme, for a machine that was never built."@en',
                birthDate="1815-12-10",
            ),
            *thing(f"{A}#king", name="William King", spouse=f"<{A}#ada>"),
            *thing(f"{A}#hotel", "Hotel", name="Hotel Ada", description="Near the machine museum"),
            *thing(A, "WebPage", name="About Ada Lovelace", about=f"<{A}#ada>"),
        ),
        page(
            B,
            *thing(f"{B}#tokyo", "City", name='"東京都"@ja', description='"日本の首都"@ja'),
            *thing(f"{B}#zurich", "City", name='"Zürich"@de-CH', foundingDate="2001"),
            *thing(f"{B}#cafe", "CafeOrCoffeeShop", name="Café Lovelace", openingDate="2024-05-17"),
            *thing(f"{B}#thai", "Book", name='"ภาษาไทยเบื้องต้น"@th'),
            *thing(f"{B}#korea", "City", name='"서울특별시"@ko'),
        ),
    )
    made.follow()
    return made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ada lovelace", ["Ada Lovelace", "About Ada Lovelace"]),
        ("LOVELACE -ada", ["Café Lovelace"]),
        ('"first programme"', ["Ada Lovelace"]),
        ('"programme first"', []),
        ("programm*", ["Ada Lovelace"]),
        ('"ada lov"*', ["Ada Lovelace", "About Ada Lovelace"]),
        ("programe~", ["Ada Lovelace"]),
        ("lovlcae~2 cafe", ["Café Lovelace"]),
        ("zurich", ["Zürich"]),
        ("ZÜRICH", ["Zürich"]),
        ("東京", ["東京都"]),
        ("京都", ["東京都"]),
        ("都", ["東京都"]),
        ("首", ["東京都"]),
        ("東都", []),
        ("ไทย", ["ภาษาไทยเบื้องต้น"]),
        ("서울", ["서울특별시"]),
        ("museum -ada", []),
        ("nowhere", []),
    ],
)
def test_what_was_typed_is_found(small: Small, text: str, found: list[str]) -> None:
    assert small.found(text) == found


def test_what_is_exactly_meant_comes_first(small: Small) -> None:
    assert small.found("ada lovelace")[0] == "Ada Lovelace"
    assert small.found("hotel ada")[0] == "Hotel Ada"


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"types": ("Person",)}, PERSONS),
        ({"types": ("person", "hotel")}, {"Ada Lovelace", "William King", "Hotel Ada"}),
        ({"types": ("schema:Hotel",)}, {"Hotel Ada"}),
        ({"types": ("http://schema.org/Hotel",)}, {"Hotel Ada"}),
        ({"types": ("Unicorn",)}, set()),
        ({"types": ("LocalBusiness",)}, {"Hotel Ada", "Café Lovelace"}),
        ({"types": ("schema:CreativeWork",)}, {"About Ada Lovelace", "ภาษาไทยเบื้องต้น"}),
        ({"types": ("Place",), "not_types": ("City", "hotel")}, {"Café Lovelace"}),
        ({"types": ("schema:",), "not_types": ("Place", "CreativeWork")}, PERSONS),
        ({"types": ("foaf:",)}, set()),
        ({"not_types": ("https://schema.org/",)}, set()),
        ({"hosts": ("b.test",), "types": ("City",)}, {"東京都", "Zürich", "서울특별시"}),
        ({"hosts": ("www.b.test",), "languages": ("ja",)}, {"東京都"}),
        ({"languages": ("de",)}, {"Zürich"}),
        ({"languages": ("de-CH",)}, {"Zürich"}),
        ({"properties": ("spouse",)}, {"William King"}),
        ({"properties": ("schema:birthDate",)}, {"Ada Lovelace"}),
        ({"since": "2001"}, {"Zürich", "Café Lovelace"}),
        ({"since": "2002", "until": "2024"}, {"Café Lovelace"}),
        ({"until": "1815"}, {"Ada Lovelace"}),
        ({"since": "2024-05", "until": "2024-05-17"}, {"Café Lovelace"}),
        ({"since": "2024-05-18"}, set()),
        ({"form": "page"}, {"About Ada Lovelace"}),
        ({"ids": (f"{A}#ada", f"{B}#zurich")}, {"Ada Lovelace", "Zürich"}),
        ({"ids": (f"{A}#nobody",)}, set()),
    ],
)
def test_filters_leave_what_they_say(
    small: Small, filters: dict[str, tuple[str, ...]], found: set[str]
) -> None:
    assert set(small.found("", **filters)) == found


def test_facets_count_everything_that_was_found(small: Small) -> None:
    answer = small.answer("", limit=1)
    assert answer["total"] == answer["documents"] == 9
    assert answer["facets"]["types"] == {
        "City": 3,
        "Person": 2,
        "Book": 1,
        "CafeOrCoffeeShop": 1,
        "Hotel": 1,
        "WebPage": 1,
    }
    assert answer["facets"]["hosts"] == {"www.b.test": 5, "a.test": 4}
    assert answer["facets"]["languages"] == {"de": 1, "en": 1, "ja": 1, "ko": 1, "th": 1}


def test_a_result_shows_why_it_was_found(small: Small) -> None:
    (ada,) = small.answer("programme")["results"]
    start, end = ada["snippet"]["marks"][0]
    assert ada["snippet"]["text"][start:end] == "programme"
    assert ada["label_marks"] == ()
    assert (ada["page_count"], ada["hosts"]) == (1, ["a.test"])
    assert ada["links_in"] == 2
    assert "texts" not in ada


def test_a_thing_that_others_link_to_comes_before_one_that_is_only_mentioned(
    tmp_path: Path,
) -> None:
    small = Small.make(tmp_path)
    small.say(
        page(
            A, *thing(f"{A}#known", name="Babbage engine"), *thing(f"{A}#n", name="Babbage motor")
        ),
        page(B, *thing(f"{B}#x", name="X", about=f"<{A}#known>")),
    )
    small.follow()
    assert small.found("babbage") == ["Babbage engine", "Babbage motor"]


def test_where_nothing_has_all_words_what_has_some_is_shown(small: Small) -> None:
    answer = small.answer("lovelace unicorn")
    assert answer["relaxed"]
    assert set(labels(answer)) == {"Ada Lovelace", "About Ada Lovelace", "Café Lovelace"}
    assert not small.answer("unicorn dragon")["relaxed"]


def test_results_go_on_where_they_were_cut(small: Small) -> None:
    whole = small.found("", limit=9)
    assert [*small.found("", limit=5), *small.found("", limit=5, skip=5)] == whole


@pytest.mark.parametrize(
    ("search", "says"),
    [
        (Search(since="yesterday"), "--since 'yesterday': write a day"),
        (Search(until="2024-13"), "--until '2024-13': write a day"),
        (Search(limit=0), "results"),
        (Search(limit=10**6), "1,000 results"),
        (Search(text="x" * 5_000), "1,000 characters"),
        (Search(text="ab* " * 200), "32 words"),
    ],
)
def test_what_cannot_be_answered_says_what_would_be_right(
    small: Small, search: Search, says: str
) -> None:
    with pytest.raises(SearchError, match=says):
        answered(small.words, search)


@given(st.text(max_size=200))
def test_whatever_is_typed_is_answered_or_told_what_is_wrong(small: Small, text: str) -> None:
    try:
        answer = answered(small.words, Search(text=text))
    except SearchError:
        return
    assert answer["total"] >= len(answer["results"])


@given(st.text(alphabet="abé東 *~-\"'\\.+()[]|^$?{}<>", max_size=100))
def test_signs_of_other_languages_mean_nothing(small: Small, text: str) -> None:
    try:
        answered(small.words, Search(text=text, types=(text,), hosts=(text,), languages=(text,)))
    except SearchError:
        return


@pytest.mark.parametrize("text", ["!!!", '"', "(", " * ", "- -", "“”", "\u3000?"])
def test_signs_alone_find_nothing_and_nothing_at_all_finds_everything(
    small: Small, text: str
) -> None:
    assert small.answer(text)["total"] == 0
    assert small.answer(text, types=("City",))["facets"]["types"] == {}
    assert small.answer("")["total"] == small.answer("  ")["total"] > 0


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        (" 2024-02-10 ", date(2024, 2, 10), date(2024, 2, 10)),
        ("9999", date(9999, 1, 1), date(9999, 12, 31)),
    ],
)
def test_a_date_is_its_first_or_its_last_day(text: str, first: date, last: date) -> None:
    assert day(text, "--since") == first.toordinal()
    assert day(text, "--until", is_last=True) == last.toordinal()


@pytest.mark.parametrize(
    "text", ["", "0000", "24", "2024-13", "2023-02-29", "last year", "２０２４"]
)
def test_what_is_no_date_is_refused_with_what_would_be_one(text: str) -> None:
    for is_last in (False, True):
        with pytest.raises(SearchError, match="write a day such as 2024-05-17"):
            day(text, "--since", is_last=is_last)


CRUMBS = [f"{A}shoes/{number}" for number in range(40)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """A shop whose pages all have the same crumb, and a logo of that name; one page has the product."""
    made = Small.make(tmp_path_factory.mktemp("shop"))
    made.say(
        *(
            page(
                url,
                *thing("_:crumb", "ListItem", name="Red shoes"),
                *thing("_:logo", "ImageObject", name="Red shoes", contentUrl=f"<{url}/logo.png>"),
                *thing("_:search", "SearchAction", name=f"Search red shoes {number}"),
            )
            for number, url in enumerate(CRUMBS)
        ),
        page(
            f"{A}p",
            *thing(f"{A}p#it", "Product", name="Red shoes with very long laces, for winter"),
            *thing(f"{A}p", "WebPage", name="Red shoes with laces | The shop of all shoes"),
            *thing("_:crumb", "ListItem", name="Red shoes"),
        ),
        page(f"{B}p", *thing("_:crumb", "ListItem", name="Red shoes")),
    )
    made.follow()
    return made


def test_parts_of_other_things_come_after_those(shop: Small) -> None:
    kinds = [each["types"][0].rpartition("/")[2] for each in shop.answer("red shoes")["results"]]
    assert set(kinds[:2]) == {"Product", "WebPage"}
    assert set(kinds[2:]) == {"ListItem", "ImageObject", "SearchAction"}


def test_what_looks_the_same_is_one_result_that_says_how_many_others_there_are(shop: Small) -> None:
    answer = shop.answer("red shoes", types=("ListItem",))
    assert answer["total"] == 42
    assert [(each["hosts"], each["alike"]) for each in answer["results"]] in (
        [(["a.test"], 40), (["www.b.test"], 0)],  # nobody's things look like those of somebody else
        [(["www.b.test"], 0), (["a.test"], 40)],
    )
    every = shop.answer("red shoes", types=("ListItem",), fold=False, limit=50)
    assert len(every["results"]) == 42
    assert {each["alike"] for each in every["results"]} == {0}


def test_pages_of_results_count_what_is_shown(shop: Small) -> None:
    whole = [each["id"] for each in shop.answer("red shoes", limit=100)["results"]]
    assert len(whole) == len(set(whole)) == 1 + 1 + 2 + 1 + 40
    found = list[str]()
    skip: int | None = 0
    while skip is not None:
        answer = shop.answer("red shoes", limit=7, skip=skip)
        found += [each["id"] for each in answer["results"]]
        skip = answer["next"]
    assert found == whole


def test_many_that_look_the_same_hide_nothing_behind_them(
    shop: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "LOOKED_AT", 0)  # a round is over before the first forty are
    found = shop.answer("red shoes", not_types=("SearchAction",), limit=3)
    assert len(found["results"]) == 3
    assert len(shop.answer("red shoes", not_types=("SearchAction",))["results"]) == 5


def test_words_of_an_older_version_are_searched_one_by_one(tmp_path: Path) -> None:
    small = Small.make(tmp_path)
    small.say(*(page(url, *thing("_:it", name="Ada")) for url in CRUMBS[:3]))
    small.follow()
    assert len(small.answer("ada")["results"]) == 1
    small.words.is_outdated = True
    assert len(small.answer("ada")["results"]) == 3


def test_a_type_that_nothing_has_comes_with_the_one_that_was_meant(small: Small) -> None:
    types = ("Persn", "LocalBusines", "http://schema.org/Boook", "Zebra", "City")
    assert small.answer("", types=types)["unknown_types"] == []  # something was found
    wrong = small.answer("unicorn", types=types)["unknown_types"]
    assert [(each["type"], each["near"], each["count"]) for each in wrong] == [
        ("Persn", "Person", 2),
        ("LocalBusines", "LocalBusiness", 2),  # as there are a hotel and a café
        ("http://schema.org/Boook", "Book", 1),
        ("Zebra", None, 0),
    ]


def test_without_words_the_best_known_come_first(small: Small, shop: Small) -> None:
    assert small.found("")[0] == "Ada Lovelace"
    kinds = [each["types"][0].rpartition("/")[2] for each in shop.answer("")["results"]]
    assert set(kinds[:2]) == {"Product", "WebPage"}
