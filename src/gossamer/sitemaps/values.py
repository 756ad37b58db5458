"""What a sitemap says: its entries, and the fields that ride along, read with mistrust.

A field that makes no sense is None: the address is what counts, and it stays good.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import isnan

from gossamer.model import Problem, Url
from gossamer.moments import http_date, read_moment

SYNTAX = "sitemap"

MAX_DATE_LENGTH = 64  # the longest real ones have about 40 characters


class ChangeFrequency(StrEnum):
    """How often a page changes, in the words of the protocol."""

    ALWAYS = "always"
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    NEVER = "never"


FREQUENCIES: Mapping[str, ChangeFrequency] = {word.value: word for word in ChangeFrequency}


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page that a sitemap or feed names."""

    url: Url
    lastmod: datetime | None = None  # in UTC
    priority: float | None = None  # 0 to 1
    changefreq: ChangeFrequency | None = None


@dataclass(frozen=True, slots=True)
class SitemapLink:
    """Another sitemap, named by an index."""

    url: Url
    lastmod: datetime | None = None  # in UTC


SitemapItem = SitemapEntry | SitemapLink | Problem


def moment(text: str) -> datetime | None:
    """The moment in UTC that a W3C or RFC 822 date names; without a zone it is UTC."""
    text = text.strip()
    if not text or len(text) > MAX_DATE_LENGTH:
        return None
    return read_moment(_w3c_date, text) if text[:4].isdigit() else http_date(text)


def _w3c_date(text: str) -> datetime:
    if len(text) <= len("2025-01"):
        text = (text + "-01-01")[: len("2025-01-01")]
    return datetime.fromisoformat(text)


def share(text: str | None) -> float | None:
    """A priority between 0 and 1; one that lies outside is moved to the nearer end."""
    if text is None:
        return None
    try:
        number = float(text.replace(",", "."))  # "0,5" is common in some countries
    except ValueError:
        return None
    return None if isnan(number) else min(1.0, max(0.0, number))


def change_frequency(text: str | None) -> ChangeFrequency | None:
    """One of the protocol's seven words, in any case."""
    return FREQUENCIES.get(text.strip().lower()) if text else None
