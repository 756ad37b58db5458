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
from gossamer.index.words.fresh import Spoken
from gossamer.index.words.statements import Statements

AT_ONCE: Final = 2_000  # subjects, whose statements are in memory together
SLOW_SECONDS: Final = 0.001  # what takes longer is not done each time …
REST_SECONDS: Final = 8.0  # … but after this time at the earliest, …
REST: Final = 20  # … and after so many times as long as it took
MOST_SLOW: Final = 10_000  # of which we know when they were done


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
            now = self.now()
            if len(self._due) >= MOST_SLOW:
                self._due = {slow: due for slow, due in self._due.items() if due > now}
            self._due[iri] = now + max(REST_SECONDS, REST * seconds)


class Refreshing:
    """Brings documents in step with one snapshot of the graph."""

    def __init__(self, statements: Statements, words: Words, pace: Pace | None = None) -> None:
        self._statements = statements
        self._words = words
        self._members = words.members
        self._pace = pace  # None: nothing is put off
        self._read: dict[str, list[Said]] = {}

    def refresh(self, touched: Iterable[str], fresh: Iterable[Spoken] = ()) -> Iterator[int]:
        """Make the documents anew of all these, and of those they were or are gathered with.

        What pages have just said about them (`fresh`) is read only where others speak of them too.
        Yields how many were done so far. To be committed.
        """
        left, done = dict.fromkeys(touched), 0
        for spoken in fresh:
            self._read.update((each, spoken[each]) for each in self._statements.alone(spoken))
            some = [each for each in self._read if each in left]
            for each in some:
                del left[each]
            self._refresh(some)
            yield (done := done + len(some))
        rest = iter(left)
        while some := list(islice(rest, AT_ONCE)):
            self._refresh(some)
            yield (done := done + len(some))

    def _refresh(self, some: Sequence[str]) -> None:
        begun = self._due(some)
        homes = self._gathered(begun)
        # What was begun is brought to its end, however long it took so far.
        self._write([*begun, *self._due(homes.difference(begun))])
        self._read.clear()

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
        members = self._those_at(homes)
        linked = self._statements.linked({each for those in members.values() for each in those})
        for home in homes:
            started = time.perf_counter()
            said = {each: about for each in members[home] if (about := self._about(each))}
            links = 0 if linked.isdisjoint(said) else self._statements.links_to(said)
            self._words.put(home, entity_of(home, said, links) if said else None)
            self._took(home, started)

    def _those_at(self, homes: Sequence[str]) -> dict[str, list[str]]:
        """The subjects that are gathered at each home."""
        elsewhere, gathered = self._members.elsewhere(homes), self._members.of(homes)
        return {
            home: [*gathered.get(home, ()), *(() if home in elsewhere else (home,))]
            for home in homes
        }

    def _about(self, subject: str) -> list[Said]:
        said = self._read.get(subject)
        if said is None:
            said = self._read[subject] = self._statements.about(subject)
        return said

    def _took(self, iri: str, started: float) -> None:
        if self._pace is not None:
            self._pace.took(iri, time.perf_counter() - started)
