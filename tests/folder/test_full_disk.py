import asyncio
from datetime import timedelta

import pytest

from gossamer.errors import GraphAwayError, StorageFullError
from gossamer.events import (
    ConfigIgnored,
    Event,
    GraphAway,
    GraphBack,
    NoContact,
    StorageFull,
    StorageRoom,
)
from gossamer.folder.full_disk import MOST_EVENTS, FullDisk, PatientLog


class Disk:
    """Fails for so many attempts: it is full."""

    fault: Exception = StorageFullError("Full.")

    def __init__(self, attempts: int) -> None:
        self.attempts = attempts
        self.tried = asyncio.Event()

    async def write(self) -> str:
        self.attempts -= 1
        self.tried.set()
        if self.attempts >= 0:
            raise self.fault
        return "written"


def test_where_there_is_room_nothing_is_told() -> None:
    told: list[Event] = []
    assert asyncio.run(FullDisk(told.append, 0.001).outlasted(Disk(0).write)) == "written"
    assert told == []


def test_a_call_is_made_again_until_there_is_room_and_people_are_told_once() -> None:
    told: list[Event] = []

    async def run() -> list[str]:
        disk = FullDisk(told.append, 0.001)
        calls = [disk.outlasted(Disk(attempts).write) for attempts in (5, 7, 9)]
        return await asyncio.gather(*calls)

    assert asyncio.run(run()) == ["written"] * 3
    assert told == [StorageFull(message="Full."), StorageRoom()]


def test_who_waits_can_be_cancelled() -> None:
    async def run() -> int:
        disk = FullDisk(lambda _: None, 0.001)
        written = Disk(1 << 30)
        waiting = asyncio.create_task(disk.outlasted(written.write))
        await written.tried.wait()
        assert disk.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return disk.waiting

    assert asyncio.run(run()) == 0


def test_who_has_given_up_waits_no_longer() -> None:
    async def run() -> list[BaseException | str]:
        disk, full = FullDisk(lambda _: None, 1000), Disk(1 << 30)
        waiting = asyncio.create_task(disk.outlasted(full.write))
        await full.tried.wait()
        disk.give_up()
        ended = await asyncio.gather(
            waiting,
            disk.outlasted(full.write),
            disk.outlasted(Disk(0).write),
            return_exceptions=True,
        )
        return list(ended)

    first, second, third = asyncio.run(run())
    assert isinstance(first, StorageFullError)
    assert isinstance(second, StorageFullError)
    assert third == "written"


def test_other_errors_are_not_waited_out() -> None:
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(FullDisk(lambda _: None, 0.001).outlasted(fail))


def test_a_log_without_room_is_written_when_there_is_some_in_order() -> None:
    written: list[Event] = []
    is_full = True

    def log(event: Event) -> None:
        if is_full:
            raise StorageFullError("Full.")
        written.append(event)

    patient = PatientLog(log)
    for number in range(3):
        patient(ConfigIgnored(message=str(number)))
    is_full = False
    patient(NoContact())
    assert written == [*(ConfigIgnored(message=str(n)) for n in range(3)), NoContact()]


def test_what_waits_to_be_logged_is_bounded() -> None:
    def log(_: Event) -> None:
        raise StorageFullError("Full.")

    patient = PatientLog(log)
    for number in range(MOST_EVENTS + 5):
        patient(ConfigIgnored(message=str(number)))
    written: list[Event] = []
    patient.log = written.append
    patient(NoContact())
    assert len(written) == MOST_EVENTS


class Server(Disk):
    """Fails for so many attempts: it is away."""

    fault = GraphAwayError("Away.")


def test_a_server_that_is_away_is_waited_for_and_people_are_told_once() -> None:
    told: list[Event] = []

    async def run() -> list[str]:
        disk = FullDisk(told.append, 0.0001)
        calls = [disk.outlasted(each.write) for each in (Server(3), Server(5), Disk(4))]
        return await asyncio.gather(*calls)

    assert asyncio.run(run()) == ["written"] * 3
    kinds = [type(event) for event in told]
    assert kinds.index(GraphAway) < kinds.index(GraphBack)
    assert sorted(kinds, key=str) == [GraphAway, GraphBack, StorageFull, StorageRoom]
    (away,) = (event for event in told if isinstance(event, GraphAway))
    assert away.message == "Away."
    assert "30 seconds, until 20" in away.sentence()


def test_patience_with_a_server_ends() -> None:
    disk = FullDisk(lambda _: None, 0.0001, patience=timedelta(0))
    with pytest.raises(GraphAwayError):
        asyncio.run(disk.outlasted(Server(1 << 30).write))


def test_who_has_given_up_waits_no_longer_for_a_server() -> None:
    async def run() -> None:
        disk, server = FullDisk(lambda _: None, 1000), Server(1 << 30)
        waiting = asyncio.create_task(disk.outlasted(server.write))
        await server.tried.wait()
        disk.give_up()
        with pytest.raises(GraphAwayError):
            await waiting

    asyncio.run(run())
