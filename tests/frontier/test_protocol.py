from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Counts, Frontier


def test_the_frontier_over_sql_is_a_frontier(frontier: SqlFrontier) -> None:
    promised: Frontier = frontier  # mypy reads this line
    assert promised.counts().known == 0


def test_what_is_left_is_all_that_may_yet_be_fetched() -> None:
    counts = Counts(known=100, pending=10, handed=3, waiting=2, aside=20, beyond=30, full=4)
    assert counts.left == 11
