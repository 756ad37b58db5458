"""The place in a text that shows why it was found, with the words marked. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.index.words.asked import Clause, Way
from gossamer.index.words.tokens import RUN, WORD, folded

LENGTH: Final = 200  # characters of a snippet
LEAD: Final = 60  # of them before the first word that was sought
WHOLE_TEXT: Final = (
    8_000  # characters of a text that are looked through; of a longer one, some passages
)
_PASSAGE: Final = 300  # characters on each side of a word
_MOST_PASSAGES: Final = 40
_ELLIPSIS: Final = "… "


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text; nothing in it is markup."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()  # from and to, of the words that were sought


class Marker:
    """Finds what was sought in texts."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._exact: set[str] = set()
        self._begin: list[str] = []
        self._near: list[tuple[str, int]] = []
        self._runs: list[str] = []
        self._phrases: list[tuple[str, ...]] = []
        for clause in clauses:
            if clause.wanted:
                self._learn(clause)

    def _learn(self, clause: Clause) -> None:
        pieces = WORD.findall(clause.text)
        self._runs += [piece for piece in pieces if RUN.fullmatch(piece)]
        words = [word for piece in pieces if not RUN.fullmatch(piece) if (word := folded(piece))]
        if clause.way is Way.PHRASE and len(words) == len(pieces) > 1:
            self._phrases.append(tuple(words))
            return
        if clause.way is Way.PREFIX and words:
            self._begin.append(words.pop())
        elif clause.way is Way.FUZZY:
            self._near += [(word, clause.distance) for word in words]
        self._exact.update(words)

    @property
    def beginnings(self) -> list[str]:
        """How that which is sought begins, in small letters, as far as it has to be just so."""
        phrased = (word for phrase in self._phrases for word in phrase)
        return [*self._exact, *self._begin, *self._runs, *phrased]

    def found(self, text: str) -> Iterator[tuple[int, int, str]]:
        """From, to, and which of the things sought it is."""
        pieces = list(WORD.finditer(text))
        for piece in pieces:
            start, end = piece.span()
            if RUN.match(piece[0]):
                yield from ((start + at, start + to, run) for at, to, run in self._in_run(piece[0]))
            elif which := self._which(folded(piece[0])):
                yield start, end, which
        if self._phrases:
            yield from self._in_row(pieces)

    def _in_row(self, pieces: Sequence[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
        """Words of a phrase, where they follow each other."""
        words = [folded(piece[0]) for piece in pieces]
        for phrase in self._phrases:
            for at in range(len(words) - len(phrase) + 1):
                if tuple(words[at : at + len(phrase)]) == phrase:
                    row = pieces[at : at + len(phrase)]
                    yield from ((*each.span(), f"{phrase} {each[0]}") for each in row)

    def _which(self, word: str) -> str | None:
        if word in self._exact:
            return word
        for begin in self._begin:
            if word.startswith(begin):
                return begin
        return next((near for near, most in self._near if is_near(word, near, most)), None)

    def _in_run(self, text: str) -> Iterator[tuple[int, int, str]]:
        for run in self._runs:
            at = text.find(run)
            while at >= 0:
                yield at, at + len(run), run
                at = text.find(run, at + len(run))


def passages(text: str, marker: Marker) -> str:
    """Of a long text the passages with something that was sought, and else its beginning: to look through all takes long."""
    if len(text) <= WHOLE_TEXT:
        return text
    low = text.lower()
    if len(low) != len(text):  # what is found there would stand elsewhere
        return text[:WHOLE_TEXT]
    places = sorted(at for word in marker.beginnings for at in _places(low, word))
    spans = _merged((max(0, at - _PASSAGE), at + _PASSAGE) for at in places[:_MOST_PASSAGES])
    return _ELLIPSIS.join(text[start:end] for start, end in spans) or text[:WHOLE_TEXT]


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    for _ in range(_MOST_PASSAGES):
        if at < 0:
            return
        yield at
        at = text.find(word, at + len(word))


def snippet(texts: Sequence[str], marker: Marker) -> Snippet | None:
    """The piece with the most of what was sought; None where none of the texts has any of it."""
    best: tuple[int, int, str, list[tuple[int, int, str]]] | None = None
    for text in texts:
        found = sorted(marker.found(text))
        if found:
            count, start = _densest(found)
            if best is None or count > best[0]:
                best = count, start, text, found
    return None if best is None else _piece(*best[1:])


def opening(text: str) -> Snippet:
    """The beginning of a text, where nothing in it is to be shown before the rest."""
    return _piece(0, text, ())


def marked(text: str, marker: Marker) -> Snippet:
    """A whole text, with what was sought in it marked."""
    return Snippet(text, _merged((start, end) for start, end, _ in sorted(marker.found(text))))


def _densest(found: Sequence[tuple[int, int, str]]) -> tuple[int, int]:
    """The most different things within the length of a snippet, and where that begins."""
    starts = [start for start, _, _ in found]
    best = (0, 0)
    for at, start in enumerate(starts):
        end = bisect_right(starts, start + LENGTH - LEAD)
        count = len({which for _, _, which in found[at:end]})
        if count > best[0]:
            best = (count, start)
    return best


def _piece(start: int, text: str, found: Sequence[tuple[int, int, str]]) -> Snippet:
    begin = _word_start(text, max(0, start - LEAD)) if len(text) > LENGTH else 0
    end = _word_end(text, begin + LENGTH)
    before, after = _ELLIPSIS if begin else "", " …" if end < len(text) else ""
    shift = len(before) - begin
    inside = ((a + shift, b + shift) for a, b, _ in found if a >= begin and b <= end)
    # One line: what breaks lines is as wide as a space, so the marks stay where they are.
    shown = "".join(" " if each.isspace() else each for each in text[begin:end])
    return Snippet(f"{before}{shown}{after}", _merged(inside))


def _word_start(text: str, at: int) -> int:
    """The beginning of the next word, unless that is far."""
    if at == 0:
        return 0
    space = text.find(" ", at - 1, at + 20)
    return at if space < 0 else space + 1


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    space = text.rfind(" ", at - 20, at + 1)
    return at if space < 0 else space


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def is_near(word: str, other: str, most: int) -> bool:
    """Whether so many letters at most are added, left out, changed, or swapped with the next."""
    if abs(len(word) - len(other)) > most:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        earlier, before, row = before, row, [at]
        for to, want in enumerate(other, 1):
            cost = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != want))
            if at > 1 and to > 1 and letter == other[to - 2] and word[at - 2] == want:
                cost = min(cost, earlier[to - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return False
    return row[-1] <= most
