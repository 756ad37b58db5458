"""A page of a crawl, as Python has it: the line of docs/sinks.md as a value."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

import pyoxigraph

from gossamer.model import Link, Problem, Url


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawledPage:
    """A page that was settled: what became of it, and what it says."""

    url: str
    outcome: str
    """`fetched`, `unchanged`, `redirected`, `missing`, `failed` or `refused`."""
    status: int | None
    fetched_at: datetime | None
    media_type: str | None
    depth: int
    seed: bool
    cause: str | None
    """The cause of a failure or refusal, in a word; `message` has a sentence."""
    message: str | None
    redirect: str | None
    """The address that a redirect leads to."""
    syntaxes: tuple[str, ...]
    nquads: bytes
    """The statements of the page, as N-Quads."""
    count: int
    """The number of quads."""
    items: dict[str, Any]
    """The statements of the page as nested dictionaries, by kind: `items["json-ld"][0]["name"]`."""
    links: tuple[Link, ...]
    problems: tuple[Problem, ...]

    @classmethod
    def from_line(cls, line: bytes) -> Self:
        """The page of a line."""
        told = json.loads(line)
        at = told["fetched_at"]
        links = [Link(Url(url)) for url in told["links"]]
        links += [Link(Url(url), nofollow=True) for url in told["nofollow"]]
        return cls(
            **{name: told[name] for name in _PLAIN},
            fetched_at=None if at is None else datetime.fromisoformat(at),
            syntaxes=tuple(told["syntaxes"]),
            nquads=(told["nquads"] or "").encode(),
            count=told["quads"],
            links=tuple(links),
            problems=tuple(
                Problem(each["message"], each["syntax"], each["line"]) for each in told["problems"]
            ),
        )

    @property
    def quads(self) -> Iterator[pyoxigraph.Quad]:
        """The quads one by one; the source graph is named by the page's URL."""
        return iter(pyoxigraph.parse(self.nquads, pyoxigraph.RdfFormat.N_QUADS))

    def __repr__(self) -> str:
        why = self.cause or (f"{self.count} quads" if self.outcome == "fetched" else self.redirect)
        return f"<{self.outcome} {self.url}{f', {why}' if why else ''}>"


_PLAIN = (
    *("url", "outcome", "status", "media_type", "depth", "seed", "cause", "message"),
    *("redirect", "items"),
)
