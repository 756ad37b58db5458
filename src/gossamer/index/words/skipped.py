"""Things that words leave out, because gathering them failed, took too long, or ended the process.

A file of JSON lines beside the words, which only the owner of the folder writes. A thing leaves it
when its document is written after all, or when all words are made anew.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from gossamer.durable import sync

MOST_LISTED: Final = 1_000  # the oldest go
STRIKES: Final = 2  # deaths of the process with the same thing in hand: once may be an accident


@dataclass(frozen=True, slots=True)
class Skipped:
    """A thing that is left out."""

    iri: str
    why: str
    pages: tuple[str, ...] = ()  # some of those that speak of it
    deaths: int = 0  # of the process, with this in hand

    @property
    def is_avoided(self) -> bool:
        """Whether it is not even tried."""
        return self.deaths >= STRIKES

    @property
    def is_left_out(self) -> bool:
        """Whether it is missing among the words: after the first death it is tried again."""
        return self.is_avoided or not self.deaths

    def __str__(self) -> str:
        said = f", of which {self.pages[0]} speaks," if self.pages else ""
        return f"Search leaves out {self.iri}{said} because {self.why}."


class SkippedList:
    """The list in its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listed = {each.iri: each for each in read_skipped(path)}

    @property
    def names(self) -> tuple[str, ...]:
        """Every thing that is listed."""
        return tuple(self._listed)

    @property
    def avoided(self) -> tuple[str, ...]:
        """Those that are not to be tried."""
        return tuple(iri for iri, each in self._listed.items() if each.is_avoided)

    def note(self, found: Iterable[Skipped], mended: Iterable[str] = ()) -> None:
        """List these, and those that are mended no more; return when that is on the disk."""
        before = dict(self._listed)
        for iri in mended:
            self._listed.pop(iri, None)
        for each in found:
            known = self._listed.pop(each.iri, None)
            deaths = max(each.deaths, known.deaths if known else 0)
            self._listed[each.iri] = replace(each, deaths=deaths)
        for iri in list(self._listed)[:-MOST_LISTED]:
            del self._listed[iri]
        if self._listed != before:
            self._write()

    def forget(self, is_gone: Callable[[str], bool]) -> None:
        """Have no line name what is gone; return when that is on the disk."""
        self._path.with_suffix(".tmp").unlink(missing_ok=True)  # by somebody who was stopped
        kept = [
            replace(each, pages=tuple(page for page in each.pages if not is_gone(page)))
            for each in self._listed.values()
            if not is_gone(each.iri)
        ]
        if kept != [*self._listed.values()]:
            self._listed = {each.iri: each for each in kept}
            self._write()

    def note_death(self, iri: str, why: str, *, is_certain: bool = False) -> Skipped:
        """List a thing with which the process died; from when it is certain, it is avoided."""
        known = self._listed.get(iri)
        deaths = STRIKES if is_certain else 1 + (known.deaths if known else 0)
        found = Skipped(iri, why, known.pages if known else (), deaths)
        self.note([found])
        return found

    def clear(self) -> None:
        """Give everything another chance, but for what ends the process."""
        self.note((), [iri for iri, each in self._listed.items() if not each.is_avoided])

    def _write(self) -> None:
        draft = self._path.with_suffix(".tmp")
        with suppress(OSError):  # a full disk: then it is known as long as we run
            draft.write_text(
                "".join(json.dumps(asdict(each)) + "\n" for each in self._listed.values())
            )
            sync(draft)
            draft.replace(self._path)


def read_skipped(path: Path) -> list[Skipped]:
    """What is listed; a line that makes no sense is left out."""
    found = []
    with suppress(OSError):
        for line in path.read_bytes().splitlines():
            with suppress(ValueError, TypeError):
                fields = json.loads(line)
                found.append(Skipped(**{**fields, "pages": tuple(fields["pages"])}))
    return found
