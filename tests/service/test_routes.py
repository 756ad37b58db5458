"""The table of routes."""

import asyncio
import re
from typing import Any

import pytest

from gossamer.service.errors import ProblemError
from gossamer.service.routes import JSON, MOST_FIELDS, Call, Recent, fields_of, json_reply
from gossamer.service.schemas import TEXT
from gossamer.web.app import ROUTES


def test_no_two_routes_are_the_same() -> None:
    named = [(route.method, route.path) for route in ROUTES]
    assert len(set(named)) == len(named)


def test_parameters_of_a_path_are_declared() -> None:
    for route in ROUTES:
        in_path = set(re.findall(r"\{(\w+)", route.path))
        assert in_path == {each.name for each in route.parameters if each.place == "path"}


def test_whatever_changes_something_is_no_get() -> None:
    assert not [route for route in ROUTES if route.changes and route.method == "GET"]


def test_a_reply_of_json_says_so() -> None:
    reply = json_reply("Well.", TEXT)[200]
    assert (reply.doc, reply.schemas) == ("Well.", {JSON: TEXT})


def call(body: Any) -> Call:
    nothing: Any = None
    return Call(nothing, nothing, {}, body)


def test_fields_are_read_and_the_first_of_a_name_counts() -> None:
    assert fields_of(call(b"seeds=a%0Ab+c&next=%2F&next=%2Fevil")) == {
        "seeds": "a\nb c",
        "next": "/",
    }


def test_what_is_no_form_has_no_fields() -> None:
    assert fields_of(call(None)) == {}
    assert fields_of(call({"seeds": []})) == {}


@pytest.mark.parametrize("body", [b"\xff=1", b"a=1&" * (MOST_FIELDS + 1)])
def test_what_cannot_be_read_is_a_mistake(body: bytes) -> None:
    with pytest.raises(ProblemError) as refused:
        fields_of(call(body))
    assert refused.value.status == 400


class Maker:
    def __init__(self) -> None:
        self.made = 0
        self.now = 0.0

    async def make(self) -> int:
        self.made += 1
        await asyncio.sleep(0)
        return self.made

    def clock(self) -> float:
        return self.now


def test_many_who_ask_at_once_get_what_is_made_once() -> None:
    async def run() -> None:
        maker = Maker()
        recent = Recent[int](1.0, maker.clock)
        assert await asyncio.gather(*(recent.get(maker.make) for _ in range(9))) == [1] * 9
        maker.now = 0.9
        assert await recent.get(maker.make) == 1
        maker.now = 1.0
        assert await recent.get(maker.make) == 2

    asyncio.run(run())


def test_what_fails_is_tried_again_by_the_next() -> None:
    async def run() -> None:
        maker = Maker()
        recent = Recent[int](1.0, maker.clock)

        async def fail() -> int:
            raise ValueError("No.")

        with pytest.raises(ValueError, match="No"):
            await recent.get(fail)
        assert await recent.get(maker.make) == 1

    asyncio.run(run())
