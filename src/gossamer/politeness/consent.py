"""Consent: whether a page may be used for a purpose, by all that its site and the page itself say. Pure.

    statements (`usage.py`) ──▶ preferences: a purpose, allowed or not ──▶ one answer for each purpose

Words of all vocabularies are mapped to purposes by one table, since the drafts still move. Sources are combined as
the IETF's draft has it (draft-ietf-aipref-vocab, section 5.1): what one of them disallows is disallowed, else what one
allows is allowed, else nobody knows. Within one source, a word for a single use outweighs a word for all uses
(`all=n, search=y`), whatever their order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, Literal

from gossamer.errors import ConfigError
from gossamer.model import Refusal
from gossamer.politeness.usage import PREFERENCES, UsageStatement


class Purpose(StrEnum):
    """What content may be used for."""

    SEARCH = "search"  # an index whose results lead to the page
    AI_INPUT = "ai-input"  # given to a model to answer with
    AI_INDEX = "ai-index"  # kept in an index for models
    TRAIN_AI = "train-ai"  # models learn from it
    TEXT_MINING = "text-mining"  # analysed by programs, in the sense of the directive (EU) 2019/790


def read_purposes(words: Iterable[str]) -> tuple[Purpose, ...]:
    """The purposes that a setting names; raises `ConfigError` for a word that is none, and for none at all."""
    found = []
    for word in words:
        if word not in Purpose.__members__.values():
            near = get_close_matches(word, [str(each) for each in Purpose], 1, 0.5)
            meant = f"; did you mean {near[0]!r}?" if near else f": {', '.join(Purpose)}."
            raise ConfigError(f"{word!r} is not a purpose that sites speak of{meant}")
        found.append(Purpose(word))
    if not found:
        raise ConfigError(
            f"A crawl is for something: name at least one purpose of {', '.join(Purpose)}."
        )
    return tuple(dict.fromkeys(found))


_EVERY: Final = frozenset(Purpose)
_AI: Final = frozenset({Purpose.AI_INPUT, Purpose.AI_INDEX, Purpose.TRAIN_AI})
_TRAINING: Final = frozenset({Purpose.TRAIN_AI})
_INPUT: Final = frozenset({Purpose.AI_INPUT})
_MINING: Final = frozenset({Purpose.TEXT_MINING, Purpose.TRAIN_AI})

# Words with one joint between their parts. The IETF's drafts up to 07, Content Signals, RSL 1.0, and how people
# write them.
CATEGORIES: Final[Mapping[str, frozenset[Purpose]]] = {
    "search": frozenset({Purpose.SEARCH}),
    "search-index": frozenset({Purpose.SEARCH}),
    "indexing": frozenset({Purpose.SEARCH}),
    "train-ai": _TRAINING,
    "ai-train": _TRAINING,
    "ai-training": _TRAINING,
    "training": _TRAINING,
    "train": _TRAINING,
    "train-genai": _TRAINING,
    "genai": _TRAINING,
    "ai-use": _INPUT,
    "ai-input": _INPUT,
    "ai-output": _INPUT,
    "search-ai": _INPUT,
    "ai-search": _INPUT,
    "rag": _INPUT,
    "grounding": _INPUT,
    "ai-index": frozenset({Purpose.AI_INDEX}),
    "ai": _AI,
    "ai-all": _AI,
    "tdm": _MINING,
    "text-mining": _MINING,
    "text-and-data-mining": _MINING,
    "all": _EVERY,
    "bots": _EVERY,
    "*": _EVERY,
}
_SPECIFIED: Final = frozenset(
    {"search", "train-ai", "ai-use", "ai-train", "ai-input", "ai-index", "ai-all", "all"}
)
_YES: Final = frozenset({"y", "yes", "allow", "allowed", "true", "on"})
_NO: Final = frozenset({"n", "no", "disallow", "disallowed", "deny", "false", "off", "none"})

Value = Literal["allowed", "disallowed", "unknown"]


@dataclass(frozen=True, slots=True)
class PurposeAnswer:
    """Whether a page may be used for a purpose, and on whose word."""

    purpose: Purpose
    value: Value
    by: UsageStatement | None = None  # the statement that decided

    def __str__(self) -> str:
        return f"{self.purpose}: {self.value}" + (f" ({self.by})" if self.by else "")


@dataclass(frozen=True, slots=True)
class Preference:
    """One purpose that a statement allows or disallows."""

    purpose: Purpose
    allowed: bool
    breadth: int  # of the word that says so: how many purposes it covers
    by: UsageStatement


def consent(statements: Iterable[UsageStatement]) -> dict[Purpose, PurposeAnswer]:
    """The answer for each purpose, from everything that is said about the use of a page."""
    answers = {purpose: PurposeAnswer(purpose, "unknown") for purpose in Purpose}
    for preference in _of_each_source(statements):
        purpose = preference.purpose
        if not preference.allowed and answers[purpose].value != "disallowed":
            answers[purpose] = PurposeAnswer(purpose, "disallowed", preference.by)
        elif answers[purpose].value == "unknown":
            answers[purpose] = PurposeAnswer(purpose, "allowed", preference.by)
    return answers


def objection(statements: Sequence[UsageStatement], purposes: Iterable[str]) -> Refusal | None:
    """Why a page is not for us: all our purposes are disallowed; None where one is not."""
    if not statements:
        return None
    answers = consent(statements)
    ours = [answers[Purpose(purpose)] for purpose in dict.fromkeys(purposes)]
    if any(answer.value != "disallowed" for answer in ours):
        return None
    reasons = "; ".join(f"{answer.purpose} by {answer.by}" for answer in ours)
    notes = dict.fromkeys(answer.by.note for answer in ours if answer.by and answer.by.note)
    return Refusal(
        "consent", f"Its site disallows what the crawl is for: {' '.join([f'{reasons}.', *notes])}"
    )


def preferences_of(statement: UsageStatement) -> Iterator[Preference]:
    """What a statement says of each purpose; nothing where its words are not known."""
    match statement.signal:
        case "tdm-reservation":
            yield from _preferences(_MINING, statement.value == "0", statement)
        case "no-ai":
            yield from _preferences(_AI, False, statement)
        case signal if signal in PREFERENCES:
            category, _, value = statement.value.partition("=")
            covered = CATEGORIES.get(_joined(category))
            if covered is not None and value in _YES | _NO:
                yield from _preferences(covered, value in _YES, statement)


def reading(statement: UsageStatement) -> str:
    """How a statement was read, where it is not written as specified; empty where it is."""
    notes = [statement.note] if statement.note else []
    if statement.signal in PREFERENCES:
        category, _, value = statement.value.partition("=")
        if (covered := CATEGORIES.get(_joined(category))) is None or value not in _YES | _NO:
            notes.append(f"{statement.value!r} is not known, and says nothing.")
        elif category not in _SPECIFIED:
            notes.append(f"{category!r} is read as {', '.join(sorted(covered))}.")
    return " ".join(notes)


def _of_each_source(statements: Iterable[UsageStatement]) -> Iterator[Preference]:
    """The preferences that count: of each source and purpose, those of the narrowest words."""
    preferences = [each for statement in statements for each in preferences_of(statement)]
    narrowest: dict[tuple[str, str, Purpose], int] = {}
    for each in preferences:
        key = (each.by.source, each.by.signal, each.purpose)
        narrowest[key] = min(each.breadth, narrowest.get(key, each.breadth))
    for each in preferences:
        if each.breadth == narrowest[each.by.source, each.by.signal, each.purpose]:
            yield each


def _preferences(
    covered: frozenset[Purpose], allowed: bool, by: UsageStatement
) -> Iterator[Preference]:
    return (Preference(purpose, allowed, len(covered), by) for purpose in covered)


def _joined(category: str) -> str:
    return category.replace("_", "-")
