"""The rules `language` and `country`: codes that no standard has, and names where a code is wanted."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.vocabulary.codes import is_country, is_language, language_named
from gossamer.wording import quoted

LANGUAGES: Final = ("inLanguage", "availableLanguage", "knowsLanguage")
COUNTRIES: Final = ("addressCountry", "countryOfOrigin", "applicableCountry", "shippingDestination")
# BCP 47, as far as its form goes; the first part is looked up where it has two letters.
_TAG: Final = re.compile(
    r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{1,8})*|x-[A-Za-z0-9-]+|i-[A-Za-z0-9-]+"
)
_COUNTRY_CODE: Final = re.compile(r"[A-Z]{2,3}")
_MEANT: Final = {"UK": "GB", "EN": "GB", "EU": None}


def wrong_languages(page: RulePage) -> Iterator[Finding]:
    """Languages that are no tag of BCP 47, or have a code that there is not."""
    for entity, name, text in page.schema_values(LANGUAGES):
        value = text.strip()
        found = _TAG.fullmatch(value)
        if found is not None and (found[1] is None or len(found[1]) == 3 or is_language(found[1])):
            continue
        code = language_named(value)
        if code is not None and name != LANGUAGES[0]:
            continue  # names will do, where people are told which languages are spoken
        yield Finding(
            f"{name} is {quoted(text)}, which is no language code.",
            Severity.WARNING if code else Severity.ERROR,
            page.line_of(value, name),
            entity,
            f"Write {code}." if code else "Write a tag of BCP 47, as in en or pt-BR.",
            see=definition(name),
        )


def wrong_countries(page: RulePage) -> Iterator[Finding]:
    """Countries that look like a code of ISO 3166-1, and are none."""
    for entity, name, text in page.schema_values(COUNTRIES):
        value = text.strip()
        if _COUNTRY_CODE.fullmatch(value) and not is_country(value):
            meant = _MEANT.get(value)
            yield Finding(
                f"{name} is {quoted(text)}, which is no country code.",
                Severity.WARNING if meant else Severity.ERROR,
                page.line_of(value, name),
                entity,
                f"Write {meant}." if meant else "Write two letters of ISO 3166-1, as in DE.",
                see=definition(name),
            )
