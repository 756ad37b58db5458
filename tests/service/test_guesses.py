"""Wrong tokens, and how long they make somebody wait."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.service.guesses import FORGOTTEN_SECONDS, FREE, LONGEST_SECONDS, MOST, Guesses


class Tried:
    """Guesses, and a clock that goes when it is told."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.guesses = Guesses(clock=lambda: self.now)
        self._number = 0

    def guess(self, address: str = "192.0.2.1", times: int = 1) -> None:
        for _ in range(times):
            self._number += 1
            self.guesses.wrong(address, f"guess {self._number}")

    def wait(self, address: str = "192.0.2.1") -> int:
        refusal = self.guesses.refusal(address)
        if refusal is None:
            return 0
        assert refusal.status == 429
        assert refusal.headers is not None
        return int(refusal.headers["Retry-After"])


def test_a_few_mistakes_cost_nothing_and_more_of_them_ever_longer() -> None:
    tried, waits = Tried(), []
    for _ in range(FREE + 8):
        tried.guess()
        waits.append(tried.wait())
        tried.now += waits[-1]
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_who_waits_is_heard_again_when_the_time_is_over() -> None:
    tried = Tried()
    tried.guess(times=FREE + 2)
    tried.now += 3.9
    assert tried.wait() == 1
    tried.now += 0.1
    assert tried.wait() == 0


def test_the_same_token_again_is_no_new_try() -> None:
    tried = Tried()
    for _ in range(100):
        tried.guesses.wrong("192.0.2.1", "an old token")
    assert tried.wait() == 0


def test_others_do_not_wait_for_somebody() -> None:
    tried = Tried()
    tried.guess(times=FREE)
    assert tried.wait() == 1
    assert tried.wait("192.0.2.2") == 0


def test_whoever_can_choose_among_addresses_of_a_network_is_one() -> None:
    tried = Tried()
    for last in range(FREE):
        tried.guess(f"2001:db8::{last}")
    assert tried.wait("2001:db8::ffff") == 1
    assert tried.wait("2001:db8:0:1::1") == 0


def test_what_was_tried_is_forgotten() -> None:
    tried = Tried()
    tried.guess(times=30)
    tried.now += FORGOTTEN_SECONDS
    tried.guess()
    assert tried.wait() == 0


def test_memory_is_bounded() -> None:
    tried = Tried()
    tried.guess("192.0.2.1", FREE)
    for number in range(MOST):
        tried.guess(f"name {number}")
    assert tried.wait("192.0.2.1") == 0


@given(st.text(), st.text(), st.integers(1, 40))
def test_nobody_waits_longer_than_a_minute(address: str, token: str, times: int) -> None:
    tried = Tried()
    tried.guess(address, times)
    tried.guesses.wrong(address, token)
    assert tried.wait(address) <= LONGEST_SECONDS
