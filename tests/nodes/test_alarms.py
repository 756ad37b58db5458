from dataclasses import replace
from datetime import timedelta

from tests.frontier.worlds import World

from gossamer.nodes.alarms import Alarm, AlarmStore
from gossamer.nodes.report import DiskRoom, MachineMemory, NodeReport
from gossamer.nodes.rules import AlarmKind, NodeTrouble
from gossamer.nodes.seen import see_nodes, see_troubles, total_of
from gossamer.nodes.store import NodeStore

SKEWED = NodeReport(clock_ahead=90.0, clock_within=0.1).dump()


def names(alarms: object) -> list[tuple[str, str]]:
    assert isinstance(alarms, list | tuple)
    return [(each.node, each.kind) for each in alarms]


def watch(world: World, alarms: AlarmStore, seconds: int, *alive: str) -> list[Alarm]:
    """Look every five seconds while these nodes beat; the alarms that began."""
    began: list[Alarm] = []
    nodes = NodeStore(world.stores[0])
    for _ in range(0, seconds, 5):
        world.later(5)
        for each in alive:
            nodes.beat(each, "1.0", "running", b"{}")
        began += alarms.look().began
    return began


def test_a_node_that_falls_silent_is_one_alarm_that_begins_once_and_ends_once(
    world: World,
) -> None:
    store = world.store()
    nodes, alarms = NodeStore(store), AlarmStore(store)
    nodes.join("one", "1.0")
    nodes.join("two", "1.0")
    assert watch(world, alarms, 30, "one", "two") == []
    (began,) = watch(world, alarms, 120, "one")
    assert (began.node, began.kind, began.ended_at) == ("two", "silent", None)
    assert names(alarms.open()) == [("two", "silent")]
    assert see_troubles(store) == [f"Node two: {began.message}"]
    world.later(5)
    nodes.beat("two", "1.0", "running", b"{}")
    looked = alarms.look()
    assert names(looked.ended) == [("two", "silent")]
    assert alarms.open() == []
    (over,) = alarms.recent(10)
    assert over.ended_at is not None
    assert over.ended_at > over.began_at


def test_one_who_looks_is_enough(world: World) -> None:
    store = world.store()
    NodeStore(store).join("one", "1.0", SKEWED)
    ours, theirs = AlarmStore(store), AlarmStore(world.store())
    assert names(ours.look().began) == [("one", "clock")]
    assert theirs.look().began == ()
    world.later(10)
    assert names(theirs.look().began) == []  # it is known
    assert names(theirs.look().ended) == []


def test_while_nobody_looked_nobody_was_silent(world: World) -> None:
    store = world.store()
    NodeStore(store).join("one", "1.0")
    alarms = AlarmStore(store)
    alarms.look()
    world.later(45)  # as if the database was away
    assert alarms.look().began == []
    assert names(watch(world, alarms, 60)) == [("one", "silent")]


def test_a_node_that_leaves_takes_its_alarms_along(world: World) -> None:
    store = world.store()
    nodes, alarms = NodeStore(store), AlarmStore(store)
    nodes.join("one", "1.0", SKEWED)
    assert len(alarms.look().began) == 1
    nodes.leave("one")
    world.later(10)
    assert names(alarms.look().ended) == [("one", "clock")]


def test_the_trouble_of_a_node_that_fell_silent_is_not_taken_for_over(world: World) -> None:
    store = world.store()
    NodeStore(store).join("one", "1.0", SKEWED)
    alarms = AlarmStore(store)
    alarms.look()
    watch(world, alarms, 60)
    assert names(alarms.open()) == [("one", "clock"), ("one", "silent")]


def test_one_teller_tells_of_the_begin_and_of_the_end(world: World) -> None:
    store = world.store()
    nodes, ours, theirs = NodeStore(store), AlarmStore(store), AlarmStore(world.store())
    nodes.join("one", "1.0", SKEWED)
    ours.look()
    (claimed,) = ours.claim("a", 10)
    assert theirs.claim("b", 10) == []
    ours.note_told("a", [claimed])
    assert theirs.claim("b", 10) == []
    nodes.leave("one")
    world.later(10)
    ours.look()
    (ended,) = theirs.claim("b", 10)
    assert ended.ended_at is not None
    theirs.note_told("b", [ended])
    world.later(600)
    assert ours.claim("a", 10) == []


def test_what_a_teller_did_not_tell_another_does_later(world: World) -> None:
    store = world.store()
    NodeStore(store).join("one", "1.0", SKEWED)
    alarms = AlarmStore(store)
    alarms.look()
    (claimed,) = alarms.claim("a", 10)
    world.later(150)
    (again,) = alarms.claim("b", 10)
    assert again.id == claimed.id
    alarms.note_told("a", [claimed])  # too late: it is b's now
    world.later(150)
    assert len(alarms.claim("c", 10)) == 1


def test_a_past_trouble_is_noted_as_told(world: World) -> None:
    store = world.store()
    alarms = AlarmStore(store)
    trouble = NodeTrouble("one", AlarmKind.DATABASE, "", "The database was away.")
    alarms.add_past(trouble, timedelta(minutes=3))
    (past,) = alarms.recent(5)
    assert past.ended_at is not None
    assert past.ended_at - past.began_at == 180_000_000
    assert alarms.claim("a", 10) == []


def test_nodes_are_seen_with_what_is_wrong_and_in_sum(world: World) -> None:
    store = world.store()
    nodes = NodeStore(store)
    nodes.join("one", "1.0", SKEWED)
    nodes.join("two", "1.0", NodeReport(cpu=1.5, cores=4).dump())
    AlarmStore(store).look()
    world.later(2)
    seen = see_nodes(store)
    one, two = seen.records()
    assert [each["kind"] for each in one["troubles"]] == ["clock"]
    assert one["held"] == {"hosts": 0, "until": None, "names": []}
    assert (two["troubles"], two["silent_for"]) == ([], 2.0)
    assert [each.row.node for each in seen.ill] == ["one"]
    total = total_of(seen.records())
    assert (total["nodes"], total["cpu"], total["cores"]) == (2, 1.5, 4)
    world.later(60)
    assert total_of(see_nodes(store).records())["nodes"] == 0


def test_what_nodes_of_one_machine_share_counts_once(world: World) -> None:
    store = world.store()
    nodes = NodeStore(store)
    memory, disks = MachineMemory(1, 2, 3), (DiskRoom("folder", 5, 9, 7), DiskRoom("log", 4, 9, 8))
    report = NodeReport(cpu=1.5, cores=4, memory=memory, disks=disks[:1], machine="a")
    nodes.join("one", "1.0", report.dump())
    nodes.join("two", "1.0", replace(report, disks=disks).dump())
    nodes.join("three", "1.0", replace(report, machine="b").dump())
    older = (DiskRoom("folder", 1, 9), DiskRoom("log", 1, 9))
    nodes.join("four", "0.9", NodeReport(cpu=1.0, cores=2, disks=older).dump())
    total = total_of(see_nodes(store).records())
    assert (total["nodes"], total["machines"]) == (4, 3)
    assert (total["cpu"], total["cores"]) == (4.0, 10)
    assert total["memory"] == {"used": 2, "free": 4, "total": 6}
    assert total["disk_free"] == 5 + 4 + 5 + 1 + 1
