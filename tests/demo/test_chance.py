from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.chance import mix

NUMBERS = st.integers(0, 2**40)


def test_the_numbers_never_change() -> None:
    # Written down once: a change here changes every demo web anyone has ever named by its seed.
    assert mix(1, 2, 3) == 13212039434201284278


@given(NUMBERS, NUMBERS, st.integers(0, 100))
def test_every_part_matters(seed: int, number: int, salt: int) -> None:
    here = mix(seed, number, salt)
    assert 0 <= here < 2**64
    assert here not in (mix(seed + 1, number, salt), mix(seed, number + 1, salt))
    assert here != mix(seed, number, salt + 1)


def test_the_numbers_are_spread_evenly() -> None:
    buckets = Counter(mix(1, number, 1) % 10 for number in range(10_000))
    assert min(buckets.values()) > 900
    assert max(buckets.values()) < 1100
