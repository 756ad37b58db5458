"""Passwords of users, as scrypt makes them: what is kept tells nobody what they are."""

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass
from typing import Final, Self

from gossamer.errors import ConfigError

_N, _R, _P = 2**14, 8, 1  # 16 MiB and some 50 ms for each guess
_SALT_BYTES: Final = 16
_KIND: Final = "scrypt"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may use the proxy."""

    name: str
    salt: bytes
    digest: bytes

    @classmethod
    def new(cls, name: str, password: str) -> Self:
        """A user with this password."""
        if not name or ":" in name or not name.isprintable():
            raise ConfigError("The name of a user has no colon in it, and is not empty.")
        salt = os.urandom(_SALT_BYTES)
        return cls(name, salt, _digest(password, salt))

    @classmethod
    def read(cls, text: str) -> Self:
        """A user as the configuration has it: `NAME:scrypt:SALT:DIGEST`."""
        try:
            name, kind, salt, digest = text.split(":")
            if kind != _KIND or not name:
                raise ValueError(kind)
            return cls(name, base64.b64decode(salt, validate=True), base64.b64decode(digest))
        except ValueError:
            raise ConfigError(
                "proxy.users: a user is NAME:scrypt:SALT:DIGEST; `gossamer proxy --hash NAME` "
                "prints one for a password."
            ) from None

    def __str__(self) -> str:
        salt, digest = (base64.b64encode(each).decode() for each in (self.salt, self.digest))
        return f"{self.name}:{_KIND}:{salt}:{digest}"

    def has(self, password: str) -> bool:
        """Whether this is their password; takes its time."""
        return hmac.compare_digest(self.digest, _digest(password, self.salt))


def checked_users(texts: tuple[str, ...]) -> tuple[User, ...]:
    """The users of `proxy.users`."""
    return tuple(User.read(text) for text in texts)


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P)
