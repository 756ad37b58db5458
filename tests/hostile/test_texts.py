"""Literals that were made to be slow or to break the cleaning of texts."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from gossamer.index.entities.texts import cleaned, has_words

CPU_SECONDS = 30  # thousands of times what is needed; an exponential expression needs years


@contextmanager
def cpu_limit() -> Iterator[None]:
    """Fail instead of hanging. `re` lets signals interrupt it."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"still busy after {CPU_SECONDS} s of CPU")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("unit", [" a=", " a=a", " a =", " a= b=", "\ta=a:", " a=''"])
@pytest.mark.parametrize("end", ["<", "", '"', "'", ">", "/"])
def test_half_a_tag_of_many_attributes_is_cleaned_at_once(unit: str, end: str) -> None:
    with cpu_limit():
        assert cleaned("<a" + unit * 60 + end) is not None
        assert cleaned("<a" + unit * 6_000 + end) is not None


def test_a_long_code_that_ends_in_a_letter_of_another_script_is_judged_at_once() -> None:
    with cpu_limit():
        assert not has_words("1" * 300_000)
        assert has_words("a1" * 150_000 + "é")


def test_a_reference_to_a_character_beyond_all_others_is_no_error() -> None:
    assert cleaned("<b>x</b> &#" + "9" * 5_000 + "; y") == "x \ufffd y"
    assert cleaned("<b>x</b> &#97;&#x61;") == "x aa"
