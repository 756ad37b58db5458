"""Mark of the readers: which version of them, with which settings, has read a page. Pure.

A statement hash carries it, so that a difference that only our readers made is never taken for one of the page.
"""

from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from gossamer import __version__
from gossamer.config import Transform
from gossamer.transform.plugins import GROUP
from gossamer.transform.statement_hash import VERSION

MARK_BYTES: Final = 4
# What a page may cost decides whether it is read, not what it says.
_COSTS: Final = frozenset({"time_limit", "memory_bytes", "max_depth"})


def readers_mark(options: Transform, lacking: Collection[str] = ()) -> bytes:
    """The mark of our readers with these options; `lacking` is what they could not have for this page."""
    mark = _mark(options)
    if not lacking:
        return mark
    return blake2b(mark + "\n".join(sorted(lacking)).encode(), digest_size=MARK_BYTES).digest()


def _mark(options: Transform) -> bytes:
    chosen = tuple(
        (name, _plain(getattr(options, name)))
        for name in options.__dataclass_fields__
        if name not in _COSTS
    )
    return _hash(chosen)


def _plain(value: object) -> object:
    return tuple(sorted(value.items())) if hasattr(value, "items") else value


@lru_cache(maxsize=16)
def _hash(chosen: tuple[tuple[str, object], ...]) -> bytes:
    from importlib.metadata import entry_points  # which brings mail and ZIP files along: on request

    plugins = sorted(
        (each.name, each.value, each.dist.version if each.dist else "")
        for each in entry_points(group=GROUP)
    )
    made_by = (__version__, VERSION, plugins, chosen)
    return blake2b(repr(made_by).encode(), digest_size=MARK_BYTES).digest()
