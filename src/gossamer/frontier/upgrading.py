"""Upgrades of a crawl's tables while older nodes work with them: who is in the way, and what is said to whom. Pure.

a newer node opens the tables                       an older node
a version that older ones can live with: made at once, beneath them
another: MAKE_WAY, to all in the way ──────────▶ drains, leaves
a note that an upgrade is due ─────────────────▶ does not start again as it is
nobody in the way any more: made
frozen meanwhile, and awake: refused by the version
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from gossamer.errors import DataFolderError

MAKE_WAY: Final = "make way"  # what an older node is told
SILENT: Final = timedelta(seconds=30)  # six beats; then a node is taken for dead, frozen or cut off
NOTE_COUNTS: Final = timedelta(seconds=60)  # for so long after whoever waits was there last


@dataclass(frozen=True, slots=True)
class OlderNode:
    """A node that works with tables which are to be changed."""

    node: str
    hosts: int  # that it holds
    is_silent: bool
    lease_seconds: float  # until all that it holds may be others'

    @property
    def state(self) -> str:
        """Whether it will leave by itself."""
        return "silent" if self.is_silent else "leaving"


def told_waiting(nodes: Sequence[OlderNode], version: int, where: str) -> str:
    """A sentence about an upgrade that waits for nodes."""
    return (
        f"The tables of {where} are to be brought to version {version}, which older nodes cannot work with. "
        f"They are told to leave, and waited for: {'; '.join(map(_told, nodes))}."
    )


def looked_at(nodes: Sequence[OlderNode], version: int, where: str) -> DataFolderError:
    """The error of a command that only looks, and so has nobody leave."""
    return DataFolderError(
        f"The tables of {where} have to be brought to version {version}, and older nodes work with them: "
        f"{'; '.join(map(_told, nodes))}. Start a node with this version, with `gossamer crawl` or `gossamer join`: it "
        "has them leave, and waits for that. Or use their version to look."
    )


def too_old(where: str, oldest: int, known: int) -> DataFolderError:
    """The error of a program that the tables have left behind."""
    return DataFolderError(
        f"The frontier in {where} was written by a newer Gossamer (version {oldest}, we know {known}). "
        "Upgrade Gossamer, or choose another database."
    )


def about_to_change(where: str, node: str, version: int) -> DataFolderError:
    """The error of an older node that starts while a newer one waits."""
    return DataFolderError(
        f"The node {node} waits to bring the tables of {where} to version {version}, which this Gossamer does not "
        "know. Upgrade Gossamer on this machine, then start again."
    )


def not_the_owner(where: str, version: int, known: int) -> DataFolderError:
    """The error of somebody who may not change the tables."""
    return DataFolderError(
        f"The tables of {where} are of version {version} and have to be brought to {known}, which only the user "
        "may who made them. Start a node with that user's address first, such as the one that began the crawl."
    )


def _told(node: OlderNode) -> str:
    hosts = "1 host" if node.hosts == 1 else f"{node.hosts:,} hosts"
    if not node.is_silent:
        return f"{node.node} (holds {hosts})"
    return f"{node.node} (silent; its leases end in {node.lease_seconds:.0f} s at the latest)"
