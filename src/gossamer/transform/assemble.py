"""Assembles a page's statements: each once, within limits, in graphs of the page's own. Pure.

**A page speaks only for itself.** Whatever graph a document names, its statements land in
the page's source graph or in `PAGE#graph-HASH`; page URLs have no fragment, so these names
belong to the page and to nobody else. `keep_graphs` gives names verbatim, for conformance.
"""

import re
from collections.abc import Iterable
from hashlib import blake2b
from itertools import islice
from typing import Final

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.document import Item
from gossamer.transform.schema_forms import is_of_schema_org, one_form
from gossamer.transform.terms import InGraph, Term, Triple, known
from gossamer.urls.expressions import compiled

MOST_PROBLEMS: Final = 1_000  # of one page; a page of nothing but problems says so once
# Whole characters and whole escapes: where a literal can be cut.
_WHOLE: Final = re.compile(r"(?:[^\\]|\\[^uU]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*")


class Assembly:
    """Collects statements and problems in order, and returns N-Quads."""

    def __init__(self, url: str, options: Options) -> None:
        self._options = options
        self._url = url
        self._source = "" if options.keep_graphs else f" {known(url)}"
        self._lines: dict[str, None] = {}  # in the order they came
        self._problems: dict[Problem, None] = {}
        self._max_literal = options.max_literal_bytes
        self._max_size = options.max_nquads_bytes
        self._max_quads = options.max_quads
        by_the_letter = options.strict or options.keep_schemes
        self._one_form = not (by_the_letter or is_of_schema_org(url))
        self._drop = [compiled("transform.drop", text) for text in options.drop]
        self._size = 0  # characters so far; of bytes there may be a few more
        # Statements that are there already cost as much as others, and count by the same limits.
        self._repeats = 0
        self._repeated_size = 0
        self._full = False
        self._repeated: dict[str, None] = {}  # lines of the last `take` that were there before it

    def take(self, items: Iterable[Item]) -> None:
        """Add what a transform yields; stop reading from it when the page is full."""
        self._repeated.clear()
        for item in items:
            if isinstance(item, str):  # as nearly all are
                self._add(item, self._source)
            elif isinstance(item, InGraph):
                self._add(item.triple, f" {self._graph(item.graph)}")
            else:
                self.note(item)
            if self._full:
                return

    def note(self, problem: Problem) -> None:
        """Record a problem, once."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems[problem] = None

    @property
    def nquads(self) -> bytes:
        """All collected statements as N-Quads."""
        return "".join(self._lines).encode()

    def repeats(self, before: int) -> bytes:
        """What was last taken and was there before it, when there were so many quads, as N-Quads."""
        if not self._repeated:
            return b""
        known = islice(self._lines, before)
        return "".join(line for line in known if line in self._repeated).encode()

    @property
    def count(self) -> int:
        """The number of quads."""
        return len(self._lines)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the page, in the order they were found."""
        return tuple(self._problems)

    def _add(self, triple: Triple, graph: str) -> None:
        if self._one_form and ("https://schema.org/" in triple or "www.schema.org/" in triple):
            triple = one_form(triple)
        if len(triple) > self._max_literal:
            triple = self._cut(triple)
            if not triple:
                return
        if self._drop and any(each.found_in(triple) for each in self._drop):
            return
        line = f"{triple}{graph} .\n"
        lines = self._lines
        if line in lines:
            self._repeated[line] = None
            self._repeats += 1
            self._repeated_size += len(line)
            if self._repeats > self._max_quads or self._repeated_size > self._max_size:
                self._full = True
                self.note(Problem("The page repeats itself without end; the rest is left out."))
            return
        self._size += len(line)
        if self._size > self._max_size or len(lines) >= self._max_quads:
            self._overflow()
        else:
            lines[line] = None

    def _overflow(self) -> None:
        self._full = True
        if self._size > self._max_size:
            what = f"The quads of the page take more than {self._max_size:,} bytes"
        else:
            what = f"The page has more than {self._max_quads:,} quads"
        self.note(Problem(f"{what}; the rest is left out."))

    def _graph(self, claimed: Term) -> Term:
        if self._options.keep_graphs:
            return claimed
        digest = blake2b(claimed.encode(), digest_size=8).hexdigest()
        return known(f"{self._url}#graph-{digest}")

    def _cut(self, triple: Triple) -> Triple:
        """The triple with a shorter literal; nothing if that literal is in a triple term."""
        subject, predicate, object_ = triple.split(" ", 2)
        limit = self._max_literal
        if object_.startswith("<<("):
            self.note(
                Problem(f"A statement about a statement has more than {limit:,} bytes; left out.")
            )
            return Triple("")
        end = object_.rfind('"')
        if not object_.startswith('"') or end <= limit:
            return triple
        self.note(Problem(f"A literal of {end:,} bytes is cut to {limit:,}."))
        kept = _WHOLE.match(object_[: limit + 1])
        assert kept is not None  # it can match nothing
        return Triple(f"{subject} {predicate} {kept[0]}{object_[end:]}")
