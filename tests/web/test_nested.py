"""Things without a name of their own."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

from gossamer.owner.messages import UnableError
from gossamer.owner.questions import Query, Question
from gossamer.owner.vocabulary import Asker
from gossamer.web.nested import Fact, Nested, gathered, nested_things, summary

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

SELLER, PRICE = "http://schema.org/seller", "http://schema.org/price"


class Silent:
    """Answers nothing."""

    def answer(self, question: Question) -> Any:
        raise UnableError("Nobody should ask.")


def row(subject: str, property_: str, value: dict[str, str]) -> dict[str, dict[str, str]]:
    return {
        "s": {"type": "bnode", "value": subject},
        "p": {"type": "uri", "value": property_},
        "o": value,
    }


def test_what_is_said_is_gathered_by_thing() -> None:
    found = gathered(
        [
            row("b1", TYPE, {"type": "uri", "value": "http://schema.org/PostalAddress"}),
            row("b1", "http://schema.org/postalCode", {"type": "literal", "value": "8001"}),
            row("b1", "http://schema.org/url", {"type": "uri", "value": "http://a.test/x"}),
            row("b2", "http://schema.org/geo", {"type": "bnode", "value": "b3"}),
        ]
    )
    assert found["gossamer-blank:1"].kind == "PostalAddress"
    assert found["gossamer-blank:1"].facts == (
        Fact("postal code", "8001", None),
        Fact("url", "a.test/x", "http://a.test/x"),
    )
    assert found["gossamer-blank:2"].kind is None
    assert found["gossamer-blank:2"].facts == (Fact("geo", "a thing", "gossamer-blank:3"),)


def rows_of(*rows: dict[str, dict[str, str]]) -> bytes:
    return b"json\n" + json.dumps({"results": {"bindings": rows}}).encode()


class Offers:
    """Answers what is known of an offer, of its seller, and of a price without a name."""

    def answer(self, question: Question) -> Any:
        assert isinstance(question, Query)
        if "?label" in question.text:
            told = {
                "iri": {"type": "bnode", "value": "b5e11e7"},
                "label": {"type": "literal", "value": "Northwind Traders"},
                "predicate": {"type": "uri", "value": "http://schema.org/name"},
                "page": {"type": "uri", "value": "http://shop.test/"},
            }
            return pieces(rows_of(told))
        if "<gossamer-blank:0ffe7>" in question.text:
            return pieces(
                rows_of(
                    row("b0ffe7", SELLER, {"type": "bnode", "value": "b5e11e7"}),
                    row("b0ffe7", PRICE, {"type": "bnode", "value": "b97ce"}),
                )
            )
        amount = {"type": "literal", "value": "12.50"}
        kind = {"type": "uri", "value": "http://schema.org/PriceSpecification"}
        return pieces(rows_of(row("b97ce", TYPE, kind), row("b97ce", PRICE, amount)))


async def pieces(answer: bytes) -> AsyncGenerator[bytes, None]:
    yield answer


def test_what_a_nameless_thing_refers_to_is_named_or_summed_up() -> None:
    found = asyncio.run(nested_things(Asker(Offers(), 1.0), ["gossamer-blank:0ffe7"]))
    assert found["gossamer-blank:0ffe7"].facts == (
        Fact("seller", "Northwind Traders", "gossamer-blank:5e11e7"),
        Fact("price", "PriceSpecification (price 12.50)", "gossamer-blank:97ce"),
    )
    assert summary(Nested(None, ())) == "a thing"


def test_where_there_are_none_nobody_is_asked() -> None:
    assert asyncio.run(nested_things(Asker(Silent(), 1.0), ["http://a.test/"])) == {}
