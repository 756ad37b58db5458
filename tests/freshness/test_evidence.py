import random
from math import exp

from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.belief import believe
from gossamer.freshness.evidence import NO_LOOKS, Look, RateEvidence
from gossamer.freshness.prior import OF_THE_WEB

looks = st.builds(Look, st.floats(0, 1e5), st.booleans(), st.floats(0, 1))


def evidence_of(found: list[Look]) -> RateEvidence:
    evidence = NO_LOOKS
    for look in found:
        evidence = evidence.after(look)
    return evidence


@given(st.lists(looks, max_size=60))
def test_evidence_is_packed_small_and_without_loss(found: list[Look]) -> None:
    evidence = evidence_of(found)
    assert len(evidence.pack()) <= 24
    assert RateEvidence.unpack(evidence.pack()) == evidence


def test_what_is_no_evidence_of_this_version_is_none() -> None:
    for packed in (None, b"", b"\x02" + NO_LOOKS.pack()[1:], NO_LOOKS.pack() + b"x"):
        assert RateEvidence.unpack(packed) == NO_LOOKS


@given(st.lists(looks, max_size=200))
def test_evidence_stays_bounded(found: list[Look]) -> None:
    evidence = evidence_of(found)
    assert 0 <= evidence.changes <= evidence.looks * 1.01 + 0.01
    assert evidence.looks <= 250
    assert 0 <= evidence.chance_of_change(10) <= 1


@given(st.lists(looks, max_size=20), st.floats(0.1, 1000))
def test_a_change_makes_a_page_faster_and_a_quiet_look_slower(
    found: list[Look], days: float
) -> None:
    evidence = evidence_of(found)
    faster, slower = (
        believe(evidence.after(Look(days, changed)), OF_THE_WEB).logarithm()[0]
        for changed in (True, False)
    )
    assert faster > slower


@given(looks, st.lists(looks, max_size=5))
def test_a_claim_without_trust_is_no_look(look: Look, found: list[Look]) -> None:
    evidence = evidence_of(found)
    assert evidence.after(Look(look.days, look.changed, weight=0)) == evidence


def test_a_new_habit_is_believed_within_a_few_looks_and_chance_is_not() -> None:
    steady = evidence_of([Look(20, False)] * 30)
    rate = believe(steady, OF_THE_WEB).rate
    once = steady.after(Look(20, True)).after(Look(20, False)).after(Look(20, False))
    assert believe(once, OF_THE_WEB).rate < 4 * rate
    often = evidence_of([Look(20, False)] * 30 + [Look(20, True)] * 8)
    assert believe(often, OF_THE_WEB).rate > 1 / 60
    calm = evidence_of([Look(2, True)] * 30 + [Look(20, False)] * 4)
    assert believe(calm, OF_THE_WEB).rate < 1 / 20


def test_the_rate_is_found_from_few_looks_at_unequal_intervals() -> None:
    chance = random.Random(1)
    for rate in (1 / 100, 1 / 10, 1.0):
        found = []
        for _ in range(60):
            days = chance.uniform(0.2, 2) / rate
            found.append(Look(days, chance.random() < 1 - exp(-rate * days)))
        assert rate / 1.6 < believe(evidence_of(found), OF_THE_WEB).rate < rate * 1.6
