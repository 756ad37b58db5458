from collections.abc import Iterable

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.made_pages import NOON, PAGE, fetched, page, url, visited

from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.page_diff import (
    Change,
    GraphCounts,
    Holding,
    arrival,
    as_update,
    changed,
    farewell,
    replacement,
    sizes_said,
)
from gossamer.index.graph.pages import TRIPLES, PageChanged, PageGraphs, RefusedError, content_of

NAME = ox.NamedNode(url(1))
INNER = [ox.NamedNode(f"{url(1)}#graph-{n}") for n in (0, 1)]
FETCH = ox.NamedNode(f"{url(1)}#fetch")


def held(after: Change) -> Holding:
    """What is there after a page arrived."""
    fetch = frozenset(quad for quad in after.added if quad.graph_name == FETCH)
    sizes = {name: size for name, size in sizes_said(fetch).items() if size}
    return Holding(fetch, after.added - fetch, sizes)


def test_a_new_page_only_adds_and_says_the_size_of_its_graphs() -> None:
    change = arrival(content_of(page(1)))
    assert change.only_adds
    assert change.counts == GraphCounts(pages=1, graphs=2, quads=11)
    assert held(change).sizes == {NAME: 10, INNER[0]: 1}


def test_a_page_that_says_nothing_is_known_all_the_same() -> None:
    change = arrival(content_of(PageGraphs(url(1), b"", b"")))
    assert change.counts == GraphCounts(1, 0, 0)
    assert {quad.graph_name for quad in change.added} == {FETCH}


def test_the_same_again_changes_nothing() -> None:
    content = content_of(page(1))
    assert replacement(held(arrival(content)), content) == Change(frozenset())


def test_a_number_spelled_as_before_has_not_changed() -> None:
    line = f'<{url(1)}> <x:price> "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal> <{url(1)}> .'
    content = content_of(PageGraphs(url(1), line.encode(), b""))
    engine = ox.Store()
    engine.extend(arrival(content).added)
    kept = frozenset(engine)
    assert kept != arrival(content).added  # the engine keeps the value alone
    assert replacement(held(Change(kept)), content) == Change(frozenset())


def test_how_much_a_page_changed_is_told_without_its_fetch() -> None:
    before = arrival(content_of(page(1)))
    assert changed(url(1), before) == PageChanged(url(1), 11, 0)
    after = replacement(held(before), content_of(page(1, version=1)))
    told = changed(url(1), after)
    assert told is not None
    assert told.added - told.removed == after.counts.quads
    assert told.added == len([quad for quad in after.added if quad.graph_name != FETCH])
    assert changed(url(1), Change(frozenset())) is None


def test_only_the_difference_is_written_and_a_graph_that_is_gone_is_dropped() -> None:
    before = held(arrival(content_of(page(1))))
    change = replacement(before, content_of(page(1, version=1)))
    assert change.dropped == {INNER[0]}
    assert not any(quad.graph_name == INNER[0] for quad in change.removed)
    assert len([quad for quad in change.added if quad.graph_name == NAME]) == 5
    assert change.counts == GraphCounts()


def test_more_of_the_same_only_adds() -> None:
    before = held(arrival(content_of(PageGraphs(url(1), page(1).nquads, b""))))
    more = (page(1).nquads or b"") + f"\n<{url(1)}> <urn:p> <urn:o> <{url(1)}> .".encode()
    change = replacement(before, content_of(PageGraphs(url(1), more, b"")))
    assert change.counts == GraphCounts(quads=1)
    assert {quad.predicate.value for quad in change.removed} == {"http://rdfs.org/ns/void#triples"}


def test_what_is_to_be_kept_is_not_even_looked_at() -> None:
    before = held(arrival(content_of(page(1))))
    blind = Holding(before.fetch, frozenset(), before.sizes)
    change = replacement(blind, content_of(PageGraphs(url(1), None, page(1, version=1).fetch)))
    assert {quad.graph_name for quad in change.added | change.removed} == {FETCH}
    assert change.counts == GraphCounts()


def said_in(fetch: Iterable[ox.Quad]) -> dict[str, set[str]]:
    """What is said, by the last word of the predicate."""
    found: dict[str, set[str]] = {}
    for quad in fetch:
        word = quad.predicate.value.replace("#", "/").replace(":", "/").rpartition("/")[2]
        found.setdefault(word, set()).add(getattr(quad.object, "value", ""))
    return found


@pytest.mark.parametrize("outcome", [FetchOutcome.UNCHANGED, FetchOutcome.FAILED])
def test_a_visit_that_keeps_the_content_keeps_what_was_said_of_it(outcome: FetchOutcome) -> None:
    engine = ox.Store()
    first = arrival(content_of(fetched()))
    engine.extend(first.added)
    for _ in range(2):  # and the next one does
        fetch = frozenset(quad for quad in engine if quad.graph_name != ox.NamedNode(PAGE))
        holding = Holding(fetch, frozenset(), {ox.NamedNode(PAGE): 1})
        engine.update(as_update(replacement(holding, content_of(visited(outcome)))))
    now = said_in(quad for quad in engine if quad.graph_name != ox.NamedNode(PAGE))
    assert now["format"] == {"text/html"}
    assert now["syntax"] == {"jsonld", "rdfa"}
    assert (now["quads"], now["problems"], now["line"]) == ({"1"}, {"1"}, {"7"})
    assert (now["reservation"], now["policy"]) == ({"1"}, {"http://a.test/policy"})
    assert now["source"] == {"header", "robots.txt"}
    assert now["contentUsage"] == {"train-ai=y"}  # robots.txt was read anew, and says it otherwise
    assert now["outcome"] == {outcome.value}
    assert len(now["endedAtTime"]) == len(now["statusCodeValue"]) == 1
    assert "wasGeneratedBy" not in now
    told = {"The server answered 503."} if outcome is FetchOutcome.FAILED else set()
    assert now["description"] == {"A comma too many.", *told}


def test_a_visit_without_an_answer_leaves_what_was_said_about_the_use_of_the_content() -> None:
    before = arrival(content_of(fetched()))
    fetch = frozenset(quad for quad in before.added if quad.graph_name != ox.NamedNode(PAGE))
    facts = FetchFacts(url=PAGE, outcome=FetchOutcome.FAILED, started_at=NOON, finished_at=NOON)
    unanswered = content_of(PageGraphs(PAGE, None, fetch_nquads(facts)))
    change = replacement(Holding(fetch, frozenset(), {ox.NamedNode(PAGE): 1}), unanswered)
    now = said_in((fetch - change.removed) | change.added)
    assert now["contentUsage"] == {"train-ai=n", "search=y"}
    assert now["reservation"] == {"1"}


def test_a_visit_that_brings_content_keeps_nothing_that_was_said_before() -> None:
    before = arrival(content_of(fetched()))
    fetch = frozenset(quad for quad in before.added if quad.graph_name != ox.NamedNode(PAGE))
    bare = PageGraphs(PAGE, b"", b"")
    change = replacement(Holding(fetch, frozenset(), {}), content_of(bare))
    assert {quad.predicate for quad in fetch - change.removed} <= {TRIPLES}


def test_a_page_that_is_forgotten_takes_all_its_graphs_along() -> None:
    change = farewell(url(1), held(arrival(content_of(page(1)))))
    assert change.dropped == {NAME, INNER[0], FETCH}
    assert change.counts == GraphCounts(-1, -2, -11)


def test_an_update_makes_the_change() -> None:
    first, second = arrival(content_of(page(1))), content_of(page(1, version=1))
    store = ox.Store()
    store.extend(first.added)
    store.update(as_update(replacement(held(first), second)))
    assert set(store) == arrival(second).added
    assert {str(name) for name in store.named_graphs()} == {str(NAME), str(INNER[1]), str(FETCH)}


TAGS = st.from_regex(r"[a-zA-Z]{1,9}(-[a-zA-Z0-9]{1,9}){0,2}(--(ltr|rtl))?", fullmatch=True)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
IRIS = TEXT.map(lambda text: f"<http://x.test/{text}>")
LITERALS = st.builds(
    lambda text, tail: f'"{text}"{tail}',
    TEXT,
    st.one_of(st.just(""), TAGS.map(lambda tag: f"@{tag}"), IRIS.map(lambda iri: f"^^{iri}")),
)
LABELS = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.·-]{0,4}", fullmatch=True).map(lambda x: f"_:{x}")


@given(st.one_of(IRIS, LABELS), IRIS, st.one_of(IRIS, LABELS, LITERALS))
def test_whatever_can_be_read_can_be_written_in_an_update(
    subject: str, predicate: str, object_: str
) -> None:
    line = f"{subject} {predicate} {object_} <{url(1)}> .\n".encode()
    try:
        content = content_of(PageGraphs(url(1), line, b""))
    except RefusedError:
        return
    store = ox.Store()
    change = arrival(content)
    store.update(as_update(change))
    assert set(store) == change.added
    store.update(as_update(Change(frozenset(), removed=change.added)))
    assert not store
