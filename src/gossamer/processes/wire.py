"""Values of declared types as bytes, and back: what crosses between owner and worker.

A closed encoding. What comes back is built from the type the reader asked for, checked field by
field, and of nothing else: bytes cannot name a class or run anything, as a pickle can, so a page
that has taken over a worker still cannot get at the owner. It is JSON for what is small, with all
`bytes` behind it as they are (a body and its N-Quads are most of what travels).

Values travel in columns: of a hundred links first all URLs, then all labels. So types are checked
and values built a column at a time, which is several times as fast as one by one.

Types: str, bytes, int, float, bool, timedelta, StrEnum, Literal, NewType of these;
tuples, named or not, mappings from str, frozen dataclasses, and any of them or None. `Annotated[T, OFTEN]` is
for records, without bytes, that thousands of messages have in common: a text is built once.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache, partial
from itertools import chain, islice
from operator import attrgetter, itemgetter
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
Blobs = list[bytes]
Values = Sequence[Any]

OFTEN: Final = "often the same"
MOST_KEPT: Final = 64  # records that were often the same
MOST_LETTERS: Final = 4_000  # of one that is kept
LENGTH: Final = struct.Struct("!Q")
MICROSECOND: Final = timedelta(microseconds=1)


class WireError(Exception):
    """Bytes that are no value of the declared type."""


class Form(NamedTuple):
    """How a column of values of one type travels."""

    flatten: Callable[[Values, Blobs], object]  # values to what JSON has
    rebuild: Callable[[object, int, Blobs], Values]  # and so many values of it, or WireError


class Wire(Generic[T]):
    """How values of one type travel."""

    def __init__(self, kind: type[T]) -> None:
        self._form = _form(kind)

    def dumps(self, value: T, mark: bytes = b"") -> bytes:
        """The value as bytes, with a mark before them that `loads` is not to see."""
        blobs: Blobs = []
        text = json.dumps(self._form.flatten([value], blobs), separators=(",", ":")).encode()
        parts = [part for blob in (text, *blobs) for part in (LENGTH.pack(len(blob)), blob)]
        return b"".join((mark, *parts))

    def loads(self, data: bytes) -> T:
        """The value again; raises `WireError` on bytes that `dumps` did not make."""
        text, *blobs = _blobs(data)
        try:
            value: T = self._form.rebuild(json.loads(text), 1, blobs)[0]
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
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _often_the_same(_form(inner[0])) if OFTEN in inner[1:] else _form(inner[0])
    if origin in (Union, UnionType):
        return _optional(kind)
    if origin is tuple:
        return _row(inner[0]) if inner[1:] == (Ellipsis,) else _pieces(inner)
    if origin is Mapping:
        return _mapping(*inner)
    if origin is Literal:
        return _choice({each: each for each in inner})
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _named(kind)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _choice({each.value: each for each in kind})
    if kind not in PLAIN:
        raise TypeError(f"{kind} does not travel")
    return PLAIN[kind]


def _column(flat: object, count: int, *kinds: type) -> list[Any]:
    """The flat column, if it has that many entries, and of these types where any are named."""
    if type(flat) is not list or len(flat) != count:
        raise WireError("no column of the right length")
    # Exact types: `isinstance` would take True for a number.
    if kinds and not set(map(type, flat)).issubset(kinds):
        raise WireError(f"not only {' or '.join(kind.__name__ for kind in kinds)} in a column")
    return flat


def _same(*kinds: type) -> Form:
    """What JSON has too."""
    return Form(lambda values, _: list(values), lambda flat, n, _: _column(flat, n, *kinds))


def _times(flat: object, count: int, _: Blobs) -> Values:
    try:
        return [timedelta(microseconds=each) for each in _column(flat, count, int)]
    except OverflowError as error:
        raise WireError(str(error)) from None


def _choice(members: Mapping[str, str]) -> Form:
    """One of some texts, which stand for themselves or for members of an enumeration."""

    def rebuild(flat: object, count: int, _: Blobs) -> Values:
        try:
            return [members[each] for each in _column(flat, count, str)]
        except KeyError:
            raise WireError("not one of the choices") from None

    return Form(lambda values, _: [str(each) for each in values], rebuild)


def _put(values: Values, blobs: Blobs) -> list[int]:
    start = len(blobs)
    blobs.extend(values)
    return list(range(start, len(blobs)))


def _get(flat: object, count: int, blobs: Blobs) -> Values:
    places = _column(flat, count, int)
    if places and not 0 <= min(places) <= max(places) < len(blobs):
        raise WireError("no such bytes")
    return [blobs[place] for place in places]


PLAIN: Final[Mapping[Any, Form]] = {
    str: _same(str),
    int: _same(int),
    bool: _same(bool),
    float: _same(float, int),
    bytes: Form(_put, _get),
    timedelta: Form(lambda values, _: [each // MICROSECOND for each in values], _times),
}


def _optional(kind: Any) -> Form:  # noqa: ANN401 (a type form)
    others = [each for each in get_args(kind) if each is not NoneType]
    if len(others) != 1:
        raise TypeError(f"{kind} does not travel: which of them is it?")
    if others[0] in (str, int, bool):  # None is JSON's own: no need to take them out
        return _same(others[0], NoneType)
    form = _form(others[0])

    def flatten(values: Values, blobs: Blobs) -> object:
        found = [value for value in values if value is not None]
        if not found:  # as often: the columns of nothing need not travel
            return None
        return [[value is not None for value in values], form.flatten(found, blobs)]

    def rebuild(flat: object, count: int, blobs: Blobs) -> Values:
        if flat is None:
            return [None] * count
        there, column = _column(flat, 2)
        found = iter(form.rebuild(column, sum(_column(there, count, bool)), blobs))
        return [next(found) if each else None for each in there]

    return Form(flatten, rebuild)


def _often_the_same(form: Form) -> Form:
    """Records as texts of their own, by which those of late are found again."""
    latest: tuple[object, str] = (None, "")
    texts: dict[object, str] = {}

    def written(value: object) -> str:
        nonlocal latest
        if value is not latest[0]:
            latest = value, known(value)
        return latest[1]

    def known(value: object) -> str:
        try:
            text = texts.get(value)
        except TypeError:  # it holds a mapping, which has no hash
            return flat(value)
        if text is None:
            text = flat(value)
            if len(texts) >= MOST_KEPT:
                texts.clear()
            if len(text) <= MOST_LETTERS:
                texts[value] = text
        return text

    def flat(value: object) -> str:
        return json.dumps(form.flatten([value], []), separators=(",", ":"))

    def built(text: str) -> object:
        return form.rebuild(json.loads(text), 1, [])[0]

    kept = lru_cache(MOST_KEPT)(built)
    return Form(
        lambda values, _: [written(value) for value in values],
        lambda flat, n, _: [
            kept(text) if len(text) <= MOST_LETTERS else built(text)
            for text in _column(flat, n, str)
        ],
    )


def _row(kind: Any) -> Form:  # noqa: ANN401 (a type form)
    """Tuples of any length: their lengths, then all their entries as one column."""
    form = _form(kind)

    def flatten(values: Values, blobs: Blobs) -> object:
        entries = [*chain(*values)]
        return [[len(value) for value in values], form.flatten(entries, blobs) if entries else []]

    def rebuild(flat: object, count: int, blobs: Blobs) -> Values:
        lengths, column = _column(flat, 2)
        if min(_column(lengths, count, int), default=0) < 0:
            raise WireError("a length below nothing")
        if not any(lengths):  # as often: whatever stands there is none of it
            return [()] * count
        entries = iter(form.rebuild(column, sum(lengths), blobs))
        return [tuple(islice(entries, length)) if length else () for length in lengths]

    return Form(flatten, rebuild)


def _columns(
    forms: Sequence[Form],
    pick: Sequence[Callable[[Any], object]],
    build: Callable[[list[Values]], Values],
) -> Form:
    """Values of several pieces, a column each; at least one, or a length would be free."""
    if not forms:
        raise TypeError("a type without pieces does not travel")

    def flatten(values: Values, blobs: Blobs) -> object:
        pairs = zip(forms, pick, strict=True)
        return [form.flatten([*map(take, values)], blobs) for form, take in pairs]

    def rebuild(flat: object, count: int, blobs: Blobs) -> Values:
        pairs = zip(forms, _column(flat, len(forms)), strict=True)
        return build([form.rebuild(column, count, blobs) for form, column in pairs])

    return Form(flatten, rebuild)


def _rows(columns: list[Values]) -> Values:
    return [*zip(*columns, strict=True)]


def _pieces(kinds: tuple[Any, ...]) -> Form:
    """Tuples of a fixed length."""
    picks = [itemgetter(index) for index in range(len(kinds))]
    return _columns([_form(kind) for kind in kinds], picks, _rows)


def _record(kind: type) -> Form:
    """Dataclasses, by the order of their fields."""
    names = [each.name for each in fields(kind)]
    hints = get_type_hints(kind, include_extras=True)
    picks = [attrgetter(name) for name in names]
    by_name = any(each.kw_only for each in fields(kind))

    def build(columns: list[Values]) -> Values:
        if by_name:
            return [kind(**dict(zip(names, row, strict=True))) for row in _rows(columns)]
        return [*map(kind, *columns)]

    return _columns([_form(hints[name]) for name in names], picks, build)


def _named(kind: type) -> Form:
    """Named tuples, by the order of their fields."""
    hints = get_type_hints(kind, include_extras=True)
    picks = [itemgetter(index) for index in range(len(hints))]
    named = partial(tuple.__new__, kind)  # of rows that are whole: no need to look at each
    return _columns(
        [_form(hint) for hint in hints.values()],
        picks,
        lambda columns: [*map(named, zip(*columns, strict=True))],
    )


def _mapping(key: Any, kind: Any) -> Form:  # noqa: ANN401 (type forms)
    """Mappings from str, as rows of pairs."""
    if getattr(key, "__supertype__", key) is not str:
        raise TypeError("only a mapping from str travels")
    form = _row(tuple[str, kind])
    return Form(
        lambda values, blobs: form.flatten([tuple(each.items()) for each in values], blobs),
        lambda flat, n, blobs: [
            MappingProxyType(dict(each)) for each in form.rebuild(flat, n, blobs)
        ],
    )
