"""What pages say of one thing: gathering it takes work in proportion to that, whatever it is."""

import sys
from collections.abc import Callable
from math import log2
from types import FrameType

import pyoxigraph as ox
import pytest

from gossamer.index.entities import Said, entity_of, home_of
from gossamer.index.words.documents import document

S, A = "http://schema.org/", "http://a.test/"
OWL_SAME = "http://www.w3.org/2002/07/owl#sameAs"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SIZES = (200, 400, 800)
MOST_GROWTH = 1.3  # as a power of the size


def text(predicate: str, value: str, page: str = A, language: str | None = None) -> Said:
    return Said(f"{S}{predicate}", ox.Literal(value, language=language), page)


def link(predicate: str, value: str, page: str = A) -> Said:
    return Said(predicate, ox.NamedNode(value), page)


SHAPES: dict[str, Callable[[int], list[Said]]] = {
    "numbers of an offer": lambda n: [
        *(text("gtin13", f"{number:013d}") for number in range(n)),
        link(TYPE, f"{S}Offer"),
    ],
    "numbers of a thing": lambda n: [text("gtin13", f"{number:013d}") for number in range(n)],
    "accounts and names": lambda n: [
        *(link(OWL_SAME, f"https://twitter.com/x{number}") for number in range(n)),
        *(text("name", f"Nobody{number} Else{number}") for number in range(n)),
    ],
    "addresses and names": lambda n: [
        *(text("email", f"x{number}@a.test") for number in range(n)),
        *(text("name", f"Nobody{number}") for number in range(n)),
    ],
    "same as others": lambda n: [link(OWL_SAME, f"http://b.test/{number}") for number in range(n)],
    "identifiers": lambda n: [text("identifier", f"isbn {number}") for number in range(n)],
    "types": lambda n: [link(TYPE, f"{S}T{number}") for number in range(n)],
    "labels": lambda n: [text("name", f"Name {number}") for number in range(n)],
    "labels on pages": lambda n: [
        text("name", f"Name {number}", f"http://p{number}.test/") for number in range(n)
    ],
    "given and family names": lambda n: [
        each
        for number in range(n)
        for each in (text("givenName", f"G{number}"), text("familyName", f"F{number}"))
    ],
    "texts": lambda n: [text("text", f"Some words {number}") for number in range(n)],
    "one long text": lambda n: [text("text", "<b>x</b> &amp; " * n)],
    "one long name": lambda n: [text("name", "日本" * n)],
    "languages": lambda n: [
        text("name", f"Name {number}", language=f"en-x-{number}") for number in range(n)
    ],
    "one long language": lambda n: [text("name", "Ada", language="en-x" + "-ab" * n)],
    "properties": lambda n: [text(f"p{number}", "Some words") for number in range(n)],
    "dates": lambda n: [text("datePublished", f"{1000 + number}-01-01") for number in range(n)],
    "images": lambda n: [link(f"{S}image", f"http://b.test/{number}.png") for number in range(n)],
    "links": lambda n: [link(f"{S}knows", f"http://b.test/{number}") for number in range(n)],
}


def work(shape: Callable[[int], list[Said]], size: int) -> int:
    """How many calls are made, and how many characters of terms are written, for so many statements."""
    said, count = shape(size), 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        home_of(f"{A}#i", said)
        entity = entity_of(f"{A}#i", {f"{A}#i": said}, 0)
        made = None if entity is None else document(entity)
    finally:
        sys.setprofile(before)
    return count + (0 if made is None else len(str(made.to_dict())))


@pytest.mark.parametrize("name", SHAPES)
def test_work_grows_as_what_is_said(name: str) -> None:
    small, middle, large = (work(SHAPES[name], size) for size in SIZES)
    assert log2(large / middle) < MOST_GROWTH, (small, middle, large)


def test_quadratic_work_is_caught() -> None:
    def quadratic(size: int) -> list[Said]:
        return [
            text("name", f"{one} {other}") for one in range(size) for other in range(size // 20)
        ]

    assert log2(work(quadratic, 400) / work(quadratic, 200)) > MOST_GROWTH
