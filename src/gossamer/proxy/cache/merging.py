"""What a 304, or the answer to HEAD, changes in what is stored (RFC 9111 §3.2, §4.3). Pure."""

from typing import Final

from gossamer.proxy.cache.fields import end_to_end, first, without
from gossamer.proxy.cache.protocol import Fields

# What describes the stored bytes themselves stays with them.
_OF_THE_BYTES: Final = frozenset(
    (b"content-length", b"content-encoding", b"content-range", b"content-md5", b"etag")
)
_TELLING: Final = (b"etag", b"last-modified", b"content-length")


def freshened(stored: Fields, answer: Fields) -> Fields:
    """The stored fields, with those that the answer brings in their place."""
    news = without(end_to_end(answer), _OF_THE_BYTES)
    replaced = {name.lower() for name, _ in news}
    return (*without(stored, replaced), *news)


def still_stands(stored: Fields, head: Fields) -> bool:
    """Whether the answer to HEAD is about the very response that is stored (§4.3.5)."""
    told = ((first(head, name), first(stored, name)) for name in _TELLING)
    return all(new is None or new == old for new, old in told)
