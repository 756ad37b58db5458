"""Small SVG icons for pages, in the colour of the text around them. Pure."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from gossamer.index.entities.kinds import type_terms

# Strokes on a square of 24.
DRAWINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "alert": '<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.2"/>',
        "article": '<path d="M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4"/>',
        "book": '<path d="M12 6.5C10 5 7 4.5 4 5v13.5c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5zM12 6.5V20"/>',
        "building": '<path d="M5 20V5h9v15M14 10h5v10M3 20h18M8 8.5h3M8 12h3M8 15.5h3"/>',
        "calendar": '<path d="M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8"/>',
        "check": '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
        "clock": '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.3l3.5 2"/>',
        "data": '<ellipse cx="12" cy="6" rx="7.5" ry="2.8"/><path d="M4.5 6v12c0 1.5 3.4 2.8 7.5 2.8s7.5-1.3 7.5-2.8V6M4.5 12c0 1.5 3.4 2.8 7.5 2.8s7.5-1.3 7.5-2.8"/>',
        "download": '<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15"/>',
        "film": '<path d="M3.5 5.5h17v13h-17zM10 9.2v5.6l5-2.8z"/>',
        "next": '<path d="m9 5.5 6.5 6.5L9 18.5"/>',
        "out": '<path d="M13.5 5H19v5.5M19 5l-8.5 8.5M16.5 14v5h-11V8h5"/>',
        "page": '<path d="M6 3.5h8.5L18.5 8v12.5H6zM14 3.5v5h4.5"/>',
        "person": '<circle cx="12" cy="8" r="3.8"/><path d="M4.5 20.5c.6-4.5 3.5-6.8 7.5-6.8s6.9 2.3 7.5 6.8"/>',
        "picture": '<path d="M3.5 5h17v14h-17zm0 11 5-5 4.5 4.5 2.5-2.5 5 4.5"/><circle cx="15.5" cy="9.5" r="1.4"/>',
        "place": '<path d="M12 21c4.5-5 6.8-8.5 6.8-11.3A6.7 6.7 0 0 0 12 3a6.7 6.7 0 0 0-6.8 6.7C5.2 12.5 7.5 16 12 21z"/><circle cx="12" cy="9.7" r="2.3"/>',
        "search": '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5.5 5.5"/>',
        "tag": '<path d="M4 4h8l8.5 8.5-8 8L4 12zM8 8v.2"/>',
        "thing": '<path d="m12 3 7.8 4.5v9L12 21l-7.8-4.5v-9zM12 12l7.8-4.5M12 12 4.2 7.5M12 12v9"/>',
        "web": '<path d="M3 3v18M3 3h18M3 3l15 15M3 3l7.5 17M3 3l17 7.5M3 10c2.7-.3 4.2-1 4.9-2.1C9 7.2 9.7 5.7 10 3M3 16.5c4.5-.4 7.6-1.7 9.5-4 2.3-1.9 3.6-5 4-9.5"/>',
    }
)
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        kind: name
        for name, kinds in {
            "person": "person individual author",
            "building": "organization corporation localbusiness group company store restaurant",
            "place": "place city country feature administrativearea spatialthing postaladdress geocoordinates",
            "book": "book creativework bibliographicresource document audiobook",
            "article": "article newsarticle blogposting posting post item review comment recipe",
            "calendar": "event musicevent vevent",
            "tag": "product offer productorservice offering brand productgroup",
            "film": "movie videoobject tvseries musicrecording musicalbum song audioobject",
            "picture": "imageobject image photograph",
            "data": "dataset datacatalog datafeed distribution",
            "page": "webpage website site collectionpage aboutpage profilepage itempage",
        }.items()
        for kind in kinds.split()
    }
)


def icon(name: str) -> Markup:
    """An icon, hidden from screen readers because the text beside it says the same."""
    drawing = Markup(DRAWINGS[name])  # noqa: S704 (our own, from the table above)
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">{}</svg>'
    ).format(drawing)


def kind_icon(types: Iterable[str], *, is_page: bool = False) -> str:
    """The name of the icon for entities of these types."""
    for iri in types:
        for term in type_terms(iri):
            if term in _KINDS:
                return _KINDS[term]
    return "page" if is_page else "thing"
