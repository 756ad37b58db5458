"""A page's links as one small value: keys for those that are known, text for those that are not.

Keys suffice to pass a better depth on to pages that have rows. Pages beyond the depth limit
or out of scope have none: of them the whole URL is kept, or they would be lost to a later,
wider crawl.
"""

import json
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from gossamer.frontier.protocol import Outlink, RefusedLink
from gossamer.model import Url

_HEAD = struct.Struct("<qI")


def pack_key(key: int) -> bytes:
    """A key as it is within what `pack_keys` makes."""
    return struct.pack("<q", key)


def pack_keys(links: Iterable[tuple[int, int]]) -> bytes:
    """Pairs of host and key, in order and grouped by host: 8 bytes a link and 12 a host."""
    by_host: defaultdict[int, set[int]] = defaultdict(set)
    for host_id, key in links:
        by_host[host_id].add(key)
    parts: list[bytes] = []
    for host_id in sorted(by_host):
        keys = sorted(by_host[host_id])
        parts += (_HEAD.pack(host_id, len(keys)), struct.pack(f"<{len(keys)}q", *keys))
    return b"".join(parts)


def unpack_keys(packed: bytes) -> list[tuple[int, int]]:
    """The pairs that `pack_keys` was given, each once, in order."""
    links: list[tuple[int, int]] = []
    place = 0
    while place < len(packed):
        host_id, count = _HEAD.unpack_from(packed, place)
        place += _HEAD.size
        links += ((host_id, key) for key in struct.unpack_from(f"<{count}q", packed, place))
        place += 8 * count
    return links


def pack_links(links: Sequence[Outlink | RefusedLink]) -> bytes | None:
    """Links as compressed text, to be followed or not; None where there are none."""
    if not links:
        return None
    return zlib.compress(json.dumps(links, separators=(",", ":")).encode(), 1)


def unpack_links(packed: bytes | None) -> list[Outlink]:
    """The links that `pack_links` was given, and that are to be followed."""
    return [Outlink(Url(url), which) for url, which in _unpacked(packed) if isinstance(which, int)]


def unpack_refused(packed: bytes | None) -> list[RefusedLink]:
    """The links that `pack_links` was given, and that are not."""
    return [RefusedLink(Url(url), rule) for url, rule in _unpacked(packed) if isinstance(rule, str)]


def _unpacked(packed: bytes | None) -> Iterable[tuple[str, int | str]]:
    """URLs, each with its priority or the rule by which it is refused."""
    return [] if packed is None else json.loads(zlib.decompress(packed))


def pack_ids(ids: Sequence[int]) -> bytes:
    """Page numbers, 8 bytes each."""
    return struct.pack(f"<{len(ids)}q", *ids)


def unpack_ids(packed: bytes) -> tuple[int, ...]:
    """The numbers that `pack_ids` was given."""
    return struct.unpack(f"<{len(packed) // 8}q", packed)
