"""Keys of an identity: a file of JSON Web Keys in the data folder, readable by its owner only.

A key is published from the moment it is made, used from `use_from` on, and published for a while after the next one is in
use. So no server meets a signature by a key that it could not have fetched.
"""

import base64
import hashlib
import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from gossamer.errors import GossamerError
from gossamer.folder.durable import sync

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEYS_FILE: Final = "keys.json"
OVERLAP: Final = timedelta(days=1)  # servers keep a directory for as long, as our own says
NEEDS: Final = (
    "To sign requests, Gossamer needs the package `cryptography`. Install it: "
    "pip install 'gossamer[identity]'"
)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class IdentityError(GossamerError):
    """An identity that is not there, or cannot be used; says what to do."""


@dataclass(frozen=True)
class SigningKey:
    """One key: its public half is published, its other half signs."""

    seed: bytes
    public: bytes
    made_at: datetime
    use_from: datetime
    drop_at: datetime | None = None  # when it is published no longer; None while it is the newest

    @cached_property
    def keyid(self) -> str:
        """The thumbprint of the public half (RFC 7638), by which servers find it."""
        members = {"crv": "Ed25519", "kty": "OKP", "x": _text(self.public)}
        return _text(hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest())

    @cached_property
    def private(self) -> "Ed25519PrivateKey":
        """The half that signs."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @classmethod
    def make(cls, made_at: datetime, use_from: datetime) -> Self:
        """A new key."""
        ed25519 = _require()
        private = ed25519.Ed25519PrivateKey.generate()
        return cls(
            private.private_bytes_raw(), private.public_key().public_bytes_raw(), made_at, use_from
        )

    def public_record(self) -> dict[str, object]:
        """The public half as a JSON Web Key."""
        record: dict[str, object] = {
            "kty": "OKP",
            "crv": "Ed25519",
            "kid": self.keyid,
            "x": _text(self.public),
            "use": "sig",
            "nbf": int(self.made_at.timestamp()),
        }
        return record if self.drop_at is None else {**record, "exp": _seconds(self.drop_at)}

    def record(self) -> dict[str, object]:
        """Both halves, for the file of their owner."""
        return {
            **self.public_record(),
            "d": _text(self.seed),
            "use_from": int(self.use_from.timestamp()),
        }

    @classmethod
    def parse(cls, record: Mapping[str, Any]) -> Self:
        """The key of such a record."""
        return cls(
            _octets(record["d"]),
            _octets(record["x"]),
            _moment(record["nbf"]),
            _moment(record["use_from"]),
            _moment(record["exp"]) if "exp" in record else None,
        )


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys of an identity, the newest last."""

    keys: tuple[SigningKey, ...] = ()

    def in_use(self, now: datetime) -> SigningKey | None:
        """The key that signs at a moment; None where there is none."""
        usable = [key for key in self.published(now) if key.use_from <= now]
        return max(usable, key=lambda key: key.use_from, default=None)

    def published(self, now: datetime) -> tuple[SigningKey, ...]:
        """The keys that servers are told of at a moment."""
        return tuple(key for key in self.keys if key.drop_at is None or now < key.drop_at)

    def rotated(self, new: SigningKey, overlap: timedelta) -> "KeyRing":
        """The ring with a new key; the others are published until servers have had time to forget them."""
        drop_at = new.use_from + overlap
        kept = [
            key
            if key.drop_at is not None and key.drop_at < drop_at
            else replace(key, drop_at=drop_at)
            for key in self.published(new.made_at)
        ]
        return KeyRing((*kept, new))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The keys in a folder; none where there are none. Refused where somebody else could have them."""
        path = folder / KEYS_FILE
        try:
            mode = path.stat().st_mode
            text = path.read_text()
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise IdentityError(f"{path} cannot be read: {error.strerror}.") from None
        if mode & _OTHERS:
            raise IdentityError(
                f"{path} can be read by others, who could sign in your name. Take that back with "
                f"`chmod 600 {path}`, and make a new key if anybody may have it: gossamer identity rotate --now"
            )
        try:
            return cls(tuple(SigningKey.parse(each) for each in json.loads(text)["keys"]))
        except (ValueError, KeyError, TypeError):
            raise IdentityError(
                f"{path} is damaged. Put a copy of it back, or begin anew: remove it, and "
                "gossamer identity create"
            ) from None

    def keep(self, folder: Path) -> None:
        """Write the keys down, in one step, for their owner's eyes."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = folder / f"{KEYS_FILE}.new"
            new.unlink(missing_ok=True)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump({"keys": [key.record() for key in self.keys]}, file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            new.replace(folder / KEYS_FILE)
            sync(folder)
        except OSError as error:
            raise IdentityError(f"{folder} cannot be written: {error.strerror}.") from None


def create(folder: Path, now: datetime) -> KeyRing:
    """A first key, used at once: nobody knows of another."""
    if KeyRing.load(folder).keys:
        raise IdentityError(
            f"There is an identity in {folder} already. Show it: gossamer identity. "
            "Replace its key: gossamer identity rotate"
        )
    ring = KeyRing((SigningKey.make(now, now),))
    ring.keep(folder)
    return ring


def rotate(folder: Path, now: datetime, overlap: timedelta = OVERLAP) -> KeyRing:
    """A new key, published at once and used after a while, in place of the one in use."""
    ring = KeyRing.load(folder)
    if not ring.keys:
        raise IdentityError(f"There is no identity in {folder}. Make one: gossamer identity create")
    ring = ring.rotated(SigningKey.make(now, now + overlap), overlap)
    ring.keep(folder)
    return ring


def public_set(keys: Sequence[SigningKey]) -> dict[str, object]:
    """Public keys as a JSON Web Key Set."""
    return {"keys": [key.public_record() for key in keys]}


def _require() -> Any:  # noqa: ANN401 (a module that need not be there)
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise IdentityError(NEEDS) from None
    return ed25519


def _text(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def _octets(text: str) -> bytes:
    octets = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(octets) != 32:
        raise ValueError("an Ed25519 key has 32 bytes")
    return octets


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
