import random
from math import isclose

from gossamer.freshness.belief import believe
from gossamer.freshness.bins import NO_EVIDENCE, bin_of
from gossamer.freshness.census import Census
from gossamer.freshness.evidence import NO_LOOKS, Look
from gossamer.freshness.plan import interval
from gossamer.freshness.planner import LookPlanner
from gossamer.freshness.prior import OF_THE_WEB, Prior


def evidence_bin_of(*found: tuple[float, bool], weight: float = 1.0) -> int:
    evidence = NO_LOOKS
    for days, changed in found:
        evidence = evidence.after(Look(days, changed))
    return bin_of(evidence, weight)


def test_what_is_expected_is_what_belief_and_plan_say() -> None:
    planner = LookPlanner()
    census = Census({NO_EVIDENCE: 900, evidence_bin_of((20, True)): 60})
    planner.update(census, 48.0)
    assert planner.plan is not None
    days, rate, fresh = planner.expect(NO_EVIDENCE)
    belief = believe(NO_LOOKS, planner.prior)
    assert isclose(days, interval(belief, 1.0, planner.plan), rel_tol=0.15)
    assert isclose(rate, belief.rate, rel_tol=0.25)
    assert 0 < fresh < 1
    assert planner.expect(NO_EVIDENCE) == (days, rate, fresh)


def test_busier_pages_heavier_pages_and_lower_prices_come_sooner() -> None:
    planner = LookPlanner()
    planner.update(Census({NO_EVIDENCE: 100}), 10.0)
    quiet, busy = evidence_bin_of((10, False)), evidence_bin_of((20, True))
    assert planner.expect(busy).rate > planner.expect(quiet).rate
    heavy = evidence_bin_of((10, False), weight=4.0)
    assert planner.expect(heavy).days < planner.expect(quiet).days
    assert planner.expect(quiet, factor=2.0).days > planner.expect(quiet).days
    slow = Prior(OF_THE_WEB.mean - 2, OF_THE_WEB.spread)
    assert planner.expect(quiet, slow).rate < planner.expect(quiet).rate


def test_memory_is_bounded_by_what_is_alike() -> None:
    planner = LookPlanner()
    planner.update(Census({NO_EVIDENCE: 100}), 10.0)
    chance = random.Random(3)
    for _ in range(2000):
        planner.expect(NO_EVIDENCE, Prior(chance.uniform(-4, -3), 1.5))
    assert len(planner._known) < 12
