import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.focus.hints import NO_HINT, LinkHint, pack_hints, unpack_hints, words_in
from gossamer.focus.link_arms import KnownArms, arms_of, form_of
from gossamer.model import Url

HOST = "http://a.test"


def links(*paths: str, tags: str = "main>ul>li>a") -> list[tuple[Url, LinkHint]]:
    return [(Url(f"{HOST}{path}"), LinkHint(tags, ("shoe",))) for path in paths]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/p/17", "/p/4"),
        ("/shoes", "/hats"),
        ("/wiki/Berlin", "/wiki/Paris"),
        ("/p/red-shoe-17", "/p/blue-hat-3"),
        ("/list?page=2", "/list?page=9"),
        ("/a/b.html", "/a/c.html"),
    ],
)
def test_urls_that_are_made_alike_have_one_form(one: str, other: str) -> None:
    assert form_of(HOST + one) == form_of(HOST + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("/p/17", "/q/17"), ("/p/17", "/p/17/reviews"), ("/a", "/a/b"), ("/l?a=1", "/l?b=1")],
)
def test_others_have_forms_of_their_own(one: str, other: str) -> None:
    assert form_of(HOST + one) != form_of(HOST + other)


def test_where_a_link_stands_and_which_list_it_is_on_tell_arms_apart() -> None:
    items = links(*(f"/p/{n}" for n in range(10)))
    aside = links("/p/99", tags="aside>a")
    here = arms_of(f"{HOST}/c/1?page=3", [*items, *aside], {})
    there = arms_of(f"{HOST}/c/2", [*items, *aside], {})
    assert len({each.arm.number for each in here}) == 2
    assert here[0].arm.number != there[0].arm.number
    assert here[0].arm.parent == there[0].arm.parent
    assert here[0].arm.listed_on == "/c/1"


def test_a_page_that_is_no_list_counts_as_a_part_of_the_one_it_was_found_on() -> None:
    (found,) = arms_of(f"{HOST}/p/1", links("/p/2"), {}, "/c/1")
    assert found.arm.listed_on == "/c/1"


def test_links_on_a_wanted_page_are_a_kind_of_their_own() -> None:
    (plain,) = arms_of(f"{HOST}/p/1", links("/p/2"), {})
    (wanted,) = arms_of(f"{HOST}/p/1", links("/p/2"), {}, is_wanted=True)
    assert plain.arm.number != wanted.arm.number


def test_a_host_has_a_bounded_number_of_arms() -> None:
    parents: set[int] = set()
    lists: set[int] = set()
    for page in range(600):
        many = links(*(f"/s{page}/x/{n}" for n in range(9)))
        for each in arms_of(f"{HOST}/list/{page}", many, {"a.test": KnownArms(parents, lists)}):
            if each.arm.parent is None:
                parents.add(each.arm.number)
            else:
                parents.add(each.arm.parent)
                lists.add(each.arm.number)
    assert len(parents) <= 130
    assert len(lists) <= 256


def test_hints_travel_as_lines() -> None:
    hints = [LinkHint("main>a", ("a", "b")), NO_HINT, LinkHint("nav>a")]
    assert unpack_hints(pack_hints(hints), 3) == hints
    assert unpack_hints(pack_hints(hints), 2) == [NO_HINT, NO_HINT]
    assert unpack_hints(b"", 1) == [NO_HINT]


@given(st.binary(max_size=200), st.integers(0, 5))
def test_whatever_a_worker_says_hints_are_bounded(said: bytes, count: int) -> None:
    found = unpack_hints(said, count)
    assert len(found) == count
    assert all(len(each.tags) <= 120 and len(each.words) <= 12 for each in found)


def test_words_are_of_any_script() -> None:
    assert words_in("Сапоги & shoes 42", "Schuhe") == ("сапоги", "shoes", "schuhe")
