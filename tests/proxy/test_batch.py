from tests.proxy.proxied import run, until

from gossamer.errors import StorageFullError
from gossamer.events import Event, Paused, Resumed
from gossamer.proxy.batch import Batch


def test_events_are_handed_on_in_their_order_before_long() -> None:
    async def work() -> None:
        told: list[Event] = []
        batch = Batch(told.append)
        for event in (Paused(), Resumed()):
            batch(event)
        assert told == []
        await until(lambda: told)
        assert told == [Paused(), Resumed()]
        batch(Paused())
        batch.close()
        assert told == [Paused(), Resumed(), Paused()]

    run(work())


def test_a_full_disk_costs_lines_alone() -> None:
    def full(_: Event) -> None:
        raise StorageFullError("full")

    async def work() -> None:
        batch = Batch(full)
        batch(Paused())
        batch.close()
        batch(Paused())
        batch.close()

    run(work())
