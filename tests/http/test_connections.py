"""Who is connected."""

from gossamer.http.connections import Bounds, Connections


def test_there_is_room_for_so_many_and_for_three_in_four_of_one_address() -> None:
    bounds, all_of_them = Bounds(8, 1, 1, 1), Connections[int]()
    assert [all_of_them.enter(number, "192.0.2.1", bounds) for number in range(7)] == [True] * 6 + [
        False
    ]
    all_of_them.leave(6)
    assert all_of_them.enter(10, "192.0.2.2", bounds)
    assert all_of_them.enter(11, "192.0.2.3", bounds)
    assert not all_of_them.enter(12, "192.0.2.4", bounds)
    for number in (*range(6), 10, 11, 12, 99):
        all_of_them.leave(number)
    assert not all_of_them
    assert all_of_them.enter(1, "192.0.2.1", bounds)


def test_where_one_may_connect_one_address_may() -> None:
    assert [Bounds(most, 1, 1, 1).most_of_one for most in (1, 2, 3, 4, 100)] == [1, 2, 3, 3, 75]
