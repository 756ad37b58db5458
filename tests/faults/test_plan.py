"""A plan of faults follows from its seed, holds every kind, and leaves somebody well."""

import pytest
from tests.faults.plan import OF_ALL, Kind, draw

KINDS = list(Kind)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("nodes", [2, 4])
def test_a_plan_holds_every_kind_and_leaves_a_node_well(seed: int, nodes: int) -> None:
    plan = draw(seed, nodes, KINDS, 20, shortest=2, longest=9)
    assert plan == draw(seed, nodes, KINDS, 20, shortest=2, longest=9)
    assert {fault.kind for fault in plan} == set(KINDS)
    assert len(plan) == 20
    for fault in plan:
        assert (fault.node is None) is (fault.kind in OF_ALL)
        assert (fault.skew != 0) is (fault.kind is Kind.CLOCK)
        ill = [
            each.node for each in plan if each.at <= fault.at < each.ends and each.node is not None
        ]
        assert len(ill) == len(set(ill)) < nodes  # nothing happens to a node twice at a time


def test_other_seeds_are_other_plans() -> None:
    assert draw(1, 3, KINDS, 9, 1, 2) != draw(2, 3, KINDS, 9, 1, 2)
