"""Profiles: what somebody requires and recommends of things of some types, as data in `profiles/*.toml`. Pure.

A requirement is a property, a path of properties (`offers.price`), or several of them of which one will do, between bars.
Each profile names its source and the day that its facts are of.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary import subclasses

FOLDER: Final = "profiles"
SUFFIX: Final = ".toml"
SCHEMA: Final = PREFIXES["schema"]

PropertyPath = tuple[str, ...]  # IRIs, from the thing outwards


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that a thing ought to have: a value at the end of one of these paths."""

    words: str  # as the profile writes it
    paths: tuple[PropertyPath, ...]
    is_required: bool


@dataclass(frozen=True, slots=True)
class ProfileFeature:
    """What is required of things of some types: everywhere, or where another thing leads to them."""

    name: str
    source: str
    classes: frozenset[str]  # with all below them
    of: frozenset[str]  # classes of the things that lead there; empty: anywhere
    via: frozenset[str]  # and by which properties
    only_with: tuple[str, ...]  # properties of which a thing has one, if it is meant
    is_of_page: bool  # what is said of the page itself
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class ReportProfile:
    """A profile by its name."""

    name: str
    title: str
    source: str
    as_of: date
    features: tuple[ProfileFeature, ...]


@cache
def profile_names() -> tuple[str, ...]:
    """The names of all profiles."""
    found = (each.name for each in files(__package__).joinpath(FOLDER).iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


@cache
def load_profile(name: str) -> ReportProfile:
    """The profile of this name; `KeyError` where there is none."""
    if name not in profile_names():
        raise KeyError(name)
    text = files(__package__).joinpath(FOLDER, name + SUFFIX).read_text(encoding="utf-8")
    return read_profile(name, text)


def read_profile(name: str, text: str) -> ReportProfile:
    """The profile that a text of TOML tells."""
    told = tomllib.loads(text)
    names = _Names(told.get("prefixes", {}))
    features = tuple(_feature(each, told["source"], names) for each in told["feature"])
    return ReportProfile(name, told["title"], told["source"], told["as_of"], features)


class _Names:
    """Names of a profile to IRIs: those without a prefix are schema.org's."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = {**PREFIXES, **prefixes}

    def iri(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        return self._prefixes[prefix] + local if colon else SCHEMA + name

    def iris(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.iri(name) for name in names)

    def classes(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(subclasses(self.iri(name)) for name in names))


def _feature(told: Mapping[str, Any], source: str, names: _Names) -> ProfileFeature:
    wanted = [(words, True) for words in told.get("required", ())]
    wanted += [(words, False) for words in told.get("recommended", ())]
    return ProfileFeature(
        name=told["name"],
        source=told.get("source", source),
        classes=names.classes(told.get("types", ())),
        of=names.classes(told.get("of", ())),
        via=frozenset(names.iris(told.get("via", ()))),
        only_with=names.iris(told.get("only_with", ())),
        is_of_page=told.get("of_page", False),
        requirements=tuple(
            Requirement(words, _paths(words, names), required) for words, required in wanted
        ),
    )


def _paths(words: str, names: _Names) -> tuple[PropertyPath, ...]:
    return tuple(names.iris(_steps(each.strip())) for each in words.split("|"))


def _steps(path: str) -> Sequence[str]:
    return path.split(".")
