"""The value of a property, by the way its prefix is read: text, address, moment, markup."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from gossamer.transform.microformats.classic import Property
from gossamer.transform.microformats.items import Markup, Picture, Plain
from gossamer.transform.microformats.marks import Attributes, Mark
from gossamer.transform.microformats.moments import date_of, joined_moment
from gossamer.transform.microformats.reading import BLANKS, Reader

Simple = Plain | Picture | Markup

# Which attribute of which element gives the value, and not its text.
_TITLES: Final = MappingProxyType({"abbr": "title", "link": "title"})
_DATA: Final = MappingProxyType({"data": "value", "input": "value"})
_ALTS: Final = MappingProxyType({"img": "alt", "area": "alt"})
_MOMENTS: Final = MappingProxyType(dict.fromkeys(("time", "ins", "del"), "datetime"))
_LINKS: Final = MappingProxyType(
    {
        **dict.fromkeys(("a", "area", "link"), "href"),
        **dict.fromkeys(("img", "audio", "video", "source", "iframe"), "src"),
        "object": "data",
    }
)
_TEXT_ATTRIBUTES: Final = {**_TITLES, **_DATA, **_ALTS}
_MOMENT_ATTRIBUTES: Final = {**_MOMENTS, "abbr": "title", **_DATA}
_PART_ATTRIBUTES: Final = {**_MOMENTS, **_ALTS, "abbr": "title", "data": "value"}
_ADDRESS_ATTRIBUTES: Final = {"abbr": "title", **_DATA}


class ValueReader:
    """Reads the properties of one item, in order: later moments may rest on earlier ones."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._date: str | None = None

    def value(self, mark: Mark, property_: Property) -> Simple:
        """The value of a property that an element has."""
        match property_.prefix:
            case "u":
                return self._address(mark)
            case "dt":
                return self._moment(mark)
            case "e":
                return Markup(self._reader.text(mark.element), mark.element)
            case "tag":
                return _tag(mark)
        return self._text(mark)

    def _text(self, mark: Mark) -> Plain:
        if mark.values:
            return Plain("".join(self._part(each) for each in mark.values), mark.element)
        return Plain(self._said(mark, _TEXT_ATTRIBUTES), mark.element)

    def _address(self, mark: Mark) -> Simple:
        linked = linked_value(mark.element, mark.tag, mark.attributes, self._reader)
        if linked is not None:
            return linked
        if mark.values:
            return Plain("".join(self._part(each) for each in mark.values), mark.element, True)
        return Plain(self._said(mark, _ADDRESS_ATTRIBUTES), mark.element, True)

    def _moment(self, mark: Mark) -> Plain:
        if mark.values:
            parts = (self._part(each, _PART_ATTRIBUTES).strip(BLANKS) for each in mark.values)
            if moment := joined_moment(parts, self._date):
                self._date = moment.date or self._date
                return Plain(moment.text, mark.element)
        text = self._said(mark, _MOMENT_ATTRIBUTES)
        self._date = date_of(text) or self._date
        return Plain(text, mark.element)

    def _said(self, mark: Mark, by_tag: Mapping[str, str]) -> str:
        said = attribute_by_tag(mark.tag, mark.attributes, by_tag)
        return self._reader.text(mark.element) if said is None else said

    def _part(self, mark: Mark, by_tag: Mapping[str, str] = _TEXT_ATTRIBUTES) -> str:
        if mark.names.value_title:
            return mark.attributes.get("title") or ""
        return self._said(mark, by_tag)


def _tag(mark: Mark) -> Plain:
    """The last part of an address, which is what a `rel=tag` link says."""
    path = (mark.attributes.get("href") or "").partition("?")[0].partition("#")[0]
    return Plain(unquote(path.rstrip("/").rpartition("/")[2]), mark.element)


def linked_value(
    element: LexborNode, tag: str, attributes: Attributes, reader: Reader
) -> Plain | Picture | None:
    """What an element leads to or shows, as an absolute address."""
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
    """The attribute that this kind of element says its value in; empty where it is empty."""
    name = by_tag.get(tag)
    return (attributes[name] or "") if name is not None and name in attributes else None
