import random
from math import exp, log

from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.belief import believe
from gossamer.freshness.bins import (
    NO_EVIDENCE,
    bin_of,
    coarser,
    evidence_bin,
    has_looks,
    page_of,
)
from gossamer.freshness.evidence import NO_LOOKS, Look, RateEvidence
from gossamer.freshness.prior import OF_THE_WEB

looks = st.builds(Look, st.floats(0.02, 300), st.booleans())
weights = st.floats(0.2, 30)


def evidence_of(found: list[Look]) -> RateEvidence:
    evidence = NO_LOOKS
    for look in found:
        evidence = evidence.after(look)
    return evidence


@given(st.lists(looks, max_size=40), weights)
def test_a_bin_stands_for_its_pages(found: list[Look], weight: float) -> None:
    evidence = evidence_of(found)
    number = bin_of(evidence, weight)
    assert 0 <= number < 1 << 31
    near = page_of(number)[1]
    assert has_looks(number) == bool(found)
    assert abs(log(near / weight)) < 0.36


def test_little_is_lost_by_a_bin() -> None:
    chance = random.Random(6)
    lost = []
    for _ in range(300):
        rate, evidence = chance.lognormvariate(-3.5, 1.8), NO_LOOKS
        for _ in range(chance.randint(1, 30)):
            days = chance.uniform(0.5, 1.5) / rate
            evidence = evidence.after(Look(days, chance.random() < 1 - exp(-rate * days)))
        alike, _ = page_of(bin_of(evidence, 1.0))
        ours, theirs = (believe(each, OF_THE_WEB).logarithm()[0] for each in (evidence, alike))
        lost.append(abs(ours - theirs))
    assert sorted(lost)[150] < 0.1
    assert sorted(lost)[-2] < 0.3


@given(st.lists(looks, max_size=40), weights)
def test_wider_bins_hold_the_narrower(found: list[Look], weight: float) -> None:
    number = bin_of(evidence_of(found), weight)
    assert has_looks(coarser(number)) == has_looks(number)
    assert evidence_bin(number) == bin_of(page_of(number)[0], 1.0)
    assert evidence_bin(evidence_bin(number)) == evidence_bin(number)


def test_whatever_the_numbers_there_is_a_bin() -> None:
    for days in (exp(-30), 1e6):
        evidence = RateEvidence(1000.0, 900.0, log(days), 9.0, days)
        assert 0 <= bin_of(evidence, 1e9) < 1 << 31
    assert bin_of(NO_LOOKS, 1.0) == NO_EVIDENCE
    assert page_of(NO_EVIDENCE) == (NO_LOOKS, 1.0)
