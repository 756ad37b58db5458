"""What single pages ask of robots, in a meta element or an `X-Robots-Tag` header.

Each wording stands beside its meaning, so the truth about a page needs no parser.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Directive:
    """One wording, and what it means to the agent it speaks to."""

    text: str
    noindex: bool = False
    nofollow: bool = False
    agent: str | None = None  # None: it speaks to everyone

    def concerns(self, agent: str) -> bool:
        """Whether a directive addresses this agent."""
        return self.agent is None or self.agent == agent.lower()


# A page draws a number from 0 to 39; most draw nothing.
META: Mapping[int, Directive] = {
    0: Directive("noindex", noindex=True),
    1: Directive("nofollow", nofollow=True),
    2: Directive("none", noindex=True, nofollow=True),
    3: Directive("NOINDEX , Follow", noindex=True),
    4: Directive("noarchive"),
    5: Directive("index, follow"),
}
HEADER: Mapping[int, Directive] = {
    0: Directive("noindex", noindex=True),
    1: Directive("nofollow", nofollow=True),
    2: Directive("NoIndex, NoFollow", noindex=True, nofollow=True),
    3: Directive("gossamer: nofollow", nofollow=True, agent="gossamer"),
    4: Directive("otherbot: noindex, nofollow", noindex=True, nofollow=True, agent="otherbot"),
    5: Directive("noarchive"),
}
DRAWS = 40
