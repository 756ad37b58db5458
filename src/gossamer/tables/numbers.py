"""Numbers and dates as pages write them for properties that have such values: `1,249.00`, `€ 19,90`. Pure.

Only for properties that are about amounts: elsewhere, digits may be a name (`sku`, `gtin13`, `postalCode`),
whose zeros count.
"""

import re
from typing import Final

from gossamer.tables.values import Value, day_or_moment, number, typed

_AMOUNT_NAMES: Final = """
price lowPrice highPrice minPrice maxPrice offerCount eligibleQuantity
ratingValue bestRating worstRating ratingCount reviewCount
value minValue maxValue baseSalary amount interactionCount userInteractionCount
latitude longitude elevation lat long alt width height depth weight
position numberOfItems numberOfPages numberOfEpisodes episodeNumber seasonNumber numberOfSeasons
wordCount commentCount answerCount upvoteCount downvoteCount maximumAttendeeCapacity
remainingAttendeeCapacity numberOfEmployees numberOfRooms copyrightYear triples
"""
AMOUNTS: Final = frozenset(_AMOUNT_NAMES.split())
_DATED_NAMES: Final = """
validFrom validThrough availabilityStarts availabilityEnds expires uploadDate doorTime startTime endTime
created modified issued date available valid published_time modified_time bday dtstart dtend
"""
_DATED: Final = frozenset(_DATED_NAMES.split())
_DATE: Final = re.compile(r"date(?![a-z])|Date(?![a-z])|PriceValidUntil|priceValidUntil")
MOST_CHARACTERS: Final = 40
# A sign or two of a currency, or its code, before or after.
_AMOUNT: Final = re.compile(
    r"[^\W\d_]{0,3}[^\w\s+-]?\s{0,2}([+-]?[0-9][0-9.,'\s]{0,30}+)[^\w\s]?[^\W\d_]{0,3}[^\w\s]?"
)
_GROUPS: Final = re.compile(r"[+-]?[0-9]{1,3}(?:[,'\s][0-9]{3})+")
_GROUPS_OF_POINTS: Final = re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3}){2,}")


def value_at(name: str, text: str, datatype: str | None) -> Value:
    """The value of a property of this local name, as its datatype or its name has it."""
    value = typed(text, datatype)
    if not isinstance(value, str):
        return value
    if name in AMOUNTS:
        found = amount(value)
        return value if found is None else found
    if name in _DATED or _DATE.search(name):
        try:
            return day_or_moment(value.strip()) or value
        except ValueError:
            return value
    return value


def amount(text: str) -> int | float | None:
    """A number that people have written, with what it is a number of; None where it is none."""
    if (plain := number(text.strip())) is not None:
        return plain
    found = _AMOUNT.fullmatch(text.strip()) if len(text) <= MOST_CHARACTERS else None
    return None if found is None else number(_without_groups(found[1].strip()))


def _without_groups(digits: str) -> str:
    """The digits as XML Schema writes them: a point before the fraction, and nothing between thousands."""
    if _GROUPS.fullmatch(digits):
        return re.sub(r"[,'\s]", "", digits)
    if _GROUPS_OF_POINTS.fullmatch(digits):
        return digits.replace(".", "")
    comma, point = digits.rfind(","), digits.rfind(".")
    groups, point_sign = (".", ",") if comma > point else (",", ".")  # 1.249,00 and 1,249.00
    return re.sub(r"['\s]", "", digits.replace(groups, "").replace(point_sign, "."))
