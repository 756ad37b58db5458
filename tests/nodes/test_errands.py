import asyncio
import itertools
import threading
from collections.abc import Sequence

from tests.frontier.worlds import World
from tests.slowness import patience

from gossamer.errors import StorageAwayError
from gossamer.events import Event, NodeAlarmBegan, NodeAlarmEnded
from gossamer.frontier.store import Store
from gossamer.nodes.alarms import AlarmStore
from gossamer.nodes.errands import AlarmWatch, DatabaseOutage, Errands, running_errands
from gossamer.nodes.report import NodeReport
from gossamer.nodes.store import NodeStore

SKEWED = NodeReport(clock_ahead=90.0, clock_within=0.1).dump()


def test_alarms_are_told_as_they_begin_and_end(world: World) -> None:
    store = world.store()
    NodeStore(store).join("one", "1.0", SKEWED)
    (began,) = AlarmWatch().run(store)
    assert isinstance(began, NodeAlarmBegan)
    assert "node one: Its clock is" in began.sentence()
    NodeStore(store).leave("one")
    world.later(10)
    (ended,) = AlarmWatch().run(store)
    assert isinstance(ended, NodeAlarmEnded)
    assert ended.began_at == began.began_at


def test_a_database_that_is_away_for_long_is_an_alarm_of_the_node_itself(world: World) -> None:
    moment = [0.0]
    outage = DatabaseOutage("one", clock=lambda: moment[0])
    why = "PostgreSQL cannot be reached: db.test (it is gone). Run the same command again."
    assert outage.fail(why) == ()
    moment[0] = 29.0
    assert outage.fail(why) == ()
    moment[0] = 31.0
    (began,) = outage.fail(why)
    assert isinstance(began, NodeAlarmBegan)
    assert (began.kind, began.message) == (
        "database",
        "PostgreSQL cannot be reached: db.test (it is gone).",
    )
    assert outage.fail(why) == ()
    moment[0] = 100.0
    store = world.store()
    (ended,) = outage.succeed(store)
    assert isinstance(ended, NodeAlarmEnded)
    assert outage.succeed(store) == ()
    (past,) = AlarmStore(store).recent(5)
    assert (past.kind, past.told) == ("database", 3)
    assert past.ended_at is not None
    assert past.ended_at - past.began_at == 100_000_000


def test_a_short_outage_is_none() -> None:
    outage = DatabaseOutage("one", clock=lambda: 5.0)
    outage.fail("x")
    assert outage.succeed(None) == ()  # type: ignore[arg-type]


class Counted:
    """An errand that fails as often as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.failures, self.runs = failures, 0

    def run(self, _: Store) -> Sequence[Event]:
        self.runs += 1
        if self.runs <= self.failures:
            raise StorageAwayError("It is away.")
        return ()


def test_errands_go_on_after_failures_and_run_a_last_time_at_the_end(world: World) -> None:
    counted, opened = Counted(failures=2), []

    def connect() -> Store:
        opened.append(1)
        return world.store()

    async def live() -> None:
        errands = Errands(
            open=connect,
            errands=[counted],
            outage=DatabaseOutage("one"),
            tell=lambda _: None,
            every=0.0,
        )
        async with asyncio.timeout(patience(30)), running_errands(errands):
            while counted.runs < 4:  # noqa: ASYNC110 (a thread counts)
                await asyncio.sleep(0.01)
            seen = counted.runs
        assert counted.runs > seen

    asyncio.run(live())
    assert len(opened) == 3  # anew after each failure


class Stuck:
    """An errand to a database that lets us connect and then says nothing, until it goes on."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()

    def run(self, _: Store) -> Sequence[Event]:
        assert self.goes_on.wait(patience(30))
        return ()


def test_a_database_that_says_nothing_is_an_alarm_though_nothing_fails(world: World) -> None:
    moments = itertools.count(0.0, 10.0)  # ten seconds later each time, while it lasts
    stuck, told = Stuck(), list[Event]()
    clock = lambda: 1_000.0 if stuck.goes_on.is_set() else next(moments)  # noqa: E731
    errands = Errands(
        open=world.store,
        errands=[stuck],
        outage=DatabaseOutage("one", clock=clock),
        tell=told.append,
        every=0.0,
        no_answer=0.01,
    )

    async def live() -> None:
        async with asyncio.timeout(patience(30)), running_errands(errands):
            while not told:  # noqa: ASYNC110 (others tell)
                await asyncio.sleep(0.01)
            assert errands.outage.is_on
            stuck.goes_on.set()
            while len(told) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    asyncio.run(live())
    began, ended = told
    assert isinstance(began, NodeAlarmBegan)
    assert (began.kind, "does not answer" in began.message) == ("database", True)
    assert isinstance(ended, NodeAlarmEnded)
    assert ended.began_at == began.began_at


def test_without_a_database_there_is_nothing_to_do() -> None:
    async def live() -> None:
        counted = Counted()
        errands = Errands(
            open=lambda: None,
            errands=[counted],
            outage=DatabaseOutage("one"),
            tell=lambda _: None,
        )
        async with running_errands(errands):
            pass
        assert counted.runs == 0

    asyncio.run(live())
