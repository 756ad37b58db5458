"""What pages say of the things of a type: gathered, looked into, bounded."""

import json
from typing import Any

import pyoxigraph as ox

from gossamer.index.entities.type_rows import type_lines
from gossamer.index.graph.blanks import Blanks

S = "http://schema.org/"


def gathered(
    *pages: tuple[str, str], types: tuple[str, ...] = ("Product",), hosts: tuple[str, ...] = ()
) -> list[Any]:
    """The things of pages, each of which says this in Turtle."""
    store = ox.Store()
    for page, said in pages:
        blanks, graph = Blanks(page), ox.NamedNode(page)
        text = f"@prefix s: <{S}> . @prefix t: <https://schema.org/> . @base <{page}> . {said}"
        for quad in ox.parse(text, ox.RdfFormat.TURTLE):
            store.add(blanks.quad(ox.Quad(quad.subject, quad.predicate, quad.object, graph)))
    return [json.loads(line) for line in type_lines(store, types, hosts)]


def values(thing: Any) -> dict[str, list[str]]:
    told = thing["values"].items()
    return {
        key.replace(S, ""): [each[0] for each in values]
        for key, values in told
        if "type" not in key
    }


def test_what_a_thing_leads_to_is_part_of_it() -> None:
    said = "<#it> a s:Product ; s:offers [ a s:Offer ; s:price 9 ; s:seller [ s:name 'Shop' ] ] ."
    (thing,) = gathered(("http://a.test/", said))
    assert thing["id"] == "http://a.test/#it"
    assert (thing["pages"], thing["page_count"]) == (["http://a.test/"], 1)
    assert values(thing) == {"offers price": ["9"], "offers seller name": ["Shop"]}
    assert thing["values"][f"{S}offers {S}price"] == [
        ["9", "literal", "http://www.w3.org/2001/XMLSchema#integer"]
    ]


def test_all_pages_that_speak_of_a_thing_count_and_what_most_say_comes_first() -> None:
    said = "<http://a.test/#it> a t:Product ; t:name 'B' ."
    other = "<http://a.test/#it> s:name 'A' ."
    (thing,) = gathered(
        ("http://a.test/1", said), ("http://a.test/2", said), ("http://a.test/3", other)
    )
    assert values(thing) == {"name": ["B", "A"]}
    assert thing["page_count"] == 3


def test_subclasses_are_of_the_type_and_hosts_are_told_apart() -> None:
    concert = ("http://a.test/", "<#it> a s:MusicEvent ; s:name 'C' .")
    club = ("http://b.test/", "<#it> a s:Event ; s:name 'D' .")
    assert len(gathered(concert, club, types=("Event",))) == 2
    (thing,) = gathered(concert, club, types=("Event",), hosts=("b.test",))
    assert values(thing) == {"name": ["D"]}
    assert gathered(concert, types=("Person",)) == []


def test_the_same_thing_under_two_names_is_one_row() -> None:
    one = ("http://a.test/", "<#it> a s:Product ; s:gtin13 '4006381333931' ; s:name 'A' .")
    other = ("http://b.test/", "<#it> a s:Product ; s:gtin13 '4006381333931' ; s:sku '7' .")
    (thing,) = gathered(one, other)
    assert values(thing)["name"] == ["A"]
    assert values(thing)["sku"] == ["7"]


def test_circles_and_crowds_are_bounded() -> None:
    circle = (
        "<#it> a s:Product ; s:isRelatedTo <#other> . <#other> s:isRelatedTo <#it> ; s:name 'o' ."
    )
    (thing,) = gathered(("http://a.test/", circle))
    assert values(thing) == {
        "isRelatedTo": ["http://a.test/#other"],
        "isRelatedTo isRelatedTo": ["http://a.test/#it"],
        "isRelatedTo name": ["o"],
    }
    crowd = (
        "<#it> a s:Product ; "
        + "; ".join(f"s:offers [ s:price {at} ]" for at in range(1_000))
        + " ."
    )
    (thing,) = gathered(("http://a.test/", crowd))
    assert len(values(thing)["offers price"]) <= 50
    wide = "<#it> a s:Product ; " + "; ".join(f"s:p{at} {at}" for at in range(1_000)) + " ."
    (thing,) = gathered(("http://a.test/", wide))
    assert len(thing["values"]) == 500
