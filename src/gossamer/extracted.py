"""A page to be read, and what it says: the values that go to a worker and come back.

Apart from the readers themselves, which only the workers load.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated

import pyoxigraph

from gossamer.config import Transform as Options
from gossamer.model import Cause, Detection, Link, Problem, Syntax
from gossamer.processes.wire import OFTEN

QUERY = "follow-query"  # what problems with the user's own links are filed under
MAX_DECODED_BYTES = 64 * 1024 * 1024  # where the caller names no limit


@dataclass(frozen=True, slots=True)
class PageJob:
    """A page as it came, and what is wanted of it."""

    url: str
    body: bytes
    content_type: str | None = None
    content_encoding: str = ""
    contexts: Mapping[str, bytes] = field(default_factory=dict)
    options: Annotated[Options, OFTEN] = field(default_factory=Options)
    max_decoded_bytes: int = MAX_DECODED_BYTES
    find_links: bool = True  # a quarter of the work, where nobody will follow them
    max_links: int | None = None  # the first ones, as they stand on the page
    label_links: bool = True  # a quarter of finding them, where nobody will read them
    link_query: str | None = None  # whose answers are the links, instead of those on the page


@dataclass(frozen=True, slots=True)
class Extracted:
    """Everything a page says."""

    url: str
    detection: Annotated[Detection, OFTEN]
    nquads: bytes  # every quad once, in a fixed order
    count: int  # of quads
    links: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()
    directives: tuple[tuple[str, str], ...] = ()  # names and contents of meta elements for robots
    cause: Cause | None = None  # why this is not all of the page: the first problem says more

    @property
    def quads(self) -> Iterator[pyoxigraph.Quad]:
        """The quads one by one; the source graph is named by the page's URL."""
        return iter(pyoxigraph.parse(self.nquads, pyoxigraph.RdfFormat.N_QUADS))

    @property
    def syntaxes(self) -> tuple[Syntax, ...]:
        """What the page is written in."""
        return self.detection.syntaxes
