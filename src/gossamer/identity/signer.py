"""Signs requests for whoever sends, with the key that is in use at the moment."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from gossamer.config import Identity
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.identity.directory import directory_body
from gossamer.identity.keys import KEYS_FILE, IdentityError, KeyRing
from gossamer.identity.signing import (
    DIRECTORY_TAG,
    LIFETIME,
    NONCE_BYTES,
    SignatureTerms,
    directory_fields,
    new_nonce,
    request_fields,
)
from gossamer.model import Refusal, Url
from gossamer.urls import canonical, host_of, origin_of
from gossamer.urls.host_patterns import checked_host_patterns, fits_any
from gossamer.urls.parts import path_of

Fields = tuple[tuple[str, str], ...]
NOTHING: Fields = ()
_FIELD: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}): ?([\t\x20-\x7e]{1,4000})")
# Fields that say what is asked of whom, and how: they are the client's.
_NOT_OURS: Final = frozenset(
    {
        "host",
        "connection",
        "content-length",
        "transfer-encoding",
        "te",
        "upgrade",
        "accept-encoding",
    }
)


@dataclass(slots=True)
class Signer:
    """Signs in the name of a folder's identity; without one, or without its address, it signs nothing.

    The file of keys is looked at before each request and read when it has changed: a rotation
    needs no restart.
    """

    folder: Path
    agent_url: str | None
    now: Callable[[], datetime]
    headers: Mapping[str, str] = field(default_factory=dict)  # by host pattern: `Name: value`
    random: Callable[[int], bytes] = os.urandom
    _seen: tuple[int, int] | None = None  # of the file: when it was changed, and its size
    _ring: KeyRing = field(default_factory=KeyRing)

    def sign(self, url: Url) -> Fields:
        """The fields that say who sends a request for a URL, for its authority alone."""
        now = self.now()
        own = self._own_fields(host_of(url)) if self.headers else NOTHING
        key = None if self.agent_url is None else self.ring().in_use(now)
        if key is None or self.agent_url is None:
            return own
        terms = self._terms(key.keyid, now)
        return (*request_fields(key.private, authority_of(url), self.agent_url, terms), *own)

    def _own_fields(self, host: str) -> Fields:
        """The fields that a site asked for, if it issues keys of its own."""
        lines = (line for pattern, line in self.headers.items() if fits_any((pattern,), host))
        return tuple(field_of(line) for line in lines)

    def directory(self, authority: str) -> tuple[bytes, Fields]:
        """The directory of our keys, and the fields that sign it for whoever asked that authority."""
        now = self.now()
        ring = self.ring()
        key = ring.in_use(now)
        body = directory_body(ring.published(now))
        if key is None:
            return body, NOTHING
        terms = self._terms(key.keyid, now, DIRECTORY_TAG)
        return body, directory_fields(key.private, authority, terms)

    def ring(self) -> KeyRing:
        """The keys as they are now."""
        try:
            status = (self.folder / KEYS_FILE).stat()
            seen = (status.st_mtime_ns, status.st_size)
        except OSError:
            self._seen, self._ring = None, KeyRing()
            return self._ring
        if seen != self._seen and self._seen is None:
            self._ring, self._seen = KeyRing.load(self.folder), seen
        elif seen != self._seen:
            # Whoever damages the file of a crawl that runs does not end the crawl: the keys that were read serve on.
            with suppress(IdentityError):
                self._ring = KeyRing.load(self.folder)
            self._seen = seen
        return self._ring

    def _terms(self, keyid: str, now: datetime, tag: str | None = None) -> SignatureTerms:
        nonce = new_nonce(self.random(NONCE_BYTES))
        terms = SignatureTerms(keyid, now, now + LIFETIME, nonce)
        return terms if tag is None else SignatureTerms(keyid, now, now + LIFETIME, nonce, tag)


def field_of(line: str) -> tuple[str, str]:
    """Name and value of a header field that is written as one line; raises `ConfigError` for what is none."""
    found = _FIELD.fullmatch(line)
    if found is None or found[1].lower() in _NOT_OURS:
        raise ConfigError(
            f"identity.headers: {line!r} is no field that may be added; write it as Name: value."
        )
    return found[1], found[2]


def checked_headers(headers: Mapping[str, str]) -> None:
    """Raise `ConfigError` if one of `identity.headers` has no host, or is no field."""
    checked_host_patterns("identity.headers", headers)
    for line in headers.values():
        field_of(line)


def checked_agent_url(url: str) -> None:
    """Raise `ConfigError` unless servers can fetch a directory from there."""
    found = canonical(url)
    if isinstance(found, Refusal) or not found.startswith("https://") or path_of(found) != "/":
        raise ConfigError(
            f"identity.agent_url {url!r} is no address of a site; write one like https://bot.example.org."
        )


def signer_for(data: DataFolder, identity: Identity, now: Callable[[], datetime]) -> Signer:
    """The signer of a folder; raises `IdentityError` for keys that cannot be used."""
    agent_url = None if identity.agent_url is None else identity.agent_url.rstrip("/")
    signer = Signer(data.identity_folder, agent_url, now, identity.headers)
    signer.ring()
    return signer


def authority_of(url: Url) -> str:
    """The authority that a request names: host, and port where it is not the scheme's own."""
    return origin_of(url).partition("://")[2]
