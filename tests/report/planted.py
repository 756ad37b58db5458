"""Sixty mistakes of thirty kinds, planted in things that are otherwise clean, two of each kind in different syntaxes."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.report.clean_items import CLEAN
from tests.report.markup import SYNTAXES, Iri, Item, markup, page

BY_TYPE: Mapping[str, Item] = {item["@type"]: item for item in reversed(CLEAN)}


class MistakeKind(NamedTuple):
    """A kind of mistake: what is changed in a thing, the words that mark its line, the rule that finds it."""

    rule: str
    type: str  # of the thing that it is planted in
    changes: Mapping[str, Any]  # by path, as in `offers.price`
    marker: str
    hints: str  # words of how it is mended


KINDS = (
    MistakeKind("unknown-type", "Person", {"@type": "Persson"}, "Persson", "Write Person."),
    MistakeKind("unknown-type", "Product", {"brand.@type": "Brandd"}, "Brandd", "Write Brand."),
    MistakeKind(
        "unknown-property", "Product", {"descripton": "Bright"}, "descripton", "Write description."
    ),
    MistakeKind("unknown-property", "Event", {"Name2": "Songs"}, "Name2", "Write name."),
    MistakeKind(
        "unknown-value",
        "Product",
        {"offers.availability": Iri("https://schema.org/InStok")},
        "InStok",
        "InStock.",
    ),
    MistakeKind(
        "unknown-value", "Event", {"eventStatus": "postponed"}, "postponed", "EventPostponed."
    ),
    MistakeKind(
        "superseded",
        "Movie",
        {"actors": {"@type": "Person", "name": "Una"}, "actor": None},
        '"actors"',
        "Write actor.",
    ),
    MistakeKind(
        "superseded",
        "Book",
        {"@type": "Code", "isbn": None, "numberOfPages": None, "bookFormat": None},
        "Code",
        "Write SoftwareSourceCode.",
    ),
    MistakeKind("wrong-domain", "Product", {"price": "17.17"}, "17.17", "offers"),
    MistakeKind(
        "wrong-domain", "Person", {"startDate": "1988-08-08"}, "1988-08-08", "as its lifeEvent"
    ),
    MistakeKind(
        "wrong-range",
        "NewsArticle",
        {"publisher": {"@type": "Place", "name": "Pub"}},
        '"publisher"',
        "an Organization or a Person",
    ),
    MistakeKind(
        "wrong-range",
        "Recipe",
        {"nutrition": "much energy"},
        "much energy",
        "a NutritionInformation",
    ),
    MistakeKind(
        "date",
        "NewsArticle",
        {"datePublished": "3 March 2026"},
        "3 March 2026",
        "Write 2026-03-03.",
    ),
    MistakeKind("date", "Event", {"endDate": "2027-02-30"}, "2027-02-30", "Write it as in"),
    MistakeKind(
        "time",
        "LocalBusiness",
        {"openingHoursSpecification.opens": "nine in the morning"},
        "nine in the morning",
        "18:00",
    ),
    MistakeKind("duration", "Recipe", {"cookTime": "45 minutes"}, "45 minutes", "Write PT45M."),
    MistakeKind("duration", "VideoObject", {"duration": "1:54"}, "1:54", "ISO 8601"),
    MistakeKind("price", "Product", {"offers.price": "39,90"}, "39,90", "Write 39.9."),
    MistakeKind(
        "price",
        "SoftwareApplication",
        {"offers.price": "free of charge"},
        "free of charge",
        "digits",
    ),
    MistakeKind("currency", "Product", {"offers.priceCurrency": "€"}, "€", "Write EUR."),
    MistakeKind("currency", "JobPosting", {"baseSalary.currency": "GBB"}, "GBB", "three letters"),
    MistakeKind("number", "Book", {"numberOfPages": "about three"}, "about three", "digits"),
    MistakeKind("boolean", "NewsArticle", {"isAccessibleForFree": "yes"}, "yes", "Write true."),
    MistakeKind(
        "url",
        "Organization",
        {"logo": Iri("www.lamps.test/wordmark.png")},
        "wordmark.png",
        "Write https://www.lamps.test/wordmark.png.",
    ),
    MistakeKind(
        "check-digit",
        "Product",
        {"gtin13": "4006381333932"},
        "4006381333932",
        "number on the product",
    ),
    MistakeKind(
        "check-digit",
        "Book",
        {"isbn": "978-3-16-148410-1"},
        "978-3-16-148410-1",
        "number on the product",
    ),
    MistakeKind("language", "Book", {"inLanguage": "German"}, "German", "Write de."),
    MistakeKind("country", "Restaurant", {"address.addressCountry": "UK"}, "UK", "Write GB."),
    MistakeKind("order", "Event", {"endDate": "2020-01-01"}, "2020-01-01", "Correct"),
    MistakeKind("rating", "Movie", {"aggregateRating.ratingValue": "11.5"}, "11.5", "scale"),
    MistakeKind(
        "coordinates", "Restaurant", {"geo.latitude": "155.63"}, "155.63", "decimal degrees"
    ),
)


class Planted(NamedTuple):
    """A mistake where it stands."""

    rule: str
    line: int
    hints: str


def planted_pages() -> Iterator[tuple[str, list[Planted]]]:
    """Pages and the mistakes on them: three on a page, each in a thing and a syntax of its own."""
    mistakes = [
        (kind, SYNTAXES[(nth + turn) % len(SYNTAXES)])
        for turn in range(2)
        for nth, kind in enumerate(KINDS)
    ]
    for start in range(0, len(mistakes), 3):
        lot = mistakes[start : start + 3]
        blocks = [markup(_spoilt(kind), syntax) for kind, syntax in lot]
        text = page(*blocks)
        yield text, [_planted(kind, text, blocks, nth) for nth, (kind, _) in enumerate(lot)]


def _planted(kind: MistakeKind, text: str, blocks: list[str], nth: int) -> Planted:
    before = page(*blocks[:nth]).count("\n")
    marker = kind.marker if kind.marker in blocks[nth] else kind.marker.strip('"')
    at = blocks[nth].index(marker)
    return Planted(kind.rule, before + blocks[nth].count("\n", 0, at) + 1, kind.hints)


def _spoilt(kind: MistakeKind) -> Item:
    item = BY_TYPE[kind.type]
    for path, value in kind.changes.items():
        item = _with(item, path.split("."), value)
    return item


def _with(item: Item, path: list[str], value: Any) -> Item:
    first, rest = path[0], path[1:]
    changed = _with(item[first], rest, value) if rest else value
    return {key: each for key, each in {**item, first: changed}.items() if each is not None}
