"""What a site says about the use of its content: TDMRep and Content-Usage. Pure.

Nothing is decided here. Each signal becomes a value with its source, ready to be stated about
the page it concerns, for whoever uses the graph later to honour.

A site's `/.well-known/tdmrep.json` (TDMRep, "TDM File on the Origin Server") is a JSON array of objects,
each with a path pattern as in robots.txt; the first that matches counts. The file is a stranger's:
whatever is wrong with it, it says nothing, and nothing raises.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, Literal, Self

from gossamer.model import Url
from gossamer.politeness.robots.matcher import PathPattern, compared_places
from gossamer.urls.parts import path_of

MAX_VALUE: Final = 2048  # characters of a value that we keep: a policy's URL fits
MAX_PREFERENCES: Final = 64  # of one Content-Usage value; the vocabulary has a handful
MAX_STATEMENTS: Final = 64  # about one page; a page that means it has two or three
# A member of the structured-field dictionary: `train-ai=n`, with parameters read over.
_PREFERENCE = re.compile(
    r"\s*([a-z*][a-z0-9_.*-]*)\s*=\s*([a-z]+)\s*(?:;.*)?", re.ASCII | re.IGNORECASE
)
Signal = Literal["tdm-reservation", "tdm-policy", "content-usage"]
Source = Literal["header", "meta", "robots.txt", "tdmrep.json"]
OF_THE_SITE: Final = frozenset[Source]({"robots.txt", "tdmrep.json"})
"""Sources that are read beside the page: they may change while its content stays."""
_SIGNALS: Final[dict[str, Signal]] = {
    "tdm-reservation": "tdm-reservation",
    "tdm-policy": "tdm-policy",
    "content-usage": "content-usage",
}
TDMREP_PATH: Final = "/.well-known/tdmrep.json"
MAX_TDMREP_BYTES: Final = 32 * 1024  # some hundred rules; most files have one
MAX_TDM_RULES: Final = 256  # each may be compared with every page


@dataclass(frozen=True, slots=True)
class ContentUsage:
    """One Content-Usage line of a robots.txt: which paths, and what is preferred there."""

    pattern: str  # of the paths it concerns, as in a rule; `/` where the line names none
    preferences: tuple[tuple[str, str], ...]  # ("train-ai", "n"), in the order of the line
    line_number: int


@dataclass(frozen=True, slots=True)
class UsageStatement:
    """One thing that is said about the use of a page, and where."""

    signal: Signal
    value: str  # "1", a policy's URL as written, "train-ai=n"
    source: Source


def page_usage(
    headers: Iterable[tuple[str, str]] = (), metas: Iterable[tuple[str, str]] = ()
) -> tuple[UsageStatement, ...]:
    """What a page's headers and meta elements say about its use, each thing once.

    Both come as pairs of name and value, in any case; those that say nothing about usage may be
    among them.
    """
    return few(chain(_stated(headers, "header"), _stated(metas, "meta")))


def robots_usage(lines: Iterable[ContentUsage]) -> tuple[UsageStatement, ...]:
    """What the Content-Usage lines of a robots.txt say that concern a page, each thing once."""
    return few(
        UsageStatement("content-usage", f"{category}={preference}", "robots.txt")
        for usage in lines
        for category, preference in usage.preferences
    )


@dataclass(frozen=True, slots=True)
class TdmRule:
    """One object of the file: which paths it is about, and what it says of them."""

    pattern: PathPattern
    statements: tuple[UsageStatement, ...]


@dataclass(frozen=True, slots=True)
class TdmFile:
    """All rules of a file, in their order."""

    rules: tuple[TdmRule, ...] = ()

    @classmethod
    def parse(cls, body: bytes, origin: str) -> Self:
        """The rules of an origin's file; none where it is too large, or no JSON array."""
        if len(body) > MAX_TDMREP_BYTES:
            return cls()
        try:
            entries = json.loads(body.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return cls()
        return cls(tuple(islice(_tdm_rules(entries, origin), MAX_TDM_RULES)))

    def usage_of(self, url: Url) -> tuple[UsageStatement, ...]:
        """What the first rule that matches a URL of the origin says."""
        if not self.rules:
            return ()
        paths = compared_places(path_of(url))
        matching = (rule.statements for rule in self.rules if rule.pattern.matches(paths))
        return next(matching, ())


NOTHING_RESERVED: Final = TdmFile()


def statements_of(signal: Signal, value: str, source: Source) -> Iterator[UsageStatement]:
    """The statements that one value makes; none where it makes no sense."""
    value = value.strip()
    if signal == "content-usage":
        for category, preference in content_preferences(value):
            yield UsageStatement(signal, f"{category}={preference}", source)
    elif _tdm_value_is_right(signal, value):
        yield UsageStatement(signal, value, source)


def few(statements: Iterable[UsageStatement]) -> tuple[UsageStatement, ...]:
    """The first statements, each once: no page has us keep more."""
    return tuple(dict.fromkeys(islice(statements, MAX_STATEMENTS)))


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


def _stated(pairs: Iterable[tuple[str, str]], source: Source) -> Iterator[UsageStatement]:
    for name, value in pairs:
        if (signal := _SIGNALS.get(name.strip().lower())) is not None:
            yield from statements_of(signal, value, source)


def _tdm_value_is_right(signal: Signal, value: str) -> bool:
    """Whether a reservation is 0 or 1; or a policy an address, as written, for its page to resolve."""
    if signal == "tdm-reservation":
        return value in ("0", "1")
    return 0 < len(value) <= MAX_VALUE and value.isprintable() and " " not in value


def _tdm_rules(entries: object, origin: str) -> Iterator[TdmRule]:
    if not isinstance(entries, list):
        return
    for entry in entries:
        location = entry.get("location") if isinstance(entry, dict) else None
        if not isinstance(location, str):
            continue
        path = location.removeprefix(origin)  # some write whole addresses
        if path.startswith(("/", "*")):
            octets = path.encode("utf-8", "replace").decode("latin-1")
            yield TdmRule(PathPattern(octets), tuple(_tdm_statements(entry)))


def _tdm_statements(entry: dict[str, Any]) -> Iterator[UsageStatement]:
    """What an object says; any other value than 0 and 1 counts as none, by TDMRep."""
    reservation, policy = entry.get("tdm-reservation"), entry.get("tdm-policy")
    if isinstance(reservation, int) and not isinstance(reservation, bool):
        yield from statements_of("tdm-reservation", str(reservation), "tdmrep.json")
    if isinstance(policy, str):
        yield from statements_of("tdm-policy", policy, "tdmrep.json")
