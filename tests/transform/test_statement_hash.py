"""The hash of what a page says: blind to order and labels, and to nothing else; bounded in its work."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.transform import statement_hash as module
from gossamer.transform.statement_hash import statement_hash

PAGE = "http://a.test/"
NODES = st.sampled_from(["_:a", "_:b", "_:c", "_:d", "<http://x.test/1>"])
TERMS = st.one_of(NODES, st.sampled_from(['"1"', '"_:a <x>"', '"a\\"b _:c"@en']))
LINES = st.frozensets(
    st.builds("{} <http://p.test/{}> {}".format, NODES, st.sampled_from("pq"), TERMS), max_size=12
)


def nquads(lines: list[str]) -> bytes:
    return "".join(f"{line} <{PAGE}> .\n" for line in lines).encode()


def relabel(line: str, names: dict[str, str]) -> str:
    subject, predicate, object_ = line.split(" ", 2)
    return f"{names.get(subject, subject)} {predicate} {names.get(object_, object_)}"


@given(LINES, st.randoms())
def test_order_and_labels_do_not_count(lines: frozenset[str], chance: random.Random) -> None:
    labels = ["_:a", "_:b", "_:c", "_:d"]
    names = dict(zip(labels, chance.sample(["_:d", "_:c", "_:b", "_:x"], 4), strict=True))
    other = [relabel(line, names) for line in lines]
    chance.shuffle(other)
    assert statement_hash(nquads(sorted(lines)), PAGE) == statement_hash(nquads(other), PAGE)


@given(LINES, LINES)
def test_what_has_no_blank_nodes_is_the_same_only_where_it_says_the_same(
    one: frozenset[str], other: frozenset[str]
) -> None:
    one, other = (
        frozenset(line for line in lines if not {"_:a", "_:b", "_:c", "_:d"} & set(line.split()))
        for lines in (one, other)
    )
    same = statement_hash(nquads(sorted(one)), PAGE) == statement_hash(nquads(sorted(other)), PAGE)
    assert same == (one == other)


def test_a_value_in_the_depth_of_blank_nodes_counts() -> None:
    chain = [f"_:n{each} <http://p.test/next> _:n{each + 1}" for each in range(20)]
    one, other = ([*chain, f'_:n20 <http://p.test/value> "{value}"'] for value in "12")
    assert statement_hash(nquads(one), PAGE) != statement_hash(nquads(other), PAGE)


def test_equal_nodes_are_counted() -> None:
    offer = '_:n{0} <http://p.test/price> "1"'
    two, three = ([offer.format(each) for each in range(count)] for count in (2, 3))
    assert statement_hash(nquads(two), PAGE) != statement_hash(nquads(three), PAGE)


def test_a_text_that_looks_like_a_blank_node_is_text() -> None:
    one, other = ([f'<http://x.test/1> <http://p.test/p> "_:{each}"'] for each in "ab")
    assert statement_hash(nquads(one), PAGE) != statement_hash(nquads(other), PAGE)


def test_the_name_of_the_page_does_not_count_and_inner_graphs_do() -> None:
    said = b'<http://x.test/1> <http://p.test/p> "1" <%s> .\n'
    assert statement_hash(said % b"http://a.test/", PAGE) == statement_hash(
        said % b"http://b.test/", "http://b.test/"
    )
    assert statement_hash(said % b"http://a.test/#graph-1", PAGE) != statement_hash(
        said % b"http://a.test/", PAGE
    )


def test_a_page_at_two_addresses_says_the_same_of_itself() -> None:
    said = '<{0}> <http://p.test/title> "T" <{0}> .\n<{0}#it> <http://p.test/in> <{0}> <{0}> .\n'
    plain, sorted_, other = (
        said.format(page).encode() for page in (PAGE, f"{PAGE}?sort=a", f"{PAGE}x")
    )
    assert statement_hash(plain, PAGE) == statement_hash(sorted_, f"{PAGE}?sort=a")
    assert statement_hash(other, PAGE) != statement_hash(plain, PAGE)  # it speaks of another page


def test_a_hostile_graph_costs_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    colour = module._colour

    def count(label: bytes, around: list, colours: dict) -> bytes:  # type: ignore[type-arg]
        nonlocal made
        made += len(around)
        return colour(label, around, colours)

    monkeypatch.setattr(module, "_colour", count)
    monkeypatch.setattr(module, "MOST_WORK", 5_000)
    # A strongly regular graph: no node can be told from another.
    size = 40
    ring = [
        f"_:n{each} <http://p.test/p> _:n{(each + step) % size}"
        for each in range(size)
        for step in (1, 2, 5, 9, 14)
    ]
    turned = [
        f"_:n{(each * 3) % size} <http://p.test/p> _:n{((each + step) * 3) % size}"
        for each in range(size)
        for step in (1, 2, 5, 9, 14)
    ]
    assert statement_hash(nquads(ring), PAGE) == statement_hash(nquads(turned), PAGE)
    assert made <= 2 * 5_000
