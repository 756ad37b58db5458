"""Codes of languages (ISO 639-1), countries (ISO 3166-1) and currencies (ISO 4217), with English names. Pure."""

from functools import cache
from typing import Final

from gossamer.vocabulary.tables import CODES, section

# Codes that everybody writes, though no standard has them.
_USUAL_CURRENCIES: Final = frozenset({"BTC", "ETH", "CNH"})


def is_language(code: str) -> bool:
    """Whether there is a language with this code of two letters."""
    return code.lower() in section(CODES, "languages")


def is_country(code: str) -> bool:
    """Whether there is a country with this code of two or three letters."""
    return code.upper() in _countries()


def is_currency(code: str) -> bool:
    """Whether there is a currency with this code."""
    return code in section(CODES, "currencies") or code in _USUAL_CURRENCIES


def language_named(name: str) -> str | None:
    """The code of a language by its English name."""
    return _languages_by_name().get(name.strip().lower())


@cache
def _languages_by_name() -> dict[str, str]:
    return {name.lower(): code for code, name in section(CODES, "languages").items()}


@cache
def _countries() -> frozenset[str]:
    rows = section(CODES, "countries").items()
    return frozenset(code for two, words in rows for code in (two, words[:3]))
