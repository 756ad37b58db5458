"""Signals about the use of content: Content-Usage, Content-Signal, TDMRep and `noai`. Pure.

Nothing is decided here: `consent.py` does that. Each signal becomes a value with its source, ready to be
stated about the page it concerns, for whoever uses the graph later to honour.

A site's `/.well-known/tdmrep.json` (TDMRep, "TDM File on the Origin Server") is a JSON array of objects,
each with a path pattern as in robots.txt; the first that matches counts. The file is a stranger's:
whatever is wrong with it, it says nothing, and nothing raises.
"""

import json
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Final, Literal, Self

from gossamer.model import Url
from gossamer.politeness.directives import EVERY_ROBOT, words_for
from gossamer.politeness.robots.matcher import PathPattern, compared_places
from gossamer.urls.parts import path_of

MAX_VALUE: Final = 2048  # characters of a value that we keep: a policy's URL fits
MAX_PREFERENCES: Final = 64  # of one Content-Usage value; the vocabulary has a handful
MAX_STATEMENTS: Final = 64  # about one page; a page that means it has two or three
# A member of the structured-field dictionary: `train-ai=n`, with parameters read over.
_PREFERENCE = re.compile(
    r"\s*([a-z*][a-z0-9_.*-]*)\s*=\s*([a-z]+)\s*(?:;.*)?", re.ASCII | re.IGNORECASE
)
Signal = Literal[
    "tdm-reservation",
    "tdm-policy",
    "content-usage",
    "content-signal",
    "ai-training",
    "no-ai",
    "rsl",
]
Source = Literal["header", "meta", "robots.txt", "tdmrep.json", "rsl"]
OF_THE_SITE: Final = frozenset[Source]({"robots.txt", "tdmrep.json", "rsl"})
"""Sources that are read beside the page: they may change while its content stays."""
_SIGNALS: Final[dict[str, Signal]] = {
    "tdm-reservation": "tdm-reservation",
    "tdm-policy": "tdm-policy",
    "content-usage": "content-usage",
    "content-signal": "content-signal",
}
# Signals whose values are preferences: `train-ai=n`.
PREFERENCES: Final = frozenset[Signal]({"content-usage", "content-signal", "ai-training", "rsl"})
# Names of lines in robots.txt, without what people write between the words.
_LINES: Final[dict[str, Signal]] = {
    "contentusage": "content-usage",
    "contentsignal": "content-signal",
    "allowaitraining": "ai-training",
    "disallowaitraining": "ai-training",
}
_EXACT_NAMES: Final = frozenset(
    {"content-usage", "content-signal", "allowaitraining", "disallowaitraining"}
)
# Against the use by AI, as DeviantArt began it; `noimageai` is about pictures, which are left alone anyway.
_NO_AI: Final = frozenset({"noai"})
TDMREP_PATH: Final = "/.well-known/tdmrep.json"
MAX_TDMREP_BYTES: Final = 32 * 1024  # some hundred rules; most files have one
MAX_TDM_RULES: Final = 256  # each may be compared with every page


@dataclass(frozen=True, slots=True)
class UsageLine:
    """One line of a robots.txt about the use of content: which paths, and what is preferred there."""

    signal: Signal
    pattern: str  # of the paths it concerns, as in a rule; `/` where the line names none
    preferences: tuple[tuple[str, str], ...]  # ("train-ai", "n"), in the order of the line
    line_number: int
    note: str = ""  # how it was read, where it is not written as specified


@dataclass(frozen=True, slots=True)
class UsageStatement:
    """One thing that is said about the use of a page, and where."""

    signal: Signal
    value: str  # "1", a policy's URL as written, "train-ai=n"
    source: Source
    line: int | None = field(default=None, compare=False)  # of the source, where it has lines
    note: str = field(default="", compare=False)  # how it was read, where it is not as specified

    def __str__(self) -> str:
        where = self.source if self.line is None else f"line {self.line} of {self.source}"
        return f"{self.signal} {self.value}, {where}"


def page_usage(
    headers: Iterable[tuple[str, str]] = (),
    metas: Iterable[tuple[str, str]] = (),
    agent: str = EVERY_ROBOT,
) -> tuple[UsageStatement, ...]:
    """What a page's headers and meta elements say about its use, each thing once.

    Both come as pairs of name and value, in any case; those that say nothing about usage may be
    among them.
    """
    names = {EVERY_ROBOT, agent.lower()}
    return few(
        chain(
            _stated(headers, "header", {"x-robots-tag"}, names),
            _stated(metas, "meta", names, names),
        )
    )


def robots_usage(lines: Iterable[UsageLine]) -> tuple[UsageStatement, ...]:
    """What the lines of a robots.txt that concern a page say about its use, each thing once."""
    return few(
        UsageStatement(
            usage.signal, f"{category}={preference}", "robots.txt", usage.line_number, usage.note
        )
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
    if signal in PREFERENCES:
        for category, preference in content_preferences(value):
            yield UsageStatement(signal, f"{category}={preference}", source)
    elif _tdm_value_is_right(signal, value):
        yield UsageStatement(signal, value, source)


def few(statements: Iterable[UsageStatement]) -> tuple[UsageStatement, ...]:
    """The first statements, each once: no page has us keep more."""
    return tuple(dict.fromkeys(islice(statements, MAX_STATEMENTS)))


def usage_line(
    name: str, value: str, line_number: int, *, in_group: bool = True
) -> UsageLine | None:
    """What a line of a robots.txt says about the use of content; None where that is nothing.

    A value may begin with the pattern of the paths it is about: `/ai-ok/ train-ai=y`.
    """
    signal = _LINES.get(re.sub(r"[ _-]|s$", "", name))
    if signal is None:
        return None
    pattern, preferences = "/", value
    if value.startswith(("/", "*")):
        pattern, _, preferences = value.replace("\t", " ").partition(" ")
    if signal == "ai-training":
        pairs: tuple[tuple[str, str], ...] = (
            (("ai-train", "y" if name.startswith("allow") else "n"),) if value else ()
        )
    else:
        pairs = content_preferences(preferences)
    notes = []
    if name not in _EXACT_NAMES:
        notes.append(f"{name!r} is read as {signal!r}.")
    if not in_group:
        notes.append("It stands before the first User-agent line, and is read as for everyone.")
    return UsageLine(signal, pattern, pairs, line_number, " ".join(notes)) if pairs else None


def content_preferences(value: str) -> tuple[tuple[str, str], ...]:
    """The preferences of a Content-Usage value in lower case; members of any other form are left out."""
    members = value.split(",", MAX_PREFERENCES)[:MAX_PREFERENCES]
    found = (_PREFERENCE.fullmatch(member) for member in members)
    return tuple((pair[1].lower(), pair[2].lower()) for pair in found if pair)


def _stated(
    pairs: Iterable[tuple[str, str]], source: Source, fields: Set[str], agents: Set[str]
) -> Iterator[UsageStatement]:
    """Statements of headers or meta elements; `fields` are those that hold directives for robots."""
    for name, value in pairs:
        name = name.strip().lower()
        if (signal := _SIGNALS.get(name)) is not None:
            yield from statements_of(signal, value, source)
        elif name in fields:
            for word in _NO_AI.intersection(words_for(value, agents)):
                yield UsageStatement("no-ai", word, source)


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
