import asyncio
import os
import signal

from gossamer.cli.interrupts import Interrupts


def test_whoever_interrupts_before_the_crawl_is_open_waits_for_no_server() -> None:
    said: list[str] = []
    given_up = asyncio.Event()

    async def run() -> None:
        interrupts = Interrupts(said.append, given_up.set)
        interrupts.heed()
        os.kill(os.getpid(), signal.SIGINT)
        async with asyncio.timeout(60):
            await given_up.wait()
        assert interrupts.asked

    asyncio.run(run())
    assert len(said) == 1
    assert said[0].startswith("Stopping: ")
