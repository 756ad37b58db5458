"""Whose a password is: each is looked at once, and few at a time.

To look at one takes a processor for a while, on purpose. So that whoever guesses keeps nobody else
waiting, passwords from one address are looked at one after the other, on threads of their own;
and users who are known already need not be looked at.
"""

import asyncio
import base64
import hmac
import os
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from weakref import WeakValueDictionary

from gossamer.proxy.passwords import USUAL, User
from gossamer.proxy.refusals import Refused

THREADS: Final = 2
MOST_REMEMBERED: Final = 1_000  # right ones, and as many wrong ones
MOST_OF_ONE_ADDRESS: Final = 8  # that wait: some seconds' work
MOST_WAITING: Final = 100
WANTED: Final = Refused(
    407,
    "This proxy wants to know who you are: give a user and a password "
    "(http_proxy=http://USER:PASSWORD@HOST:PORT).",
    ((b"Proxy-Authenticate", b'Basic realm="gossamer", charset="UTF-8"'),),
)
BUSY: Final = Refused(
    429,
    "Too many different passwords are given at the same time. Try again in a moment.",
    ((b"Retry-After", b"1"),),
    "password",
)


class Credentials:
    """Knows users by what their programs send as `Proxy-Authorization`."""

    def __init__(self, users: Mapping[str, User]) -> None:
        self._users = users
        self._key = os.urandom(16)  # what is remembered of passwords is of no use elsewhere
        self._right: dict[bytes, str] = {}
        self._wrong: set[bytes] = set()
        self._looking: dict[bytes, asyncio.Task[str | None]] = {}
        self._waiting: Counter[str] = Counter()  # by address
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="passwords")

    async def user(self, peer: str, given: bytes) -> str | Refused:
        """The name of the user whose these are."""
        mark = hmac.digest(self._key, given, "sha256")
        if (name := self._right.get(mark)) is not None:
            return name
        basic = _basic(given)
        if basic is None or mark in self._wrong:
            return WANTED
        if (looking := self._looking.get(mark)) is None:
            if self._waiting[peer] >= MOST_OF_ONE_ADDRESS or len(self._looking) >= MOST_WAITING:
                return BUSY
            looking = self._look(peer, mark, basic)
        # Others may wait for the same answer, and whoever left may come again.
        return await asyncio.shield(looking) or WANTED

    def _look(self, peer: str, mark: bytes, basic: tuple[str, str]) -> "asyncio.Task[str | None]":
        def over(_: object) -> None:
            del self._looking[mark]
            self._waiting -= Counter([peer])  # which forgets those with none

        self._waiting[peer] += 1
        task = self._looking[mark] = asyncio.create_task(self._looked_up(peer, mark, basic))
        task.add_done_callback(over)
        return task

    async def _looked_up(self, peer: str, mark: bytes, basic: tuple[str, str]) -> str | None:
        name, password = basic
        user = self._users.get(name) or self._nobody(name)
        async with self._lines.setdefault(peer, asyncio.Lock()):
            loop = asyncio.get_running_loop()
            is_right = await loop.run_in_executor(self._threads, user.has, password)
        self._remember(mark, name if is_right else None)
        return name if is_right else None

    def _nobody(self, name: str) -> User:
        """A user that there is not: to look at their password takes as long as at somebody's."""
        costs = [each.cost for each in self._users.values() if isinstance(each, User)] or [USUAL]
        drawn = hmac.digest(self._key, name.encode(), "sha256")[0]  # the same at each attempt
        return User(name, b"", b"", costs[drawn % len(costs)])

    def _remember(self, mark: bytes, name: str | None) -> None:
        known = self._wrong if name is None else self._right
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        if name is None:
            self._wrong.add(mark)
        else:
            self._right[mark] = name


def _basic(given: bytes) -> tuple[str, str] | None:
    """User and password, as RFC 7617 has them."""
    kind, _, coded = given.partition(b" ")
    if kind.lower() != b"basic":
        return None
    try:
        name, colon, password = (
            base64.b64decode(coded.strip(), validate=True).decode().partition(":")
        )
    except ValueError:
        return None
    return (name, password) if colon else None
