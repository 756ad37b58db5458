import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.address import AddressLimit


def test_an_address_is_full_until_somebody_leaves() -> None:
    limit = AddressLimit(2)
    assert limit.enter("192.0.2.1")
    assert limit.enter("192.0.2.1")
    assert not limit.enter("192.0.2.1")
    assert limit.enter("192.0.2.2")
    limit.leave("192.0.2.1")
    assert limit.enter("192.0.2.1")


@pytest.mark.parametrize(
    ("one", "other"),
    [("192.0.2.1", "::ffff:192.0.2.1"), ("2001:db8::1", "2001:0DB8:0:0:0:0:0:1")],
)
def test_spellings_of_one_address_count_together(one: str, other: str) -> None:
    limit = AddressLimit(1)
    assert limit.enter(one)
    assert not limit.admits(other)


def test_hosts_reached_through_connect_to_are_exempt() -> None:
    limit = AddressLimit(1)
    assert all(limit.enter(None) for _ in range(100))
    limit.leave(None)
    assert len(limit) == 0


def test_leaving_without_entering_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="nothing is in flight"):
        AddressLimit(1).leave("192.0.2.1")


@given(st.integers(1, 4), st.lists(st.tuples(st.booleans(), st.integers(1, 3)), max_size=80))
def test_counts_follow_any_history_and_nothing_at_rest_is_kept(
    per_address: int, history: list[tuple[bool, int]]
) -> None:
    limit, inside = AddressLimit(per_address), {1: 0, 2: 0, 3: 0}
    for entering, number in history:
        address = f"192.0.2.{number}"
        if entering:
            assert limit.enter(address) == (inside[number] < per_address)
            inside[number] = min(inside[number] + 1, per_address)
        elif inside[number]:
            limit.leave(address)
            inside[number] -= 1
        assert limit.in_flight(address) == inside[number]
    assert len(limit) == sum(count > 0 for count in inside.values())
