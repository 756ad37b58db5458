"""Hosts whose rules cannot be had: their pages are refused for now, and taken up again later."""

from typing import Final

from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.model import Refusal
from gossamer.politeness.robots.record import CLOSED_FOR_NOW

_FACT: Final = "closed "
_RULE: Final = "robots"


def closed_for_now(why: str) -> Refusal:
    """The refusal of a page of such a host; people read what they can do."""
    return Refusal(_RULE, f"{why} `gossamer crawl` takes the page up again then.")


def note_closed(facts: FactStore, host: str) -> None:
    """Remember a host, before its first page is refused."""
    facts.keep(_FACT + host, b"")


def forget_closed(facts: FactStore, host: str) -> None:
    """Remember a host no longer."""
    facts.drop(_FACT + host)


def reopen(frontier: SqlFrontier, host: str) -> int:
    """Take up a host's pages that were refused so and are settled; how many these are."""
    return frontier.reopen(host, f"{_RULE}: {CLOSED_FOR_NOW}")


def reopen_all(frontier: SqlFrontier) -> int:
    """The same for all that were remembered, before a run begins."""
    count = 0
    for host in [name.removeprefix(_FACT) for name in frontier.facts.named(_FACT)]:
        count += reopen(frontier, host)
        if not frontier.is_shared:  # else another node may be about to settle more of them
            forget_closed(frontier.facts, host)
    return count
