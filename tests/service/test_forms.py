"""Forms as bytes of a body."""

from typing import Any

import pytest

from gossamer.service.errors import ProblemError
from gossamer.service.forms import MOST_FIELDS, fields_of
from gossamer.service.routes import Call


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
