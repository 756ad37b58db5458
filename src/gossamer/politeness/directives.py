"""What a page asks of those who read it: X-Robots-Tag headers and robots meta elements.

The most restrictive statement wins, whoever it is addressed to among those that
concern us, and whatever its case and spacing. Reading HTML is left to others:
meta elements come as pairs of name and content.
"""

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.moments import http_date, read_moment

EVERY_ROBOT: Final = "robots"

# One word of a value: a date to come with its commas, or a word that may be an agent's name
# (`gossamer: noindex`) or carry a value of its own (`max-snippet:-1`).
_STATEMENT = re.compile(
    r"unavailable_after\s*[:=]\s*(?P<date>(?:[a-z]{3,9},)?[^,;]*(?:,\s*\d[^,;]*)?)"
    r"|(?P<word>[a-z0-9_.*-]+)(?:\s*(?P<colon>:))?",
    re.ASCII | re.IGNORECASE,
)
_NUMBERED: Final = frozenset({"max-snippet", "max-image-preview", "max-video-preview"})
_MEANINGS: Final = {
    "noindex": ("noindex",),
    "nofollow": ("nofollow",),
    "noarchive": ("noarchive",),
    "nocache": ("noarchive",),  # as Bing calls it
    "nosnippet": ("nosnippet",),
    "none": ("noindex", "nofollow"),
}


@dataclass(frozen=True, slots=True)
class Directives:
    """What we may not do with a page."""

    noindex: bool = False  # keep it out of the graph
    nofollow: bool = False  # ignore its links
    noarchive: bool = False  # keep it out of the archive
    nosnippet: bool = False  # show no excerpt of it
    unavailable_after: datetime | None = None  # from then on, as noindex; the earliest said


def page_directives(
    headers: Iterable[str], metas: Iterable[tuple[str, str]], agent: str, now: datetime
) -> Directives:
    """The directives for an agent in X-Robots-Tag values and meta elements (name, content)."""
    names = {EVERY_ROBOT, agent.lower()}
    said = [statement for value in headers for statement in _for_us(value, names)]
    for name, content in metas:
        if name.strip().lower() in names:
            said.extend(_for_us(content, names))
    dates = [date for _, date in said if date is not None]
    return _combined({word for word, _ in said}, min(dates, default=None), now)


def words_for(value: str, names: Set[str]) -> Iterator[str]:
    """The words of a value for agents of these names, in lower case."""
    return (word for word, date in _for_us(value, names) if date is None)


def _combined(words: set[str], unavailable_after: datetime | None, now: datetime) -> Directives:
    asked = {meaning for word in words for meaning in _MEANINGS.get(word, ())}
    gone = unavailable_after is not None and unavailable_after <= now
    return Directives(
        noindex=gone or "noindex" in asked,
        nofollow="nofollow" in asked,
        noarchive="noarchive" in asked,
        nosnippet="nosnippet" in asked,
        unavailable_after=unavailable_after,
    )


def _for_us(value: str, names: Set[str]) -> Iterator[tuple[str, datetime | None]]:
    """The words of a value that concern us, and the dates of those that have one.

    What follows an agent's name is for that agent, up to the next name.
    """
    ours = True
    for found in _STATEMENT.finditer(value):
        if found["date"] is not None:
            if ours:
                yield "unavailable_after", _date(found["date"])
        elif not found["colon"]:
            if ours:
                yield found["word"].lower(), None
        elif found["word"].lower() not in _NUMBERED:
            ours = found["word"].lower() in names


def _date(text: str) -> datetime | None:
    """A date in any of the forms that are in use; one without a zone is UTC; None for nonsense."""
    text = text.strip()
    return read_moment(datetime.fromisoformat, text) or http_date(text)
