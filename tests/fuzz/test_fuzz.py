from itertools import islice

import pytest

from gossamer.model import Syntax

from .fuzz import TARGETS, rounds


@pytest.mark.parametrize("syntax", Syntax)
def test_a_damaged_page_never_raises_and_never_speaks_for_others(
    syntax: Syntax, full_size: bool
) -> None:
    for body, _, wrong in islice(rounds(syntax, seed=1), 20_000 if full_size else 150):
        assert wrong is None, body


def test_every_syntax_has_a_target() -> None:
    assert set(TARGETS) == set(Syntax)
