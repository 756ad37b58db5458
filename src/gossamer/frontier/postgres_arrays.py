"""Columns of many rows as arrays in PostgreSQL's binary format: a fraction of what lists cost."""

import struct
from collections.abc import Callable, Sequence
from typing import Any, Final

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper

_HEAD: Final = struct.Struct("!iiIii")  # dimensions, flags, type, length, lowest index
_SIZE: Final = struct.Struct("!i")
_NULL: Final = _SIZE.pack(-1)
_NUMBERS: Final = {"bigint": (20, "q", 8), "integer": (23, "i", 4), "smallint": (21, "h", 2)}
_OTHERS: Final[dict[str, tuple[int, Callable[[Any], bytes]]]] = {
    "boolean": (16, lambda value: b"\1" if value else b"\0"),
    "bytea": (17, bytes),
    "text": (25, lambda value: text(value)),
}


class Packed(bytes):
    """An array as it travels."""


def pack(kind: str, values: Sequence[Any]) -> Packed:
    """The values of a column as an array of that kind; None is NULL."""
    if not values:
        return Packed(_HEAD.pack(0, 0, _oid(kind), 0, 1)[:12])
    head = _HEAD.pack(1, int(None in values), _oid(kind), len(values), 1)
    if kind in _NUMBERS and None not in values:
        return Packed(head + _numbers(kind, values))
    return Packed(head + b"".join(map(_element(kind), values)))


def text(value: str) -> bytes:
    """Text as the server takes it, which has no place for NUL, nor for half a character."""
    return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace")


def register(connection: "psycopg.Connection[Any]") -> None:
    """Let a connection send our arrays, and every number and text as one type each.

    A statement is prepared once for each combination of types: numbers of different size
    would be of different types.
    """
    connection.adapters.register_dumper(Packed, _PackedDumper)
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    connection.adapters.register_dumper(str, _TextDumper)


class _PackedDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Packed) -> bytes:
        return obj


class _TextDumper(Dumper):
    format = Format.TEXT

    def dump(self, obj: str) -> bytes:
        return text(obj)


def _oid(kind: str) -> int:
    return _NUMBERS[kind][0] if kind in _NUMBERS else _OTHERS[kind][0]


def _numbers(kind: str, values: Sequence[int]) -> bytes:
    _, code, size = _NUMBERS[kind]
    flat = [size] * (2 * len(values))
    flat[1::2] = values
    return struct.pack("!" + f"i{code}" * len(values), *flat)


def _element(kind: str) -> Callable[[Any], bytes]:
    def sized(value: object) -> bytes:
        if value is None:
            return _NULL
        data = encode(value)
        return _SIZE.pack(len(data)) + data

    encode = struct.Struct(f"!{_NUMBERS[kind][1]}").pack if kind in _NUMBERS else _OTHERS[kind][1]
    return sized
