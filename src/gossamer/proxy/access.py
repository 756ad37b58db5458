"""Who may use the proxy: this machine, networks that are named, and users with a password.

Passwords are kept as scrypt digests. Checking one takes a processor for a while, on purpose. So that
somebody who guesses keeps nobody else waiting, passwords from one address are checked one after the other,
on threads of their own, and the outcome is remembered.
"""

import asyncio
import base64
import hashlib
import hmac
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self
from weakref import WeakValueDictionary

from gossamer.config import Proxy
from gossamer.errors import ConfigError
from gossamer.fetch.guard import Network, allowed_networks
from gossamer.http.listening import Address
from gossamer.http.wire.fields import Index, values
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
NOT_ADMITTED: Final = Refused(403, "This proxy does not serve your address.", cause="network")
_SALT_BYTES: Final = 16
_KIND: Final = "scrypt"
_MOST_BYTES: Final = 256 * 1024 * 1024  # of memory for one password, whatever a line asks for
_MOST_WORK: Final = 2**26  # N·r·p: some seconds


class AccessControl:
    """Admits clients by address and password, as the configuration says."""

    def __init__(self, proxy: Proxy) -> None:
        self._networks: Sequence[Network] = allowed_networks(proxy.networks)
        self._users = {user.name: user for user in checked_users(proxy.users)}
        self._credentials = Credentials(self._users)

    def admits(self, peer: str) -> bool:
        """Whether clients at this address may connect at all."""
        address = ip_address(peer.partition("%")[0])
        if address.is_loopback or (self._users and not self._networks):
            return True
        mapped = getattr(address, "ipv4_mapped", None) or address
        return any(mapped in network for network in self._networks) or mapped.is_loopback

    def known(self, peer: str) -> str | None:
        """The client by its address, where no password is wanted; None where one is."""
        return None if self._users else peer

    async def client(self, peer: str, index: Index) -> str | Refused:
        """The client that asks: a user, or an address."""
        if not self._users:
            return peer
        given = values(index, b"proxy-authorization")
        return WANTED if len(given) != 1 else await self._credentials.user(peer, given[0])


def checked_place(address: Address, proxy: Proxy) -> Address:
    """The address, if it is safe to listen there; raises `ConfigError` for an open proxy."""
    if not address.is_loopback and not (proxy.users or proxy.networks):
        raise ConfigError(
            f"Others than this machine get to {address.host}, and an open proxy is everybody's. Say "
            "who may use it: proxy.users (`gossamer proxy --hash NAME` prints a line for it) or "
            "proxy.networks (--config proxy.networks=192.168.1.0/24), or listen on 127.0.0.1."
        )
    return address


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of checking one password: scrypt's N as a power of two, r and p."""

    log_n: int
    r: int
    p: int

    @classmethod
    def read(cls, text: str) -> Self:
        """A cost as `scrypt-15-8-3` has it; the plain word is how it was before costs were written."""
        kind, *numbers = text.split("-")
        if kind != _KIND or len(numbers) not in (0, 3) or not all(map(_is_number, numbers)):
            raise ValueError(text)
        return cls(*map(int, numbers)) if numbers else cls(14, 8, 1)

    def __post_init__(self) -> None:
        is_known = 10 <= self.log_n <= 24 and self.r > 0 and self.p > 0
        if not is_known or self._bytes > _MOST_BYTES or self.work > _MOST_WORK:
            raise ValueError("no cost that we are willing to have")

    def __str__(self) -> str:
        return f"{_KIND}-{self.log_n}-{self.r}-{self.p}"

    @property
    def work(self) -> int:
        """How much there is to do for a guess."""
        return self.r * self.p << self.log_n

    @property
    def _bytes(self) -> int:
        return 128 * self.r << self.log_n

    def digest(self, password: str, salt: bytes) -> bytes:
        """The digest that is kept of a password; slow on purpose."""
        n, most = 1 << self.log_n, 2 * self._bytes
        return hashlib.scrypt(password.encode(), salt=salt, n=n, r=self.r, p=self.p, maxmem=most)


# As OWASP advises, in the form that takes 32 MiB: a third of a second for each guess, of which two run.
USUAL: Final = Cost(15, 8, 3)


@dataclass(frozen=True, slots=True)
class User:
    """A user of the proxy, with the digest of their password."""

    name: str
    salt: bytes
    digest: bytes
    cost: Cost = USUAL

    @classmethod
    def new(cls, name: str, password: str, cost: Cost = USUAL) -> Self:
        """A user with this password."""
        if not name or ":" in name or not name.isprintable():
            raise ConfigError("The name of a user has no colon in it, and is not empty.")
        salt = os.urandom(_SALT_BYTES)
        return cls(name, salt, cost.digest(password, salt), cost)

    @classmethod
    def read(cls, text: str) -> Self:
        """A user as the configuration has it: `NAME:scrypt-15-8-3:SALT:DIGEST`."""
        try:
            name, cost, salt, digest = text.split(":")
            if not name:
                raise ValueError(name)
            return cls(
                name,
                base64.b64decode(salt, validate=True),
                base64.b64decode(digest, validate=True),
                Cost.read(cost),
            )
        except ValueError:
            raise ConfigError(
                f"proxy.users: a user is NAME:{USUAL}:SALT:DIGEST; `gossamer proxy --hash NAME` "
                "prints one for a password."
            ) from None

    def __str__(self) -> str:
        salt, digest = (base64.b64encode(each).decode() for each in (self.salt, self.digest))
        return f"{self.name}:{self.cost}:{salt}:{digest}"

    @property
    def is_cheap(self) -> bool:
        """Whether the digest is cheaper to guess from than is advised today: the line is an old one."""
        return self.cost.work < USUAL.work

    def has(self, password: str) -> bool:
        """Whether this is their password; slow on purpose."""
        return hmac.compare_digest(self.digest, self.cost.digest(password, self.salt))


def checked_users(texts: tuple[str, ...]) -> tuple[User, ...]:
    """The users of `proxy.users`."""
    return tuple(User.read(text) for text in texts)


def told_of_cheap(texts: tuple[str, ...]) -> str | None:
    """What is to be said where lines of `proxy.users` are old; None where none is."""
    names = [user.name for user in checked_users(texts) if user.is_cheap]
    if not names:
        return None
    return (
        f"proxy.users: the lines of {', '.join(names)} are from an older Gossamer, and easier to guess "
        "passwords from, should somebody read them. They count as ever; `gossamer proxy --hash NAME` prints "
        "a line to put in the place of each."
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
        task = self._looking[mark] = asyncio.create_task(self._check_password(peer, mark, basic))
        task.add_done_callback(over)
        return task

    async def _check_password(self, peer: str, mark: bytes, basic: tuple[str, str]) -> str | None:
        name, password = basic
        user = self._users.get(name) or self._nobody(name)
        async with self._lines.setdefault(peer, asyncio.Lock()):
            loop = asyncio.get_running_loop()
            is_right = await loop.run_in_executor(self._threads, user.has, password)
        self._remember(mark, name if is_right else None)
        return name if is_right else None

    def _nobody(self, name: str) -> User:
        """A user that does not exist, whose password takes as long to check as anybody's."""
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


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 2
