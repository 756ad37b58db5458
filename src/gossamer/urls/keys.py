"""Short stable keys of URLs: what the frontier knows a page by, beside its host.

The same secret and URL give the same key on every machine and in every version.
Why 64 bits, and why keyed: `docs/decisions/0003-url-keys.md`.
"""

import secrets
import struct
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from gossamer.model import Url

SECRET_BYTES: Final = 16
MOST_LATEST: Final = 16_384  # keys that were made of late


def new_secret() -> bytes:
    """A secret for a new frontier, which keeps it: without it no key can be made again."""
    return secrets.token_bytes(SECRET_BYTES)


class UrlKeys:
    """Makes the keys of one frontier."""

    __slots__ = ("_keyed", "_latest")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a key secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self._keyed = blake2b(key=secret, digest_size=8)
        self._latest: dict[Url, int] = {}

    def of(self, url: Url) -> int:
        """The key of a URL: 64 bits, signed, as SQLite's INTEGER and PostgreSQL's bigint are."""
        return self.of_all((url,))[0]

    def of_all(self, urls: Iterable[Url]) -> tuple[int, ...]:
        """The keys of many URLs, in their order."""
        # A copy has the secret mixed in already, which saves a third of the time.
        copy = self._keyed.copy
        digests = []
        for url in urls:
            state = copy()
            state.update(url.encode())
            digests.append(state.digest())
        return struct.unpack(f">{len(digests)}q", b"".join(digests))

    def of_links(self, urls: Sequence[Url]) -> list[int]:
        """Keys of links to follow: the pages of a site share most of them, and none is long."""
        latest = self._latest
        new = [url for url in urls if url not in latest]
        if len(latest) + len(new) > MOST_LATEST:
            latest.clear()
            new = [*urls]
        latest.update(zip(new, self.of_all(new), strict=True))
        return [latest[url] for url in urls]
