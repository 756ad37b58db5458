"""A thing with its neighbours around it."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.service.entity import Neighbour
from gossamer.web.star import HEIGHT, MOST, WIDTH, star


def neighbour(id_: str, label: str | None = None, name: str = "knows") -> Neighbour:
    return Neighbour(id_, label, f"urn:{name}", name, leads_here=False)


@given(st.lists(st.integers(0, 40).map(lambda n: neighbour(f"urn:{n}")), max_size=60))
def test_every_point_is_inside_and_no_two_are_at_one_place(found: list[Neighbour]) -> None:
    points = star(found)
    assert len(points) == min(MOST, len({each.id for each in found}))
    assert all(0 < point.x < WIDTH and 0 < point.y < HEIGHT for point in points)
    assert len({(point.x, point.y) for point in points}) == len(points)


def test_several_links_to_one_neighbour_are_one_point() -> None:
    (point,) = star([neighbour("urn:a", "A"), neighbour("urn:a", "A", "likes")])
    assert (point.name, point.by) == ("A", "knows, likes")


def test_those_with_names_come_first_and_long_names_are_cut() -> None:
    points = star([neighbour("urn:a"), neighbour("urn:b", "B" * 100)], most=1)
    assert points[0].id == "urn:b"
    assert points[0].name == "B" * 17 + "…"


def test_a_neighbour_without_a_name_is_what_it_is_to_the_thing() -> None:
    (point,) = star([neighbour("gossamer-blank:1", name="address")])
    assert point.name == "address"
