"""Response header fields that are kept as statements about a fetch: which ones, and how. Pure.

Whoever answers may write anything there, so a value is bounded, and one that is too long, holds control
characters or is no value of its field is left out: half of it would say something else.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from gossamer.model import ResponseHead
from gossamer.moments import http_date

LONGEST: Final = 2_048  # characters of a value; longer `Link` fields are lists of what to preload
MOST_VALUES: Final = 8  # of one field; languages of a page are one or two, `Link` fields up to four
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_LANGUAGE: Final = re.compile(r"[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7}")


class ResponseField(NamedTuple):
    """A statement about a response: the local name of its property, and a value of its kind."""

    name: str
    value: str | int | datetime


def response_fields(head: ResponseHead) -> tuple[ResponseField, ...]:
    """The header fields of a response that are worth a statement each."""
    sent = {name.lower() for name, _ in head.headers}
    return tuple(
        ResponseField(name, value)
        for field, (name, read) in FIELDS.items()
        if field in sent
        for value in read(head, field)
    )


def _texts(head: ResponseHead, field: str) -> Iterator[str]:
    """The values of a field as text: UTF-8, as servers write it, else Latin-1."""
    values = dict.fromkeys(value.strip() for value in head.header_values(field)[:MOST_VALUES])
    for value in values:
        if value and len(value) <= LONGEST and not _CONTROLS.search(value):
            yield _text(value)


def _text(value: str) -> str:
    if value.isascii():
        return value
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return value


def _one_text(head: ResponseHead, field: str) -> Iterator[str]:
    """The value of a field that has one; of several different ones none can be believed."""
    values = list(_texts(head, field))
    yield from values if len(values) == 1 else ()


def _date(head: ResponseHead, field: str) -> Iterator[datetime]:
    for value in _one_text(head, field):
        if (moment := http_date(value)) is not None:
            yield moment


def _length(head: ResponseHead, _: str) -> Iterator[int]:
    if (length := head.content_length) is not None:
        yield length


def _languages(head: ResponseHead, field: str) -> Iterator[str]:
    listed = ",".join(_texts(head, field)).lower().split(",")
    tags = dict.fromkeys(tag.strip(" \t") for tag in listed[:MOST_VALUES])
    yield from filter(_LANGUAGE.fullmatch, tags)


_Reader = Callable[[ResponseHead, str], Iterator[str] | Iterator[int] | Iterator[datetime]]
FIELDS: Final[dict[str, tuple[str, _Reader]]] = {
    "etag": ("etag", _one_text),
    "last-modified": ("lastModified", _date),
    "server": ("server", _one_text),
    "content-length": ("contentLength", _length),
    "content-language": ("contentLanguage", _languages),
    "link": ("link", _texts),  # as it was sent: parsed, each target would take three statements
}
"""By field name in small letters: the local name of the property, and how its values are read."""
