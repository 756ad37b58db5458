"""Documents brought in step with the graph: of everything that was said otherwise, and nothing else.

What is written follows from the state of the graph, not from what changed in it. So doing it twice, or
again after a crash, or all at once (`gossamer reindex`), comes to the same documents.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from gossamer.index.entities import Said, entity_of, home_of
from gossamer.index.words.folder import Words
from gossamer.index.words.statements import Statements

AT_ONCE: Final = 2_000  # subjects, whose statements are in memory together
SLOW_SECONDS: Final = 0.02  # what takes longer is not done each time
REST: Final = 20  # times as long as it took, before it is done again


@dataclass(slots=True)
class Pace:
    """What took long, when it was done last: the house that stands on every page of a site.

    It is put off, so that it does not take up all our time, and never left out.
    """

    now: Callable[[], float] = time.monotonic
    _due: dict[str, float] = field(default_factory=dict)

    def is_due(self, iri: str) -> bool:
        """Whether it may be done now."""
        return iri not in self._due or self.now() >= self._due[iri]

    def took(self, iri: str, seconds: float) -> None:
        """Note how long it took."""
        if seconds >= SLOW_SECONDS:
            self._due[iri] = self.now() + REST * seconds


class Refreshing:
    """Brings documents in step with one snapshot of the graph."""

    def __init__(self, statements: Statements, words: Words, pace: Pace | None = None) -> None:
        self._statements = statements
        self._words = words
        self._members = words.members
        self._pace = pace  # None: nothing is put off
        self._read: dict[str, list[Said]] = {}

    def refresh(self, touched: Iterable[str]) -> Iterator[int]:
        """Make the documents anew of all these, and of those they were or are gathered with.

        Yields how many were done so far. To be committed.
        """
        rest, done = iter(touched), 0
        while some := list(islice(rest, AT_ONCE)):
            begun = self._due(some)
            homes = self._gathered(begun)
            # What was begun is brought to its end, however long it took so far.
            self._write([*begun, *self._due(homes.difference(begun))])
            self._read.clear()
            done += len(some)
            yield done

    def _due(self, iris: Iterable[str]) -> list[str]:
        """Those to be done now; the others are noted for later."""
        if self._pace is None:
            return list(iris)
        due = {iri: self._pace.is_due(iri) for iri in iris}
        self._members.put_off(iri for iri, is_due in due.items() if not is_due)
        return [iri for iri, is_due in due.items() if is_due]

    def _gathered(self, subjects: Sequence[str]) -> set[str]:
        """Have subjects be gathered where they belong; the homes where they were and are."""
        elsewhere = self._members.elsewhere(subjects)
        homes = set(elsewhere.values())
        for subject in subjects:
            started = time.perf_counter()
            said = self._about(subject)
            home = home_of(subject, said) if said else subject
            if home != elsewhere.get(subject, subject):
                self._members.move(subject, home)
            homes.add(home)
            self._took(subject, started)
        return homes

    def _write(self, homes: Sequence[str]) -> None:
        """Make the documents of these homes anew."""
        elsewhere, gathered = self._members.elsewhere(homes), self._members.of(homes)
        for home in homes:
            started = time.perf_counter()
            own = () if home in elsewhere else (home,)
            subjects = (*gathered.get(home, ()), *own)
            said = {subject: about for subject in subjects if (about := self._about(subject))}
            links = self._statements.links_to(said) if said else 0
            self._words.put(home, entity_of(home, said, links) if said else None)
            self._took(home, started)

    def _about(self, subject: str) -> list[Said]:
        said = self._read.get(subject)
        if said is None:
            said = self._read[subject] = self._statements.about(subject)
        return said

    def _took(self, iri: str, started: float) -> None:
        if self._pace is not None:
            self._pace.took(iri, time.perf_counter() - started)
