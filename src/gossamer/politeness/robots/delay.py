"""How long a site asks us to wait between requests, as its robots.txt says it.

Neither field is part of RFC 9309, and both are in wide use: a site that names a
pace means it, so of several the slowest counts.
"""

import re
from dataclasses import dataclass
from typing import Final

from gossamer.politeness.delay import LONGEST

MAX_DELAY_SECONDS: Final = LONGEST.total_seconds()

_NUMBER: Final = r"\d{1,12}(?:\.\d{0,6})?|\.\d{1,6}"
_CRAWL_DELAY = re.compile(rf"({_NUMBER})\s*(?:s|secs?|seconds?)?", re.ASCII | re.IGNORECASE)
_REQUEST_RATE = re.compile(
    rf"(\d{{1,12}})\s*/\s*({_NUMBER})\s*([smhd]?)(?:\s.*)?", re.ASCII | re.IGNORECASE
)
_UNIT_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 24 * 3600}


@dataclass(frozen=True, slots=True)
class CrawlDelay:
    """A delay that a robots.txt asks for, and where it does."""

    seconds: float
    line_number: int
    field: str = "Crawl-delay"  # as the site named it: Crawl-delay or Request-rate

    def __str__(self) -> str:
        return f"{self.field}, line {self.line_number}"


def asked_delay(name: str, value: str, line_number: int) -> CrawlDelay | None:
    """The delay that a record asks for; None where it makes no sense, or is about other things."""
    if name == "request-rate":
        return _request_rate(value, line_number)
    return _crawl_delay(value, line_number) if name.startswith("crawl") else None


def _crawl_delay(value: str, line_number: int) -> CrawlDelay | None:
    """The delay of a `Crawl-delay: 10`; None where the value is no number of seconds."""
    found = _CRAWL_DELAY.fullmatch(value)
    if not found:
        return None
    return CrawlDelay(min(float(found[1]), MAX_DELAY_SECONDS), line_number)


def _request_rate(value: str, line_number: int) -> CrawlDelay | None:
    """The delay that keeps to a `Request-rate: 1/10m`: ten minutes for one page.

    The hours of the day for which a rate may be limited are read over: keeping
    to it all day is slower, and never wrong.
    """
    found = _REQUEST_RATE.fullmatch(value)
    if not found or not int(found[1]):
        return None
    seconds = float(found[2]) * _UNIT_SECONDS[found[3].lower()] / int(found[1])
    return CrawlDelay(min(seconds, MAX_DELAY_SECONDS), line_number, "Request-rate")
