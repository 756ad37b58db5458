"""The value of a property, read by its prefix: text, URL, time or markup."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, unquote

from selectolax.lexbor import LexborNode

from gossamer.transform.microformats.classic import Property
from gossamer.transform.microformats.items import Markup, Picture, Plain
from gossamer.transform.microformats.marks import Attributes, Mark
from gossamer.transform.microformats.moments import date_of, joined_moment
from gossamer.transform.microformats.reading import BLANKS, Reader

Simple = Plain | Picture | Markup

# Which attribute of which element gives the value, and not its text.
_DATA: Final = {"data": "value", "input": "value"}
_ALTS: Final = {"img": "alt", "area": "alt"}
_MOMENTS: Final = dict.fromkeys(("time", "ins", "del"), "datetime")
_LINKS: Final = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("img", "audio", "video", "source", "iframe"), "src"),
    "object": "data",
}
_NAMES_OF_TAGS: Final = frozenset(("tag", "tags", "keyword", "keywords"))  # in queries
_LONGEST_QUERY: Final = 2_000
_OF_TEXT: Final = {"abbr": "title", "link": "title", **_DATA, **_ALTS}
_OF_ADDRESS: Final = {"abbr": "title", **_DATA}
_OF_MOMENT: Final = {"abbr": "title", **_DATA, **_MOMENTS}
_OF_MOMENT_PART: Final = {"abbr": "title", "data": "value", **_ALTS, **_MOMENTS}


class ValueReader:
    """Reads the properties of one item, in order: later times may depend on earlier ones."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._date: str | None = None

    def value(self, mark: Mark, property_: Property) -> Simple:
        """The value of an element's property."""
        match property_.prefix:
            case "u":
                return self._address(mark)
            case "dt":
                return self._moment(mark)
            case "e":
                return Markup(self._reader.text(mark.element), mark.element)
            case "tag":
                return _tag(mark, strict=self._reader.is_strict)
        return self._text(mark)

    def _text(self, mark: Mark) -> Plain:
        return Plain(self._parts_or(mark, _OF_TEXT), mark.element)

    def _address(self, mark: Mark) -> Simple:
        linked = linked_value(mark.element, mark.tag, mark.attributes, self._reader)
        return linked or Plain(self._parts_or(mark, _OF_ADDRESS), mark.element, True)

    def _moment(self, mark: Mark) -> Plain:
        if mark.values:
            parts = (self._part(each, _OF_MOMENT_PART).strip(BLANKS) for each in mark.values)
            if moment := joined_moment(parts, self._date):
                self._date = moment.date or self._date
                return Plain(moment.text, mark.element)
        text = self._said(mark, _OF_MOMENT)
        self._date = date_of(text) or self._date
        return Plain(text, mark.element)

    def _parts_or(self, mark: Mark, by_tag: Mapping[str, str]) -> str:
        """The values within the element, if it has any, else what it says itself."""
        if mark.values:
            return "".join(self._part(each, _OF_TEXT) for each in mark.values)
        return self._said(mark, by_tag)

    def _part(self, mark: Mark, by_tag: Mapping[str, str]) -> str:
        if mark.names.value_title:
            return mark.attributes.get("title") or ""
        return self._said(mark, by_tag)

    def _said(self, mark: Mark, by_tag: Mapping[str, str]) -> str:
        said = attribute_by_tag(mark.tag, mark.attributes, by_tag)
        return self._reader.text(mark.element) if said is None else said


def _tag(mark: Mark, *, strict: bool) -> Plain:
    """The last part of an address, which is what a `rel=tag` link says; or what its query calls a tag.

    By the letter the query does not count, and `/search?tag=web` would be tagged "search".
    """
    path, _, query = (mark.attributes.get("href") or "").partition("#")[0].partition("?")
    if query and not strict:
        for name, value in parse_qsl(query[:_LONGEST_QUERY]):
            if name.lower() in _NAMES_OF_TAGS:
                return Plain(value, mark.element)
    return Plain(unquote(path.rstrip("/").rpartition("/")[2]), mark.element)


def linked_value(
    element: LexborNode, tag: str, attributes: Attributes, reader: Reader
) -> Plain | Picture | None:
    """The absolute URL that an element links to or shows."""
    reference = attribute_by_tag(tag, attributes, _LINKS)
    if reference is None and tag == "video":
        reference = attributes.get("poster")
    if reference is None:
        return None
    address = reader.absolute(reference)
    if tag == "img" and "alt" in attributes:
        return Picture(address, attributes["alt"] or "", element)
    return Plain(address, element, True)


def attribute_by_tag(tag: str, attributes: Attributes, by_tag: Mapping[str, str]) -> str | None:
    """The value attribute of this kind of element; empty if it is empty."""
    name = by_tag.get(tag)
    return (attributes[name] or "") if name is not None and name in attributes else None
