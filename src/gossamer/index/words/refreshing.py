"""Documents brought in step with the graph: of everything that was said otherwise, and nothing else.

What is written follows from the state of the graph, not from what changed in it. So doing it twice, or
again after a crash, or all at once (`gossamer reindex`), comes to the same documents.
"""

import time
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from typing import Final

import pyoxigraph as ox
import tantivy

from gossamer.index.entities import Said, entity_of, home_of, said_of
from gossamer.index.entities.whereabouts import site_of_iri
from gossamer.index.graph.blanks import Blanks, Term
from gossamer.index.graph.page_diff import as_kept, is_kept_otherwise
from gossamer.index.words.documents import document
from gossamer.index.words.folder import Words
from gossamer.index.words.page_texts import (
    NO_TEXTS,
    PageTexts,
    entity_texts,
    may_be_page,
    page_entity,
)
from gossamer.index.words.skipped import AVOIDED, SkippedError, StepGuard
from gossamer.index.words.statements import Statements
from gossamer.index.words.throttle import SLOW_SECONDS, WordsThrottle

TEXTS_AT_ONCE: Final = 200  # homes, whose pages' texts are in memory together
PAGES_AT_ONCE: Final = 500  # whose statements are in memory together
_PLAIN: Final = frozenset((ox.NamedNode, ox.Literal))
Spoken = dict[str, list[Said]]
AHEAD: Final = 500  # subjects that are known to be asked about next
AT_ONCE: Final = 2_000  # subjects, whose statements are in memory together …
MOST_STATEMENTS: Final = 10_000  # … unless they are more than these


class Refreshing:
    """Brings documents in step with one snapshot of the graph."""

    def __init__(
        self,
        statements: Statements,
        words: Words,
        pace: WordsThrottle | None = None,
        guard: StepGuard | None = None,
        texts: PageTexts = NO_TEXTS,
    ) -> None:
        self._statements = statements
        self._texts = texts
        self._words = words
        self._members = words.members
        self._pace = pace  # None: nothing is put off
        self._guard = guard or StepGuard()
        self._read: dict[str, list[Said]] = {}
        self._spent: dict[str, float] = {}  # seconds, on what takes long

    def refresh(self, touched: Iterable[str], fresh: Iterable[Spoken] = ()) -> Iterator[int]:
        """Make the documents anew of all these, and of those they were or are gathered with.

        What pages have just said about them (`fresh`) is read only where others speak of them too.
        Yields how many were done so far. To be committed.
        """
        left, done = dict.fromkeys(touched), 0
        for spoken in fresh:
            self._read = {each: spoken[each] for each in self._statements.alone(spoken)}
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
        waiting = deque(self._due(some))
        while waiting:
            begun = self._heard(waiting)
            homes = self._gathered(begun)
            # What was begun is brought to its end, however long it took so far.
            self._write([*begun, *self._due(homes.difference(begun))])
            self._rest()

    def _due(self, iris: Iterable[str]) -> list[str]:
        """The subjects to be done now; the others are noted for later."""
        if self._pace is None:
            return list(iris)
        due = {iri: self._pace.is_due(iri) for iri in iris}
        self._members.put_off(iri for iri, is_due in due.items() if not is_due)
        return [iri for iri, is_due in due.items() if is_due]

    def _heard(self, waiting: deque[str]) -> list[str]:
        """Take the first of these, and what is said of them: as many as there is room for."""
        taken, room = list[str](), MOST_STATEMENTS
        self._statements.ahead(islice((each for each in waiting if each not in self._read), AHEAD))
        while waiting and room > 0:
            taken.append(subject := waiting.popleft())
            if subject not in self._read:
                started = time.perf_counter()
                said = self._read[subject] = self._read_about(subject)
                self._took(subject, started)
                room -= len(said)
        return taken

    def _gathered(self, subjects: Sequence[str]) -> set[str]:
        """Have subjects be gathered where they belong; the homes where they were and are."""
        elsewhere = self._members.elsewhere(subjects)
        homes = set(elsewhere.values())
        for subject in subjects:
            said = self._read[subject]
            home = self._home(subject, said) if said else subject
            if home != elsewhere.get(subject, subject):
                self._members.move(subject, home)
            homes.add(home)
        return homes

    def _write(self, homes: Sequence[str]) -> None:
        """Make the documents of these homes anew."""
        members = self._those_at(homes)
        others = (each for those in members.values() for each in those if each not in self._read)
        self._statements.ahead(others)
        linked = self._statements.linked({each for those in members.values() for each in those})
        rest = iter(homes)
        while some := list(islice(rest, TEXTS_AT_ONCE)):
            names = (each for home in some for each in members[home] if may_be_page(each))
            texts = self._texts.of(self._statements.pages(names))
            for home in some:
                started = time.perf_counter()
                self._write_one(home, members[home], linked, texts)
                self._took(home, started)

    def _write_one(
        self, home: str, members: Sequence[str], linked: Set[str], texts: Mapping[str, bytes]
    ) -> None:
        """Make one document anew; where that fails, of what its own site says; else leave it."""
        if home in self._guard.avoided:
            self._guard.skip(home, AVOIDED, ())
            return
        said = {each: about for each in members if (about := self._about(each))}
        pages = {each: texts[each] for each in members if each in texts}
        if not said and not pages:
            self._words.put(home, None)
            return
        try:
            links = 0 if linked.isdisjoint(members) else self._links_to(home, members)
            made = self._guard.attempt(home, lambda: _made(home, said, links, pages))
        except SkippedError as error:
            # Anybody can speak of anything. Whoever does so to have it left out is left out himself.
            self._guard.skip(home, error, {each.page for about in said.values() for each in about})
            with suppress(SkippedError):
                own = _of_its_own_site(home, said)
                made = self._guard.attempt(home, lambda: _made(home, own, 0, {})) if own else None
                self._words.put_document(home, made)
        else:
            self._words.put_document(home, made)
            self._guard.wrote(home)

    def _home(self, subject: str, said: Sequence[Said]) -> str:
        try:
            return self._guard.attempt(subject, lambda: home_of(subject, said))
        except SkippedError as error:
            self._guard.skip(subject, error, {each.page for each in said})
            return subject

    def _links_to(self, home: str, members: Iterable[str]) -> int:
        self._guard.hold(home)
        try:
            return self._statements.links_to(members)
        finally:
            self._guard.let_go()

    def _those_at(self, homes: Sequence[str]) -> dict[str, list[str]]:
        """The subjects that are gathered at each home."""
        elsewhere, gathered = self._members.elsewhere(homes), self._members.of(homes)
        return {
            home: [*gathered.get(home, ()), *(() if home in elsewhere else (home,))]
            for home in homes
        }

    def _about(self, subject: str) -> list[Said]:
        """What is said of it; nobody asks for it again."""
        said = self._read.pop(subject, None)
        return self._read_about(subject) if said is None else said

    def _read_about(self, subject: str) -> list[Said]:
        """Read what is said of it. That takes as long as there is more of it, so the step is renewed."""
        try:
            self._guard.hold(subject)
            return self._statements.about(subject, lambda: self._guard.hold(subject))
        except SkippedError as error:
            self._guard.skip(subject, error, ())
            return []
        finally:
            self._guard.let_go()

    def _took(self, iri: str, started: float) -> None:
        """Note what takes long enough to count."""
        seconds = time.perf_counter() - started
        if self._pace is not None and seconds > SLOW_SECONDS / 2:
            self._spent[iri] = self._spent.get(iri, 0.0) + seconds

    def _rest(self) -> None:
        self._read.clear()
        self._statements.rest()
        if self._pace is not None:
            for iri, seconds in self._spent.items():
                self._pace.took(iri, seconds)
            self._spent.clear()


def _made(
    home: str, said: Mapping[str, Sequence[Said]], links: int, pages: Mapping[str, bytes]
) -> tantivy.Document | None:
    texts = entity_texts(home, pages)
    entity = entity_of(home, said, links) or page_entity(home, pages, texts, links)
    return None if entity is None else document(entity, texts)


def _of_its_own_site(home: str, said: Mapping[str, Sequence[Said]]) -> dict[str, list[Said]]:
    """What pages of the home's site say."""
    site = site_of_iri(home)
    own = {
        subject: [each for each in about if site is not None and site_of_iri(each.page) == site]
        for subject, about in said.items()
    }
    return {subject: about for subject, about in own.items() if about}


def spoken(pages: Mapping[str, bytes], wanted: Container[str]) -> Iterator[Spoken]:
    """What these pages (name to N-Quads) say about those who are wanted; some pages at a time.

    The graph has taken all of it, so nothing is checked here.
    """
    rest = iter(pages.items())
    while some := dict(islice(rest, PAGES_AT_ONCE)):
        yield _spoken(some, wanted)


def _spoken(pages: Mapping[str, bytes], wanted: Container[str]) -> Spoken:
    found: Spoken = defaultdict(list)
    otherwise: list[ox.Quad] = []
    for page, nquads in pages.items():
        blanks = Blanks(page)
        for quad in ox.parse(nquads, format=ox.RdfFormat.N_QUADS):
            subject, object_ = _kept(quad.subject, blanks).value, quad.object  # type: ignore[union-attr]  # no triple is a subject
            if subject not in wanted:
                continue
            if is_kept_otherwise(object_):
                otherwise.append(blanks.quad(quad))
            else:
                said = Said(quad.predicate.value, _kept(object_, blanks), page)
                found[subject].append(said)
    for quad in as_kept(otherwise):
        if (typed := said_of(quad)) is not None:
            found[quad.subject.value].append(typed)  # type: ignore[union-attr]  # as above
    return found


def _kept(term: Term, blanks: Blanks) -> Term:
    return term if type(term) in _PLAIN else blanks.kept(term)
