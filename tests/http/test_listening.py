"""A full system is complained of now and then, not at each try."""

import asyncio
import errno
from typing import Any

from gossamer.http.listening import complain_rarely


def test_a_full_system_is_told_once_and_other_errors_go_on() -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        told: list[str] = []
        others: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, context: others.append(context))
        full = {"exception": OSError(errno.EMFILE, "Too many open files"), "socket": object()}
        with complain_rarely(told.append):
            for _ in range(1_000):
                loop.call_exception_handler(full)
            loop.call_exception_handler({"message": "something else"})
        assert told == ["Too many open files"]
        assert others == [{"message": "something else"}]

    asyncio.run(work())
