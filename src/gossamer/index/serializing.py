"""Statements written in a syntax of RDF, in chunks, with names shortened by the prefixes they use."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from types import MappingProxyType
from typing import IO, Final, TypeVar, cast

import pyoxigraph as ox

from gossamer.prefixes import PREFIXES

Statement = TypeVar("Statement", ox.Triple, ox.Quad)
Send = Callable[[bytes], None]

CHUNK_BYTES: Final = 64 * 1024
SAMPLE: Final = 1_000  # statements; of fewer it is known beforehand which prefixes they use
# Literals of these have a short form, without the name of what they are.
_PLAIN: Final = frozenset(
    PREFIXES["xsd"] + name for name in ("string", "integer", "decimal", "double", "boolean")
) | {PREFIXES["rdf"] + "langString"}
NO_PREFIXES: Final[Mapping[str, str]] = MappingProxyType({})


def serialize(
    statements: Iterable[Statement],
    to: ox.RdfFormat,
    send: Send,
    own: Mapping[str, str] = NO_PREFIXES,
) -> None:
    """Write statements as they come. Prefixes of one's own count before the usual ones."""
    chunks = _Chunks(send)
    rest = iter(statements)
    first = list(islice(rest, SAMPLE))
    known = {**PREFIXES, **dict(filter(_is_usable, own.items()))}
    prefixes = _used(known, first) if len(first) < SAMPLE else known
    # The serializer takes any iterable of either kind, which its types do not say of one that is both.
    items = cast(Iterable[ox.Quad], chain(first, rest))
    ox.serialize(items, cast(IO[bytes], chunks), to, prefixes=prefixes)
    chunks.finish()


def _is_usable(declared: tuple[str, str]) -> bool:
    try:
        ox.NamedNode(declared[1])
    except ValueError:  # a prefix for what is relative to something
        return False
    return bool(declared[1])


def _used(prefixes: Mapping[str, str], statements: Iterable[Statement]) -> dict[str, str]:
    met = {iri for statement in statements for term in statement for iri in _iris(term)}
    return {
        name: space for name, space in prefixes.items() if any(iri.startswith(space) for iri in met)
    }


def _iris(term: object) -> Iterator[str]:
    match term:
        case ox.NamedNode():
            yield term.value
        case ox.Literal() if term.datatype.value not in _PLAIN:
            yield term.datatype.value
        case ox.Triple():
            for part in term:
                yield from _iris(part)


class _Chunks:
    """A file to write to, as far as a serializer needs one: what it gets is sent in chunks."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._held = bytearray()
        self._last = b""

    def write(self, data: bytes) -> int:
        self._held += data
        self._last = data[-1:] or self._last
        if len(self._held) >= CHUNK_BYTES:
            self.flush()
        return len(data)

    def flush(self) -> None:
        self._send(bytes(self._held))
        self._held.clear()

    def finish(self) -> None:
        """A text ends with a line break; JSON-LD as it is written does not."""
        if self._last not in (b"", b"\n"):
            self.write(b"\n")
        self.flush()
