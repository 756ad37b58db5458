"""What a site says about the use of its content: TDMRep and Content-Usage.

Nothing is decided here. Each signal becomes a record, ready to be stated about
the page it concerns, for whoever uses the graph later to honour.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

MAX_VALUE: Final = 2048  # characters of a value that we keep: a policy's URL fits
MAX_PREFERENCES: Final = 64  # of one Content-Usage value; the vocabulary has a handful

# A member of the structured-field dictionary: `train-ai=n`, with parameters read over.
_PREFERENCE = re.compile(
    r"\s*([a-z*][a-z0-9_.*-]*)\s*=\s*([a-z]+)\s*(?:;.*)?", re.ASCII | re.IGNORECASE
)

_TDM_PREDICATES: Final = {"tdm-reservation": "tdmReservation", "tdm-policy": "tdmPolicy"}
_CONTENT_USAGE: Final = "content-usage"


@dataclass(frozen=True, slots=True)
class ContentUsage:
    """One Content-Usage line of a robots.txt: which paths, and what is preferred there."""

    pattern: str  # of the paths it concerns, as in a rule; `/` where the line names none
    preferences: tuple[tuple[str, str], ...]  # ("train-ai", "n"), in the order of the line
    line_number: int


@dataclass(frozen=True, slots=True)
class UsageStatement:
    """One thing that is said about the use of a page; `predicate` and `value` as in a quad."""

    predicate: str  # tdmReservation, tdmPolicy or contentUsage
    value: str  # "1", a policy's URL as written, "train-ai=n"
    source: Literal["header", "meta", "robots.txt"]


def usage_statements(
    headers: Iterable[tuple[str, str]] = (),
    metas: Iterable[tuple[str, str]] = (),
    robots: Iterable[ContentUsage] = (),
) -> tuple[UsageStatement, ...]:
    """All that a page's headers, its meta elements and its robots.txt say, each thing once.

    Headers and meta elements come as pairs of name and value, in any case; those
    that say nothing about usage may be among them. `robots` are the lines that
    concern the page (`RobotsPolicy.content_usage_for`).
    """
    statements = [
        *(s for name, value in headers for s in _stated(name, value, "header")),
        *(s for name, value in metas for s in _stated(name, value, "meta")),
        *(
            UsageStatement("contentUsage", f"{category}={preference}", "robots.txt")
            for usage in robots
            for category, preference in usage.preferences
        ),
    ]
    return tuple(dict.fromkeys(statements))


def content_usage(value: str, line_number: int) -> ContentUsage | None:
    """The Content-Usage of a robots.txt line; None where it states no preference.

    A value may begin with the pattern of the paths it is about: `/ai-ok/ train-ai=y`.
    """
    pattern, preferences = "/", value
    if value.startswith(("/", "*")):
        pattern, _, preferences = value.replace("\t", " ").partition(" ")
    pairs = content_preferences(preferences)
    return ContentUsage(pattern, pairs, line_number) if pairs else None


def content_preferences(value: str) -> tuple[tuple[str, str], ...]:
    """The preferences of a Content-Usage value in lower case; members of any other form are left out."""
    members = value.split(",", MAX_PREFERENCES)[:MAX_PREFERENCES]
    found = (_PREFERENCE.fullmatch(member) for member in members)
    return tuple((pair[1].lower(), pair[2].lower()) for pair in found if pair)


def _stated(name: str, value: str, source: Literal["header", "meta"]) -> Iterator[UsageStatement]:
    name, value = name.strip().lower(), value.strip()
    if name == _CONTENT_USAGE:
        for category, preference in content_preferences(value):
            yield UsageStatement("contentUsage", f"{category}={preference}", source)
    elif name in _TDM_PREDICATES and _tdm_value_is_right(name, value):
        yield UsageStatement(_TDM_PREDICATES[name], value, source)


def _tdm_value_is_right(name: str, value: str) -> bool:
    """A reservation is 0 or 1; a policy is an address, kept as written for its page to resolve."""
    if name == "tdm-reservation":
        return value in ("0", "1")
    return 0 < len(value) <= MAX_VALUE and value.isprintable() and " " not in value
