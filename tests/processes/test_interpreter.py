import gc
import sys

import pytest

from gossamer.processes.interpreter import ALLOCATIONS, SWITCH_SECONDS, set_for_crawling


def test_the_interpreter_is_set_for_the_crawl_and_as_it_was_after_it() -> None:
    before = gc.get_threshold(), sys.getswitchinterval()
    with set_for_crawling():
        assert gc.get_threshold()[0] == ALLOCATIONS
        assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    assert (gc.get_threshold(), sys.getswitchinterval()) == before
