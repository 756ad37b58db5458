from datetime import timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.virtual_time import START

from gossamer.config import Politeness
from gossamer.politeness.delay import Delay, Pace, pace_for
from gossamer.politeness.ledger import HostLedger, Slot
from gossamer.politeness.outcome import Answered, Pause
from gossamer.politeness.prospects import Download, vain_turns

SECOND: Final = timedelta(seconds=1)
PACE: Final = pace_for("a.test", Politeness())
MB: Final = 1_000_000


def watched(total: int, *stretches: tuple[float, int]) -> Download:
    """A download of which so many bytes came in each stretch."""
    download, now, received = Download.begin(total, 0.0), 0.0, 0
    for seconds, came in stretches:
        now, received = now + seconds, received + came
        download = download.look(received, now)
    return download


def test_nothing_is_said_of_a_download_before_it_was_looked_at_twice() -> None:
    download = Download.begin(10 * MB, 5.0)
    assert not download.is_due(5.9)
    assert download.is_due(6.0)
    assert download.left is None
    assert download.look(MB, 6.0).left is None
    assert download.look(0, 6.0).look(0, 7.0).left is None  # nothing has come


def test_a_steady_download_may_become_twice_as_fast_at_first_and_less_so_later() -> None:
    left = watched(10 * MB, (1, MB), (1, MB)).left
    assert left is not None
    assert left.likely == 8 * SECOND
    assert left.least == 8 * SECOND / 2.25
    later = watched(100 * MB, *[(1.0, MB)] * 20).left
    assert later is not None
    assert later.likely == 80 * SECOND
    assert later.least == 80 * SECOND / 1.35
    assert (left.received, left.total) == (2 * MB, 10 * MB)


def test_a_first_burst_is_forgotten_after_a_while() -> None:
    burst = [(1.0, 4 * MB)]
    slow = [(1.0, MB // 100)] * 20
    soon = watched(10 * MB, *burst, *slow[:2]).left
    later = watched(10 * MB, *burst, *slow).left
    assert soon is not None
    assert soon.least < 2 * SECOND
    assert later is not None
    assert later.least > 5 * SECOND


@given(st.lists(st.tuples(st.floats(1.0, 1e6), st.integers(0, 10**15)), max_size=30))
def test_the_bound_is_never_longer_than_the_guess(stretches: list[tuple[float, int]]) -> None:
    left = watched(sum(came for _, came in stretches), *stretches).left
    assert left is None or timedelta(0) <= left.least <= left.likely


def in_line(*patience: float, pace: Pace = PACE) -> tuple[HostLedger, list[Slot]]:
    """A host that is being asked, and those who wait for it for so many seconds."""
    started = HostLedger("a.test").go(START, START + timedelta(hours=1), pace)
    assert started is not None
    ledger, slots = started[0], []
    for number, seconds in enumerate(patience):
        ledger, slot = ledger.reserve(f"{number}", START, START + timedelta(seconds=seconds), pace)
        assert isinstance(slot, Slot)
        slots.append(slot)
    return ledger, slots


def test_who_outlasts_a_download_and_its_rest_waits_and_others_do_so_in_vain() -> None:
    ledger, (short, long) = in_line(20, 60)
    assert vain_turns(ledger, START, PACE, START) == {}
    vain = vain_turns(ledger, START, PACE, START + 30 * SECOND)
    assert vain == {short.token: START + 31 * SECOND}
    assert vain_turns(ledger, START, PACE, START + 59 * SECOND).keys() == {short.token}
    assert vain_turns(ledger, START, PACE, START + 60 * SECOND).keys() == {short.token, long.token}


def test_who_waits_in_vain_delays_nobody() -> None:
    ledger, (short, *longer) = in_line(20, 33, 33)
    assert vain_turns(ledger, START, PACE, START + 31 * SECOND).keys() == {short.token}
    vain = vain_turns(ledger, START, PACE, START + 32 * SECOND)
    assert vain.keys() == {short.token, longer[1].token}


@pytest.mark.parametrize("crawl_delay", [None, Delay(5.0, "Crawl-delay")])
def test_a_line_that_became_too_long_for_its_last_is_one_it_waits_in_in_vain(
    crawl_delay: Delay | None,
) -> None:
    ledger, slots = in_line(9, 9, 9, 9)
    ledger = ledger._replace(clock=ledger.clock.with_crawl_delay(crawl_delay))
    vain = vain_turns(ledger, START, PACE, START)
    assert [*vain] == ([slots[1].token, slots[2].token, slots[3].token] if crawl_delay else [])


def test_a_pause_that_outlasts_everybodys_patience_is_told_to_all() -> None:
    ledger, slots = in_line(9, 30)
    paused = ledger._replace(clock=ledger.clock.with_pause(Pause(START + 20 * SECOND, "asked")))
    assert [*vain_turns(paused, START, PACE, START)] == [slots[0].token]
    free = paused.finish(1, START + SECOND, SECOND, Answered(200), PACE)
    assert [*vain_turns(free, START + SECOND, PACE, START)] == [slots[0].token]
