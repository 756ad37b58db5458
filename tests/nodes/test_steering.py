"""What nodes are told, and how they stand: by the database's clock, on both engines."""

from datetime import timedelta

import pytest
from tests.frontier.worlds import World

from gossamer.frontier.protocol import NewUrl
from gossamer.model import Url
from gossamer.nodes.report import CrawlFigures, NodeReport
from gossamer.nodes.steering import NodeStanding, standings, tell_nodes
from gossamer.nodes.store import NodeStore, NodeWish

WORK = NodeReport(crawl=CrawlFigures(1.5, 20.0, None, 3, 4, 5, 6, "read", 7)).dump()


def one(world: World) -> NodeStanding:
    (found,) = standings(world.store())
    return found


def test_all_that_have_not_left_are_told(world: World) -> None:
    nodes = NodeStore(world.store())
    for name in ("a", "b", "c"):
        nodes.join(name, "1.0")
    nodes.leave("b")
    assert tell_nodes(world.store(), NodeWish.PAUSE) == ["a", "c"]
    assert tell_nodes(world.store(), NodeWish.STOP, ["c", "b", "nobody"]) == ["c"]
    assert [each.wish for each in standings(world.store())] == ["pause", None, "stop"]


@pytest.mark.parametrize("wish", list(NodeWish))
def test_a_node_that_was_told_nothing_yet_hears_of_any_wish(world: World, wish: NodeWish) -> None:
    NodeStore(world.store()).join("a", "1.0")
    assert tell_nodes(world.store(), wish) == ["a"]
    assert one(world).wish == wish.value


def test_a_node_that_drains_is_not_told_to_go_on_but_may_be_stopped(world: World) -> None:
    nodes = NodeStore(world.store())
    nodes.join("a", "1.0")
    tell_nodes(world.store(), NodeWish.DRAIN)
    first = nodes.all()[1][0].wished_at
    world.later(1)
    tell_nodes(world.store(), NodeWish.RUN)
    tell_nodes(world.store(), NodeWish.DRAIN)  # a second time
    (row,) = nodes.all()[1]
    assert (row.wish, row.wished_at) == ("drain", first)
    tell_nodes(world.store(), NodeWish.STOP)
    assert one(world).wish == "stop"


def test_a_wish_that_was_carried_out_is_withdrawn_unless_it_was_made_anew(world: World) -> None:
    nodes = NodeStore(world.store())
    nodes.join("a", "1.0")
    nodes.wish("a", NodeWish.PAUSE)
    before = nodes.all()[1][0].wished_at
    assert before is not None
    world.later(1)
    nodes.wish("a", NodeWish.RUN)
    nodes.withdraw("a", before)
    assert one(world).wish == "run"
    nodes.withdraw("a", before + 1_000_000)
    assert one(world).wish is None


def test_a_standing_says_what_is_in_hand_and_when_silence_sets_in(world: World) -> None:
    nodes, frontier = NodeStore(world.store()), world.frontier("a")
    nodes.join("a", "1.0", WORK)
    frontier.add([NewUrl(Url("https://one.test/"), seed=True)])
    assert frontier.lease(1)
    now = one(world)
    assert (now.hosts_held, now.in_flight, now.waiting) == (1, 5, 6)
    assert (now.silent_for, now.is_gone, now.follows(NodeWish.RUN)) == (None, False, True)
    world.later(31)
    now = one(world)
    assert now.silent_for == timedelta(seconds=31)
    assert now.leases_end_in == frontier.lease_length - timedelta(seconds=31)
    assert not now.is_gone
    world.later(frontier.lease_length.total_seconds())
    now = one(world)
    assert (now.leases_end_in, now.hosts_held, now.is_gone) == (None, 0, True)


def test_a_node_that_left_has_done_whatever_it_was_told(world: World) -> None:
    nodes = NodeStore(world.store())
    nodes.join("a", "1.0")
    assert not one(world).follows(NodeWish.STOP)
    nodes.leave("a")
    assert one(world).is_gone
    assert all(one(world).follows(wish) for wish in NodeWish)
