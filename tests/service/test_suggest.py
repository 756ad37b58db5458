"""Names that begin as somebody types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.running import Client

from gossamer.service.suggest import begun


def test_names_that_begin_so_are_offered_once_each(ask: Client) -> None:
    label = next(
        word
        for each in ask("/api/search", form="thing", limit=50).json["results"]
        for word in each["label"].split()
        if word.isalpha() and len(word) > 5
    )
    offered = ask("/api/search/suggest", q=label[:4]).json["results"]
    assert 0 < len(offered) <= 8
    assert all(label[:4].lower() in each["label"].lower() for each in offered)
    keys = [(each["label"].lower(), tuple(each["types"])) for each in offered]
    assert len(keys) == len(set(keys))
    assert len(ask("/api/search/suggest", q=label[:4], limit=1).json["results"]) == 1


@pytest.mark.parametrize(
    "typed", ["", "a", "-", '"', "*", "zzqqzz", " ", "~", "a* b* c* d* e* f* g"]
)
def test_too_little_to_go_by_is_no_mistake(ask: Client, typed: str) -> None:
    answer = ask("/api/search/suggest", q=typed)
    assert (answer.status, answer.json) == (200, {"results": []})


@given(st.text(max_size=30))
def test_whatever_is_typed_can_be_searched_or_is_too_little(typed: str) -> None:
    search = begun(typed)
    assert search is None or search.text.startswith(typed)
