"""Text into words, the same way when it is kept and when it is asked for.

A word is a run of letters, marks and digits, in small letters and without accents: `Zürich` is found by
`zurich`. Scripts that put no spaces between words (Chinese, Japanese, Thai…) and Korean, which puts them
elsewhere, are cut into overlapping pairs of characters: `東京都` becomes `東京 京都 都`. Whoever asks for
`京都` finds it, and whoever asks for one character finds the pairs that begin with it, and the last one.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import tantivy

LONGEST_WORD: Final = 100  # bytes: what is longer is no word
_SPACELESS: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf"  # Thai, Lao
    "\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17dc\u17dd"  # Burmese, Khmer
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # radicals, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_WORD: Final = rf"[\p{{L}}\p{{M}}\p{{N}}{_SPACELESS}]+"  # as the engine's expressions have it
RUN: Final = re.compile(f"[{_SPACELESS}]+")
"""A run of characters of a script without spaces."""
# Most marks that letters carry; the language's own expressions take them for the end of a word.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0711-\u074a"
    "\u07a6-\u07b0\u0900-\u0963\u0966-\u0dff\u0f18-\u0fbc\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0"
)
WORD: Final = re.compile(rf"[{_SPACELESS}]+|(?:(?![{_SPACELESS}_])\w|[{_MARKS}])+")
"""A word, or such a run, as it stands in a text."""
_LAST: Final = "\ua4f8\ua4f9"  # where the last character of a run would stand; no word is so
_ANALYZER: Final = (
    tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_WORD))
    .filter(tantivy.Filter.remove_long(LONGEST_WORD))
    .filter(tantivy.Filter.lowercase())
    .filter(tantivy.Filter.ascii_fold())
    .build()
)


def analyzer() -> tantivy.TextAnalyzer:
    """What the engine makes words of a spaced text with."""
    return _ANALYZER


def spaced(text: str) -> str:
    """The text as the engine is given it: in one spelling, with pairs where there are no spaces."""
    if text.isascii():
        return text
    return RUN.sub(lambda run: f" {' '.join(pairs(run[0]))} ", unicodedata.normalize("NFKC", text))


def words(text: str) -> list[str]:
    """The words of a text, as they are kept."""
    return [str(word) for word in _ANALYZER.analyze(spaced(text))]


@lru_cache(maxsize=65_536)
def folded(word: str) -> str:
    """One word as it is kept, to be compared; empty if it is none."""
    if word.isascii() and word.isalnum():
        return word.lower()
    return "".join(map(str, _ANALYZER.analyze(unicodedata.normalize("NFKC", word))))


def pairs(run: str) -> list[str]:
    """Overlapping pairs of the characters of a run, and the last character."""
    characters = _characters(run)
    joined = [first + second for first, second in pairwise(characters)]
    return [*joined, *characters[-1:]]


@dataclass(frozen=True, slots=True)
class Sought:
    """A word that somebody asks for, and where it stands among the others."""

    place: int
    word: str
    begins: bool = False  # what is sought begins with it


def sought(text: str) -> list[Sought]:
    """The words to ask for: of a run only whole pairs, as its last character may go on elsewhere."""
    single: set[str] = set()

    def cut(run: re.Match[str]) -> str:
        *whole, last = pairs(run[0])
        if not whole:
            single.add(last)
        return f" {' '.join([*whole, _LAST if whole else last])} "

    found = _ANALYZER.pre_tokenize(RUN.sub(cut, unicodedata.normalize("NFKC", text))).tokens
    return [
        Sought(each.position, each.text, begins=each.text in single)
        for each in found
        if each.text != _LAST
    ]


def _characters(run: str) -> list[str]:
    """Characters with the marks that stand on them: half a Thai syllable means nothing."""
    found: list[str] = []
    for each in run:
        if found and unicodedata.category(each).startswith("M"):
            found[-1] += each
        else:
            found.append(each)
    return found
