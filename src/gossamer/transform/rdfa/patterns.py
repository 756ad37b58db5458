"""Patterns of HTML+RDFa, section 3.5: what `rdfa:copy` takes over from a thing of class `rdfa:Pattern`."""

from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.transform.document import Item
from gossamer.transform.rdfa.context import RDFA
from gossamer.transform.terms import A, Term, Triple, known, triple

_COPY: Final = known(f"{RDFA}copy")
_PATTERN: Final = known(f"{RDFA}Pattern")
MOST_PATTERNS: Final = 1_000  # that one thing copies, directly or through others

Said = dict[Term, list[tuple[Term, Term]]]


def copied(items: Iterable[Item]) -> Iterator[Item]:
    """The statements with patterns copied; those that were copied say nothing themselves."""
    kept = list(items)
    said = _said_by_subject(kept)
    patterns = {subject for subject, pairs in said.items() if (A, _PATTERN) in pairs}
    used = {
        target
        for pairs in said.values()
        for predicate, target in pairs
        if predicate == _COPY and target in patterns
    }
    for item in kept:
        if not isinstance(item, str):
            yield item
            continue
        subject, predicate, object_ = parts(item)
        if predicate == _COPY and object_ in patterns:
            if subject not in used:
                yield from _taken_over(subject, object_, said, patterns)
        elif subject not in used:
            yield item


def parts(statement: Triple) -> tuple[Term, Term, Term]:
    """The three terms of a triple: the first two hold no space."""
    subject, predicate, object_ = statement.split(" ", 2)
    return Term(subject), Term(predicate), Term(object_)


def _said_by_subject(items: Iterable[Item]) -> Said:
    said: Said = {}
    for item in items:
        if isinstance(item, str):
            subject, predicate, object_ = parts(item)
            said.setdefault(subject, []).append((predicate, object_))
    return said


def _taken_over(subject: Term, pattern: Term, said: Said, patterns: set[Term]) -> Iterator[Triple]:
    """What a pattern says, and what the patterns say that it copies in turn."""
    todo, seen = [pattern], {pattern}
    while todo:
        for predicate, object_ in said[todo.pop()]:
            if predicate == _COPY and object_ in patterns:
                if object_ not in seen and len(seen) < MOST_PATTERNS:
                    seen.add(object_)
                    todo.append(object_)
            elif (predicate, object_) != (A, _PATTERN):
                yield triple(subject, predicate, object_)
