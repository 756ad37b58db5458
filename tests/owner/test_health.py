import asyncio
from pathlib import Path

import pytest
from tests.virtual_time import in_virtual_time

from gossamer.errors import StorageAwayError
from gossamer.owner.health import DatabasePing, disk_part, health_record, part, progress_part

SILENT = "The database of the frontier has not answered for"


def test_a_database_that_is_silent_for_long_is_trouble_until_it_answers() -> None:
    async def work() -> None:
        clock, back, asked = asyncio.get_running_loop().time, asyncio.Event(), 0

        async def ask() -> None:
            nonlocal asked
            asked += 1
            await back.wait()

        ping = DatabasePing(ask, clock)
        told = await ping.look()
        assert (told["trouble"], told["seconds"]) == (None, 1.0)  # it may be busy for a moment
        await asyncio.sleep(60)
        told = await ping.look()
        assert told["trouble"] == f"{SILENT} 62 s."
        assert asked == 1  # questions do not pile up
        back.set()
        await asyncio.sleep(0)
        await ping.look()
        told = await ping.look()
        assert (told["trouble"], told["seconds"], asked) == (None, 0.0, 2)
        await ping.aclose()

    in_virtual_time(work())


def test_an_error_of_the_database_is_told_and_nobody_waits_at_the_end() -> None:
    async def work() -> None:
        async def away() -> None:
            raise StorageAwayError("The server is away.")

        told = await DatabasePing(away).look()
        assert told["trouble"] == "The server is away."

        async def never() -> None:
            await asyncio.Event().wait()

        ping = DatabasePing(never, asyncio.get_running_loop().time)
        await ping.look()
        await ping.aclose()

    in_virtual_time(work())


def test_a_disk_with_less_room_than_crawls_leave_is_trouble(tmp_path: Path) -> None:
    assert disk_part([tmp_path], 0)["trouble"] is None
    told = disk_part([tmp_path], 1 << 62)
    assert "crawls end below" in told["trouble"]
    assert told["free"] >= 0


@pytest.mark.parametrize(
    ("name", "is_ready"), [("database", False), ("graph", False), ("disk", False), ("words", True)]
)
def test_who_has_words_that_are_behind_is_ready_all_the_same(name: str, is_ready: bool) -> None:
    parts = {each: part(None) for each in ("database", "graph", "words", "disk")}
    well = health_record(parts, progress_part(None), {}, {})
    assert (well["ready"], well["troubles"]) == (True, [])
    bad = health_record({**parts, name: part("Hm.")}, progress_part(None), {}, {})
    assert (bad["ready"], bad["troubles"]) == (is_ready, ["Hm."])


def test_progress_is_that_of_the_crawl_if_one_runs() -> None:
    assert progress_part(None) == {"state": None, "seconds": None}
    run = {"state": "running", "progress_seconds": 3.5}
    assert progress_part(run) == {"state": "running", "seconds": 3.5}
