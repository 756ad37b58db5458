from datetime import timedelta

from tests.frontier.worlds import World

from gossamer.nodes.store import NodeStore, NodeWish

SECOND = 1_000_000


def test_a_node_that_joins_and_tells_of_itself_is_known_with_its_last_report(world: World) -> None:
    nodes = NodeStore(world.store())
    joined = nodes.join("one", "1.0")
    world.later(5)
    nodes.beat("one", "1.0", "running", b'{"cpu":1}')
    now, (one,) = nodes.all()
    assert now == joined.now + 5 * SECOND
    assert (one.joined_at, one.started_at, one.heard_at) == (joined.now, joined.now, now)
    assert (one.version, one.state, one.report) == ("1.0", "running", b'{"cpu":1}')
    assert (one.left_at, one.wish) == (None, None)


def test_a_node_that_left_is_listed_and_is_back_when_it_is_heard_again(world: World) -> None:
    nodes = NodeStore(world.store())
    nodes.join("one", "1.0")
    assert nodes.leave("one")
    assert not nodes.leave("one")
    now, (one,) = nodes.all()
    assert (one.left_at, one.state) == (now, "left")
    world.later(60)
    again = nodes.join("one", "1.1")
    _, (one,) = nodes.all()
    assert one.left_at is None
    assert (one.joined_at, one.started_at, one.version) == (now, again.now, "1.1")


def test_a_beat_brings_home_what_the_node_is_to_do(world: World) -> None:
    ours, theirs = NodeStore(world.store()), NodeStore(world.store())
    ours.join("one", "1.0")
    assert ours.beat("one", "1.0", "running", b"{}").wish is None
    world.later(1)
    assert theirs.wish("one", NodeWish.DRAIN)
    answer = ours.beat("one", "1.0", "running", b"{}")
    assert (answer.wish, answer.wished_at) == (NodeWish.DRAIN, answer.now)
    assert not theirs.wish("nobody", NodeWish.STOP)
    assert ours.join("one", "1.0").wish is None  # it ended by that wish, and begins anew
    theirs.wish("one", NodeWish.PAUSE)
    assert ours.join("one", "1.0").wish is NodeWish.PAUSE


def test_figures_are_bounded_by_age(world: World) -> None:
    nodes = NodeStore(world.store())
    nodes.join("one", "1.0")
    for figure in (b"1", b"2", b"3"):
        world.later(10 * 3600)
        nodes.beat("one", "1.0", "running", b"{}", figure)
    assert [figure for _, figure in nodes.figures()["one"]] == [b"1", b"2", b"3"]
    world.later(10 * 3600)
    nodes.beat("one", "1.0", "running", b"{}", b"4")
    assert [figure for _, figure in nodes.figures(timedelta(days=9))["one"]] == [b"2", b"3", b"4"]


def test_a_node_that_was_last_heard_of_long_ago_is_listed_no_more(world: World) -> None:
    nodes = NodeStore(world.store())
    nodes.join("one", "1.0")
    world.later(8 * 24 * 3600)
    nodes.join("two", "1.0")
    assert [each.node for each in nodes.all()[1]] == ["two"]
