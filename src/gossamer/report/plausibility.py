"""The rules `order`, `rating` and `coordinates`: values that are read well and cannot be true together."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.report.schema_values import is_date
from gossamer.tables.values import number
from gossamer.wording import quoted

NUMBERS_IN_ORDER: Final = (
    ("lowPrice", "highPrice"),
    ("minPrice", "maxPrice"),
    ("minValue", "maxValue"),
)
DATES_IN_ORDER: Final = (
    *(("startDate", "endDate"), ("validFrom", "validThrough"), ("birthDate", "deathDate")),
    *(("datePublished", "dateModified"), ("foundingDate", "dissolutionDate")),
)
WORST, BEST = 1.0, 5.0  # of a rating that names neither
LIMITS: Final = {"latitude": 90, "longitude": 180}

Values = Mapping[str, Mapping[str, str]]  # of entities: by property, where there is one value


def wrong_order(page: RulePage) -> Iterator[Finding]:
    """Ends before their beginnings, and least values above the greatest."""
    for entity, values in _single_values(
        page, {*sum(NUMBERS_IN_ORDER + DATES_IN_ORDER, ())}
    ).items():
        for low, high in NUMBERS_IN_ORDER:
            least, most = _figure(values.get(low)), _figure(values.get(high))
            if least is not None and most is not None and least > most:
                yield _contradiction(page, entity, values, low, high, "more")
        for low, high in DATES_IN_ORDER:
            first, last = values.get(low, ""), values.get(high, "")
            # Days alone are compared: moments may be told in different zones.
            if is_date(first) and is_date(last) and _day(last) < _day(first)[: len(_day(last))]:
                yield _contradiction(page, entity, values, low, high, "later")


def wrong_ratings(page: RulePage) -> Iterator[Finding]:
    """Ratings below the worst or above the best that there can be."""
    names = {"ratingValue", "bestRating", "worstRating"}
    for entity, values in _single_values(page, names).items():
        value = _figure(values.get("ratingValue"))
        best, worst = _figure(values.get("bestRating")), _figure(values.get("worstRating"))
        if value is None or (worst or WORST) <= value <= (best or BEST):
            continue
        if worst is None and 0 <= value < WORST:
            continue  # many scales begin at 0
        text = values["ratingValue"]
        yield Finding(
            f"ratingValue is {quoted(text)}, beyond {worst or WORST:g} to {best or BEST:g}.",
            Severity.ERROR,
            page.line_of(text, "ratingValue"),
            entity,
            "Write the scale, as worstRating and bestRating.",
            see=definition("ratingValue"),
        )


def wrong_coordinates(page: RulePage) -> Iterator[Finding]:
    """Latitudes and longitudes that are nowhere on Earth."""
    for entity, name, text in page.schema_values(LIMITS):
        value = _figure(text.strip())
        if value is not None and abs(value) > LIMITS[name]:
            yield Finding(
                f"{name} is {quoted(text)}, beyond {LIMITS[name]} degrees.",
                Severity.ERROR,
                page.line_of(text.strip(), name),
                entity,
                "Write decimal degrees; perhaps latitude and longitude are exchanged.",
                see=definition(name),
            )


def _single_values(page: RulePage, names: set[str]) -> Values:
    """The values of these properties, of entities that have no second one of them."""
    if page.schema.names.isdisjoint(names):
        return {}
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for entity, name, text in page.schema_values(names):
        found[entity][name].append(text.strip())
    return {
        entity: {name: texts[0] for name, texts in values.items() if len(texts) == 1}
        for entity, values in found.items()
    }


def _figure(text: str | None) -> float | None:
    value = None if text is None else number(text)
    return float(value) if value is not None and isfinite(value) else None


def _day(text: str) -> str:
    return text[:10].replace("-", "")


def _contradiction(
    page: RulePage, entity: str, values: Mapping[str, str], low: str, high: str, how: str
) -> Finding:
    return Finding(
        f"{low} is {quoted(values[low])}, {how} than {high}, {quoted(values[high])}.",
        Severity.ERROR,
        page.line_of(values[high], high),
        entity,
        "Correct one of the two.",
        see=definition(low),
    )
