from hypothesis import given
from hypothesis import strategies as st

from gossamer.frontier.skew import Skew

MOMENTS = st.integers(0, 1 << 52)
DIFFERENCES = st.integers(-(1 << 45), 1 << 45)
LENGTHS = st.integers(0, 1 << 40)


@st.composite
def clocks(draw: st.DrawFn) -> tuple[int, Skew, int]:
    """How far we really are ahead, what we know of it, and what the server said."""
    ahead, server = draw(DIFFERENCES), draw(MOMENTS)
    before = server + ahead - draw(LENGTHS)
    after = server + ahead + draw(LENGTHS)
    return ahead, Skew.measured(before, server, after), server


@given(clocks(), MOMENTS)
def test_the_true_moment_lies_between_deadline_and_here(
    clock: tuple[int, Skew, int], moment: int
) -> None:
    ahead, skew, _ = clock
    assert skew.deadline(moment) <= moment + ahead <= skew.here(moment)


@given(clocks(), MOMENTS)
def test_what_we_tell_the_server_is_never_too_early(
    clock: tuple[int, Skew, int], moment: int
) -> None:
    ahead, skew, _ = clock
    assert skew.there(moment) >= moment - ahead


@given(clocks(), LENGTHS)
def test_what_was_over_when_we_asked_is_not_in_the_servers_future(
    clock: tuple[int, Skew, int], ago: int
) -> None:
    _, skew, server = clock
    before = skew.deadline(server)
    assert skew.there(before - ago) <= server


@given(clocks(), clocks(), MOMENTS)
def test_a_rest_told_by_one_node_is_not_shortened_for_another(
    one: tuple[int, Skew, int], other: tuple[int, Skew, int], rested_from: int
) -> None:
    (ahead, ours, _), (their_ahead, theirs, _) = one, other
    true = rested_from - ahead
    assert theirs.here(ours.there(rested_from)) - their_ahead >= true


@given(MOMENTS, MOMENTS)
def test_clocks_that_agree_change_nothing(now: int, moment: int) -> None:
    skew = Skew.measured(now, now, now)
    assert skew.here(moment) == skew.deadline(moment) == skew.there(moment) == moment


@given(MOMENTS, MOMENTS, LENGTHS)
def test_a_clock_set_back_meanwhile_leaves_bounds_in_order(
    before: int, server: int, back: int
) -> None:
    skew = Skew.measured(before, server, before - back)
    assert skew.least <= skew.most
