"""The intermediate model of microformats, before it is mapped to RDF."""

from dataclasses import dataclass, field
from typing import NamedTuple

from selectolax.lexbor import LexborNode


class Plain(NamedTuple):
    """A value that is text, a time or a URL."""

    text: str
    element: LexborNode  # where it stands: its language is asked for only where it matters
    is_address: bool = False  # to be joined to the base, where it is not absolute already


class Picture(NamedTuple):
    """The URL of an image with its alternative text."""

    text: str
    alt: str
    element: LexborNode


class Markup(NamedTuple):
    """The text of an element with its markup, which is serialised on demand."""

    text: str
    element: LexborNode


@dataclass(slots=True, eq=False)
class Item:
    """One microformat item."""

    types: tuple[str, ...]
    id: str | None
    element: LexborNode
    properties: "dict[str, list[Value]]" = field(default_factory=dict)
    children: "list[Item]" = field(default_factory=list)  # nested, and no property of it
    name: str | None = None  # the first `p-name`, which stands for the item where text is wanted …
    url: str | None = None  # … and the first `u-url`, where an address is


class Nested(NamedTuple):
    """An item as the value of a property, and its text where text is wanted."""

    text: str
    item: Item
    markup: LexborNode | None = None  # of an e-* property


Value = Plain | Picture | Markup | Nested


class Parsed(NamedTuple):
    """All microformat items of a page."""

    items: tuple[Item, ...]  # those in no other
    all_items: tuple[Item, ...]  # in the order of the document
    too_deep: bool  # something was nested too deeply to be looked into
    too_long: bool  # properties within properties repeat more text than we are willing to copy
