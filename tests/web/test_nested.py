"""Things without a name of their own."""

import asyncio
from typing import Any

from gossamer.owner.messages import UnableError
from gossamer.owner.questions import Question
from gossamer.owner.vocabulary import Asker
from gossamer.web.nested import Fact, gathered, nested_things

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


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


def test_where_there_are_none_nobody_is_asked() -> None:
    assert asyncio.run(nested_things(Asker(Silent(), 1.0), ["http://a.test/"])) == {}
