"""Values of declared types as bytes, and back: what crosses between owner and worker.

A closed encoding. What comes back is built from the type the reader asked for, checked field by
field, and of nothing else: bytes cannot name a class or run anything, as a pickle can, so a page
that has taken over a worker still cannot get at the owner. It is JSON for what is small, with all
`bytes` behind it as they are (a body and its N-Quads are most of what travels).

Types: str, bytes, int, float, bool, None, timedelta, StrEnum, Literal, NewType of these;
tuples, mappings from str, frozen dataclasses, and any of them or None.
"""

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
Blobs = list[bytes]
Flatten = Callable[[Any, Blobs], Any]  # value to what JSON has
Rebuild = Callable[[Any, Blobs], Any]  # and back; raises WireError where it does not fit
Form = tuple[Flatten, Rebuild]

LENGTH: Final = struct.Struct("!Q")


class WireError(Exception):
    """Bytes that are no value of the declared type."""


class Wire(Generic[T]):
    """How values of one type travel."""

    def __init__(self, kind: type[T]) -> None:
        self._flatten, self._rebuild = _form(kind)

    def dumps(self, value: T) -> bytes:
        """The value as bytes."""
        blobs: Blobs = []
        text = json.dumps(self._flatten(value, blobs), separators=(",", ":")).encode()
        return b"".join(part for blob in (text, *blobs) for part in (LENGTH.pack(len(blob)), blob))

    def loads(self, data: bytes) -> T:
        """The value again; raises `WireError` on bytes that `dumps` did not make."""
        text, *blobs = _blobs(data)
        try:
            value: T = self._rebuild(json.loads(text), blobs)
        except (ValueError, RecursionError) as error:  # no JSON, or what a dataclass refuses
            raise WireError(str(error)) from None
        return value


def _blobs(data: bytes) -> Blobs:
    found: Blobs = []
    at = 0
    while at < len(data) or not found:
        start = at + LENGTH.size
        if start > len(data):
            raise WireError("broken off")
        at = start + LENGTH.unpack_from(data, at)[0]
        if at > len(data):
            raise WireError("broken off")
        found.append(data[start:at])
    return found


def _form(kind: Any) -> Form:  # noqa: ANN401 (a type form)
    """How a type travels. Found once per type, so that a value costs no look at types."""
    if isinstance(kind, NewType):
        return _form(kind.__supertype__)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _optional(kind)
    if origin is tuple:
        return _tuple(get_args(kind))
    if origin is Mapping:
        return _mapping(get_args(kind))
    if origin is Literal:
        return _same, _one_of(get_args(kind))
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return (lambda value, _: value.value), _named(kind)
    if kind not in PLAIN:
        raise TypeError(f"{kind} does not travel")
    return PLAIN[kind]


def _same(value: Any, _: Blobs) -> Any:  # noqa: ANN401 (any flat value)
    return value


def _exactly(kind: type) -> Rebuild:
    def rebuild(flat: object, _: Blobs) -> object:
        if type(flat) is not kind:  # `isinstance` would take True for a number
            raise WireError(f"{type(flat).__name__} where {kind.__name__} should be")
        return flat

    return rebuild


def _one_of(choices: tuple[object, ...]) -> Rebuild:
    def rebuild(flat: object, _: Blobs) -> object:
        if not any(flat == each and type(flat) is type(each) for each in choices):
            raise WireError("not one of the choices")
        return flat

    return rebuild


def _named(kind: type[StrEnum]) -> Rebuild:
    members = {each.value: each for each in kind}

    def rebuild(flat: object, _: Blobs) -> StrEnum:
        if type(flat) is not str or flat not in members:
            raise WireError(f"no {kind.__name__}")
        return members[flat]

    return rebuild


def _put(value: bytes, blobs: Blobs) -> int:
    blobs.append(value)
    return len(blobs) - 1


def _get(flat: object, blobs: Blobs) -> bytes:
    if type(flat) is not int or not 0 <= flat < len(blobs):
        raise WireError("no such bytes")
    return blobs[flat]


def _number(flat: object, _: Blobs) -> float:
    if type(flat) not in (int, float):
        raise WireError("no number")
    return float(flat)  # type: ignore[arg-type]  # narrowed above, by exact type


def _time(flat: object, _: Blobs) -> timedelta:
    if type(flat) is not int:
        raise WireError("no time")
    try:
        return timedelta(microseconds=flat)
    except OverflowError:
        raise WireError("no time") from None


PLAIN: Final[Mapping[Any, Form]] = {
    str: (_same, _exactly(str)),
    int: (_same, _exactly(int)),
    bool: (_same, _exactly(bool)),
    NoneType: (_same, _exactly(NoneType)),
    float: (_same, _number),
    bytes: (_put, _get),
    timedelta: (lambda value, _: value // timedelta(microseconds=1), _time),
}


def _optional(kind: Any) -> Form:  # noqa: ANN401 (a type form)
    others = [each for each in get_args(kind) if each is not NoneType]
    if len(others) != 1:
        raise TypeError(f"{kind} does not travel: which of them is it?")
    flatten, rebuild = _form(others[0])
    return (
        lambda value, blobs: None if value is None else flatten(value, blobs),
        lambda flat, blobs: None if flat is None else rebuild(flat, blobs),
    )


def _listed(flat: object, length: int | None = None) -> list[Any]:
    if type(flat) is not list or (length is not None and len(flat) != length):
        raise WireError("no list of the right length")
    return flat


def _tuple(kinds: tuple[Any, ...]) -> Form:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return _row(_form(kinds[0]))
    return _pieces([_form(each) for each in kinds], tuple)


def _row(form: Form) -> Form:
    """A tuple of any length."""
    flatten, rebuild = form
    if flatten is _same:  # JSON takes a tuple of texts or numbers as it is
        return _same, lambda flat, blobs: tuple(rebuild(each, blobs) for each in _listed(flat))
    return (
        lambda value, blobs: [flatten(each, blobs) for each in value],
        lambda flat, blobs: tuple(rebuild(each, blobs) for each in _listed(flat)),
    )


def _pieces(forms: list[Form], build: Callable[[list[Any]], Any]) -> Form:
    """A fixed number of pieces, each in its own form."""
    flattens, rebuilds = [form[0] for form in forms], [form[1] for form in forms]

    def flatten(value: Any, blobs: Blobs) -> list[Any]:  # noqa: ANN401 (any tuple)
        return [each(piece, blobs) for each, piece in zip(flattens, value, strict=True)]

    def rebuild(flat: object, blobs: Blobs) -> object:
        pieces = _listed(flat, len(rebuilds))
        return build([each(piece, blobs) for each, piece in zip(rebuilds, pieces, strict=True)])

    return flatten, rebuild


def _record(kind: type) -> Form:
    """A dataclass, by the order of its fields."""
    names = [each.name for each in fields(kind)]
    hints = get_type_hints(kind)
    flatten, rebuild = _pieces(
        [_form(hints[name]) for name in names],
        lambda pieces: kind(**dict(zip(names, pieces, strict=True))),
    )
    return (lambda value, blobs: flatten([getattr(value, n) for n in names], blobs)), rebuild


def _mapping(kinds: tuple[Any, ...]) -> Form:
    if getattr(kinds[0], "__supertype__", kinds[0]) is not str:
        raise TypeError("only a mapping from str travels")
    flatten, rebuild = _form(kinds[1])

    def rebuilt(flat: object, blobs: Blobs) -> Mapping[str, Any]:
        if type(flat) is not dict:
            raise WireError("no mapping")
        return MappingProxyType({name: rebuild(each, blobs) for name, each in flat.items()})

    return (lambda value, blobs: {k: flatten(v, blobs) for k, v in value.items()}), rebuilt
