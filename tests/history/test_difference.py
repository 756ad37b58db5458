"""Differences of pages: by entity, with parts told as paths, and blank nodes paired."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer import extract
from gossamer.history import difference as module
from gossamer.history.difference import ChangeKind, EntityChange, difference

PAGE = "http://shop.test/p"
LD = '<script type="application/ld+json">{"@context": "https://schema.org", %s}</script>'
TEA = '"@type": "Product", "name": "Tea", "brand": {"@type": "Brand", "name": "Acme"}, "offers": %s'
OFFER = '{"@type": "Offer", "price": "%s", "priceCurrency": "EUR"}'


def said(*blocks: str) -> bytes:
    """The N-Quads of a page with these blocks of JSON-LD."""
    body = "".join(LD % block for block in blocks)
    return extract(body, url=PAGE, content_type="text/html", syntaxes={"json-ld"}).nquads


def told(changes: list[EntityChange]) -> list[tuple[str | None, str, list[str], list[str]]]:
    return sorted(
        (
            each.label,
            each.kind.value,
            [f"{one.path}={one.value}" for one in each.added],
            [f"{one.path}={one.value}" for one in each.removed],
        )
        for each in changes
    )


def test_a_price_is_told_with_the_product_that_it_is_of() -> None:
    found = difference(PAGE, said(TEA % (OFFER % "10.00")), said(TEA % (OFFER % "12.50")))
    assert told(found) == [("Tea", "changed", ["offers.price=12.50"], ["offers.price=10.00"])]
    assert found[0].types == ("http://schema.org/Product",)


def test_the_same_in_another_order_is_no_difference() -> None:
    cup = '"@type": "Product", "name": "Cup", "offers": ' + OFFER % "3.00"
    tea = TEA % (OFFER % "10.00")
    assert difference(PAGE, said(tea, cup), said(cup, tea)) == []


def test_of_several_offers_the_one_that_changed_is_told() -> None:
    one, two, three = (OFFER % price for price in ("1.00", "2.00", "3.00"))
    found = difference(PAGE, said(TEA % f"[{one}, {two}]"), said(TEA % f"[{three}, {two}]"))
    assert told(found) == [("Tea", "changed", ["offers.price=3.00"], ["offers.price=1.00"])]


def test_an_offer_more_is_told_whole() -> None:
    one, two = (OFFER % price for price in ("1.00", "2.00"))
    found = difference(PAGE, said(TEA % one), said(TEA % f"[{one}, {two}]"))
    assert told(found) == [
        (
            "Tea",
            "changed",
            [
                "offers.price=2.00",
                "offers.priceCurrency=EUR",
                "offers.type=http://schema.org/Offer",
            ],
            [],
        )
    ]


def test_another_person_is_another_entity() -> None:
    article = (
        '"@id": "", "@type": "Article", "name": "News", "author": {"@type": "Person", "name": "%s"}'
    )
    found = difference(PAGE, said(article % "Ann"), said(article % "Bo"))
    assert [(label, kind) for label, kind, *_ in told(found)] == [
        ("Ann", "gone"),
        ("Bo", "new"),
        ("News", "changed"),
    ]
    news = next(each for each in found if each.label == "News")
    assert [(each.path, each.value) for each in news.added] == [("author", "Bo")]
    assert [(each.path, each.value) for each in news.removed] == [("author", "Ann")]


def test_a_page_that_appears_or_vanishes_has_all_its_entities_new_or_gone() -> None:
    now = said(TEA % (OFFER % "10.00"))
    came, went = difference(PAGE, b"", now), difference(PAGE, now, b"")
    assert {each.kind for each in came} == {ChangeKind.NEW}
    assert {each.kind for each in went} == {ChangeKind.GONE}
    assert [each.added for each in came] == [each.removed for each in went]
    assert {each.label for each in came} == {"Tea", "Acme"}


def test_a_number_that_identifies_a_thing_does_not_make_it_new() -> None:
    with_number = TEA % (OFFER % "10.00") + ', "gtin13": "4006381333931"'
    (found,) = difference(PAGE, said(TEA % (OFFER % "9.00")), said(with_number))
    assert found.kind is ChangeKind.CHANGED
    assert {each.path for each in found.added} == {"gtin13", "offers.price"}
    assert {each.path for each in found.removed} == {"offers.price"}


def test_of_a_huge_page_nodes_are_paired_by_their_labels_and_not_all_entities_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_NODES", 10)
    monkeypatch.setattr(module, "MOST_ENTITIES", 5)

    def shop(price: str) -> bytes:
        cup = '"@type": "Product", "name": "Cup %d", "offers": %s'
        return said(*(cup % (each, OFFER % price) for each in range(8)))

    found = difference(PAGE, shop("1.00"), shop("2.00"))
    assert len(found) == 5
    assert {(each.kind, len(each.added), len(each.removed)) for each in found} == {
        (ChangeKind.CHANGED, 1, 1)
    }


NODES = st.sampled_from(["_:a", "_:b", "_:c", "_:d", "<http://x.test/1>", "<http://x.test/2>"])
TERMS = st.one_of(NODES, st.sampled_from(['"1"', '"2"']))
LINES = st.frozensets(
    st.builds("{} <http://p.test/{}> {}".format, NODES, st.sampled_from("pq"), TERMS), max_size=12
)


@given(LINES, LINES, st.randoms())
def test_difference_is_empty_for_the_same_and_turns_round(
    old: frozenset[str], new: frozenset[str], chance: random.Random
) -> None:
    labels = ["_:a", "_:b", "_:c", "_:d"]
    others = [f"_:n{each}" for each in chance.sample(range(4), 4)]

    def nquads(lines: frozenset[str], *, rename: bool = False) -> bytes:
        text = "".join(f"{line} <{PAGE}> .\n" for line in sorted(lines))
        for label, other in zip(labels, others, strict=True) if rename else ():
            text = text.replace(label, other)
        return text.encode()

    assert difference(PAGE, nquads(old), nquads(old)) == []
    there = difference(PAGE, nquads(old), nquads(new))
    again = difference(PAGE, nquads(old), nquads(new))
    assert there == again
