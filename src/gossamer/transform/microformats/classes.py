"""Interprets a class attribute for microformats, given the item around its element."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.transform.microformats.classic import CLASSIC_ROOTS, FORMATS, Property, Rule

# A vendor prefix (letters and digits) is allowed once; all other words are of letters alone.
_NAME: Final = re.compile(r"(h|p|u|dt|e)-((?:[a-z0-9]+-)?[a-z]+(?:-[a-z]+)*)")
_BLANKS: Final = re.compile(r"[ \t\n\f\r]+")
# Pages repeat their class attributes, and sites their pages; but not endless ones.
_LONGEST_KEPT: Final = 512

# Heights in style sheets (Tailwind and its kin) that are spelled like roots. By the letter
# they would be items, and would take the properties away from the item around them.
HEIGHTS: Final = frozenset(
    f"h-{word}"
    for word in (
        *("auto", "fit", "full", "half", "lh", "max", "min", "px", "screen"),
        *("dvh", "dvw", "lvh", "lvw", "svh", "svw"),
    )
)


class Around(NamedTuple):
    """The context of an element that its names depend on."""

    item: bool  # whether there is an item at all
    classic: tuple[str, ...]  # its roots, if it is a classic one; other rules hold for these


class RootNames(NamedTuple):
    """The root class names of an item."""

    types: tuple[str, ...]  # h-…, sorted
    inside: Around  # what it is to the elements within
    authored: bool  # whether the page names it; else a rule for classic properties does


class Names(NamedTuple):
    """The roles of an element: item, property, or both."""

    properties: tuple[Property, ...]  # of the item around it
    root: RootNames | None  # an item itself
    value: bool  # `value`, or `value-title`: …
    value_title: bool  # … the value stands in the title


def may_have_roles(classes: str) -> bool:
    """Whether a class attribute may give its element a role in an item, whatever is around it."""
    return len(classes) > _LONGEST_KEPT or _kept_possibility(classes)


def names_of(classes: str, rels: tuple[str, ...], around: Around) -> Names | None:
    """The roles of an element with these attributes; None if it has none."""
    if len(classes) > _LONGEST_KEPT:
        return _names(classes, rels, around)
    return _kept_names(classes, rels, around)


def _names(classes: str, rels: tuple[str, ...], around: Around) -> Names | None:
    tokens = dict.fromkeys(_BLANKS.split(classes))
    matches = [match for token in tokens if "-" in token and (match := _NAME.fullmatch(token))]
    rules = list(_rules(tokens, rels, around.classic))
    properties: Iterable[Property] = (rule.property for rule in rules)
    if around.item and not around.classic:
        properties = (Property(match[1], match[2]) for match in matches if match[1] != "h")
    roots = (match[0] for match in matches if match[1] == "h" and match[0] not in HEIGHTS)
    value_title = "value-title" in tokens
    names = Names(
        tuple(dict.fromkeys(properties)),
        _root(tuple(sorted(roots)), tokens, rules),
        value_title or "value" in tokens,
        value_title,
    )
    return names if any(names) else None


_OTHER_NAMES: Final = frozenset(
    (
        "value",
        "value-title",
        *CLASSIC_ROOTS,
        *(name for each in FORMATS.values() for name in each.rules),
    )
)


@lru_cache(maxsize=8192)
def _kept_possibility(classes: str) -> bool:
    tokens = _BLANKS.split(classes)
    return any(token in _OTHER_NAMES or _NAME.fullmatch(token) for token in tokens)


_kept_names: Final = lru_cache(maxsize=8192)(_names)


def _rules(
    tokens: Iterable[str], rels: tuple[str, ...], classic: tuple[str, ...]
) -> Iterable[Rule]:
    formats = [FORMATS[name] for name in classic]
    by_class = [
        format_.rules[token] for format_ in formats for token in tokens if token in format_.rules
    ]
    yield from by_class
    # A link that is a tag and says so in its class, too, says it once: by its class.
    said = {rule.property.name for rule in by_class}
    for format_ in formats:
        by_rel = (format_.rels[rel] for rel in rels if rel in format_.rels)
        yield from (rule for rule in by_rel if rule.property.name not in said)


def _root(types: tuple[str, ...], tokens: Iterable[str], rules: list[Rule]) -> RootNames | None:
    if types:
        return RootNames(types, Around(True, ()), True)
    named = tuple(token for token in tokens if token in CLASSIC_ROOTS)
    classic = named or tuple(dict.fromkeys(rule.root for rule in rules if rule.root is not None))
    if not classic:
        return None
    types = tuple(sorted(FORMATS[name].type for name in classic))
    return RootNames(types, Around(True, classic), bool(named))
