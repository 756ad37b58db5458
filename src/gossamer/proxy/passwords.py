"""Passwords of users, as scrypt makes them: what is kept tells nobody what they are."""

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass
from typing import Final, Self

from gossamer.errors import ConfigError

_SALT_BYTES: Final = 16
_KIND: Final = "scrypt"
_MOST_BYTES: Final = 256 * 1024 * 1024  # of memory for one password, whatever a line asks for
_MOST_WORK: Final = 2**26  # N·r·p: some seconds


@dataclass(frozen=True, slots=True)
class Cost:
    """What it takes to look at one password: scrypt's N as a power of two, r and p."""

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
        """What is kept of a password; takes its time."""
        n, most = 1 << self.log_n, 2 * self._bytes
        return hashlib.scrypt(password.encode(), salt=salt, n=n, r=self.r, p=self.p, maxmem=most)


# As OWASP advises, in the form that takes 32 MiB: a third of a second for each guess, of which two run.
USUAL: Final = Cost(15, 8, 3)


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may use the proxy."""

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
        """Whether guessing is easier than it should be by now: the line is an old one."""
        return self.cost.work < USUAL.work

    def has(self, password: str) -> bool:
        """Whether this is their password; takes its time."""
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


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 2
