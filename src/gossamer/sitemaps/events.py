"""From parser events to entries: where we are in the document, and the entry being read.

Files get much wrong, so little is asked of them: names count without regard to
case, an entry may stand at any depth, and one that begins inside another ends it.
"""

from collections.abc import Mapping

from gossamer.model import Problem, Refusal, Url
from gossamer.sitemaps.dialects import (
    ATOM,
    DIALECTS,
    DUBLIN_CORE_SPACE,
    UNKNOWN,
    OpenEntry,
    split_name,
)
from gossamer.sitemaps.intake import MAX_TEXT_LENGTH, Intake
from gossamer.sitemaps.values import SYNTAX, SitemapItem
from gossamer.urls import canonical

XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
# Forty for each entry that the protocol allows; a file of its 50 MiB that lists a
# thousand images a page stays below. Bounds names, depth and time in the parser.
MAX_ELEMENTS = 2_000_000
MAX_LINKS = 1000  # of one Atom entry; a handful is usual
MAX_NAME_LENGTH = 80  # of foreign names in messages


class SitemapEvents:
    """What the parser calls (a target, in lxml's words); items pile up until they are taken."""

    def __init__(self, url: Url, intake: Intake) -> None:
        self._base = url
        self._intake = intake
        self._items: list[SitemapItem] = []
        self._dialect = UNKNOWN  # until the root has come
        self._root_space = ""
        self._depth = 0
        self._elements = 0
        self._entry: OpenEntry | None = None
        self._field: str | None = None
        self._text: list[str] = []  # of the field
        self._room = 0  # for more text
        self.heard = 0  # events so far: none come while the parser is inside a tag
        self.stopped = False  # nothing more will come of this document

    def take(self) -> list[SitemapItem]:
        """The items since the last time."""
        items, self._items = self._items, []
        return items

    def finish(self) -> None:
        """Nothing follows: an entry that was cut off counts if its address was whole."""
        if self._entry is not None:
            self._entry.loose = ""
            if self._entry.fields or self._entry.links:
                self._end_entry()
        if self._dialect is UNKNOWN and not self.stopped:
            self._items.append(Problem("no element in it: not a sitemap", SYNTAX))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self.heard += 1
        self._depth += 1
        self._elements += 1
        if self.stopped:
            return
        if self._elements > MAX_ELEMENTS:
            self._stop(f"more than {MAX_ELEMENTS:,} elements; the rest is ignored")
            return
        space, name = split_name(tag)
        entry = self._entry
        if entry is not None and self._depth == entry.depth + 1:
            self._field = None
            if name in self._dialect.fields:
                self._begin_field(entry, space, name, attributes)
                return
            if name == "link" and self._dialect is ATOM:
                _add_link(entry, attributes)
        elif self._dialect is UNKNOWN:
            self._begin_root(space, name, attributes)
        if name in self._dialect.entries and self._is_ours(space):
            self._end_entry()
            self._entry = OpenEntry(name, space, self._depth)

    def data(self, text: str) -> None:
        """Text, in pieces of any size; what is too long for an address is not kept."""
        self.heard += 1
        if self._field is not None:
            if self._room >= 0:
                self._text.append(text)
                self._room -= len(text)
        elif self._entry is not None and not text.isspace() and self._depth == self._entry.depth:
            self._entry.loose += text[: MAX_TEXT_LENGTH + 1 - len(self._entry.loose)]

    def end(self, _tag: str) -> None:
        """An element ends."""
        self.heard += 1
        entry = self._entry
        if entry is not None:
            if self._depth == entry.depth:
                self._end_entry()
            elif self._field is not None and self._depth == entry.depth + 1:
                entry.fields.setdefault(self._field, "".join(self._text))
                self._field = None
        self._depth -= 1

    def comment(self, _text: str) -> None:
        """A comment has ended."""
        self.heard += 1

    def pi(self, _target: str, _text: str | None = None) -> None:
        """A processing instruction has ended."""
        self.heard += 1

    def close(self) -> None:
        """The document ends; asked for by lxml, `finish` does the work."""

    def _begin_root(self, space: str, name: str, attributes: Mapping[str, str]) -> None:
        dialect = DIALECTS.get(name)
        if dialect is None:
            kind = (
                "an HTML page"
                if name == "html"
                else f"an XML file of another kind ({_short(name)})"
            )
            self._stop(f"{kind}, not a sitemap")
            return
        if dialect.spaces and space not in dialect.spaces:
            wrong = (
                f"the namespace {_short(space)} is wrong" if space else "the namespace is missing"
            )
            self._items.append(Problem(f"{wrong}; read all the same", SYNTAX))
        self._dialect = dialect
        self._root_space = space
        base = canonical(attributes.get(XML_BASE, ""), self._base)
        self._base = self._base if isinstance(base, Refusal) else base

    def _is_ours(self, space: str) -> bool:
        """Whether an entry's name means one in this namespace; `video:url` is none."""
        return not self._dialect.spaces or space in (self._root_space, "", *self._dialect.spaces)

    def _begin_field(
        self, entry: OpenEntry, space: str, name: str, attributes: Mapping[str, str]
    ) -> None:
        if space != entry.space and space != DUBLIN_CORE_SPACE:
            return  # `image:loc` and the like
        if name == "guid" and _says(attributes, "isPermaLink", "false"):
            return
        self._field, self._text, self._room = name, [], MAX_TEXT_LENGTH

    def _end_entry(self) -> None:
        entry, self._entry, self._field = self._entry, None, None
        if entry is None:
            return
        for address in entry.addresses():
            url = self._intake.url(address, self._base_for(address))
            if url is not None:
                self._items.append(entry.item(url))
        self.stopped = self._intake.full

    def _base_for(self, address: str) -> Url | None:
        """What an address is relative to. Sitemaps must not be, but what `/page` means is clear."""
        return self._base if self._dialect.relative or address.lstrip()[:1] == "/" else None

    def _stop(self, why: str) -> None:
        self.stopped = True
        self._items.append(Problem(why, SYNTAX))


def _add_link(entry: OpenEntry, attributes: Mapping[str, str]) -> None:
    alternate = "rel" not in attributes or _says(attributes, "rel", "alternate")
    if alternate and len(entry.links) < MAX_LINKS:
        entry.links.append(attributes.get("href", ""))


def _says(attributes: Mapping[str, str], name: str, value: str) -> bool:
    return attributes.get(name, "").strip().lower() == value


def _short(name: str) -> str:
    return ascii(name[:MAX_NAME_LENGTH])
