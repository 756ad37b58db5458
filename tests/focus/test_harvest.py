import pytest

from gossamer.focus.clues import ClueTable, points
from gossamer.focus.harvest import Harvest, WantedCounts


def harvest(rates: list[float], least: float | None = None, step: int = 10) -> Harvest:
    """A crawl whose pages bring so many things each, a hundred pages at each rate."""
    found, things, visited = Harvest(least), 0.0, 0
    for rate in rates:
        for _ in range(100 // step):
            things, visited = things + rate * step, visited + step
            found.note(WantedCounts(round(things), round(things), visited))
    return found


def test_the_yield_is_that_of_the_latest_pages() -> None:
    found = harvest([0.9] * 5 + [0.1] * 4)
    assert found.of_late.pages == 300
    assert found.of_late.per_page == pytest.approx(0.1, abs=0.02)
    assert found.all.things == 490


def test_a_crawl_ends_when_a_whole_window_brought_too_little() -> None:
    assert not harvest([0.9, 0.0, 0.0], least=0.01).is_over
    assert harvest([0.9, 0.0, 0.0, 0.0], least=0.01).is_over
    assert not harvest([0.0] * 9).is_over


def test_people_are_told_when_it_would_be_reasonable_to_stop() -> None:
    assert "too early" in harvest([0.5]).outlook()
    assert "does not fall" in harvest([0.5] * 8).outlook()
    assert "after about" in harvest([0.9, 0.8, 0.7, 0.6, 0.5, 0.4]).outlook()
    assert "stop now" in harvest([0.9] * 6 + [0.0] * 4).outlook()
    assert "nothing wanted" in harvest([0.0] * 5).outlook()


def test_other_wants_begin_anew() -> None:
    found = harvest([0.5] * 5)
    found.note(WantedCounts(1, 1, 2))
    assert found.all.visited == 2


def test_the_samples_stay_few() -> None:
    found = harvest([0.5] * 100, least=0.0001, step=1)
    assert len(found._samples) <= 400
    assert found.all.visited == 10_000


def test_clues_that_came_with_wanted_pages_promise_more() -> None:
    table = ClueTable([(0, 100.0, 6.0), (1, 10.0, 6.0), (2, 90.0, 0.0)])
    assert table.estimate([1]) > table.estimate([3]) > table.estimate([2])
    assert table.telling({1: "shop", 2: "blog"})[0][1] != 1


def test_points_grow_with_what_is_promised() -> None:
    worth = [0.0, 1e-5, 1e-3, 0.05, 1.0, 50.0, 1e9]
    assert sorted(map(points, worth)) == [*map(points, worth)]
    assert points(1e9) == 999
