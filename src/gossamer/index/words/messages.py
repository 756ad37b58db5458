"""What goes between the owner and the words process. Closed types; no I/O here."""

from dataclasses import dataclass
from typing import Final, Literal

from gossamer.index.words.asked import Search
from gossamer.index.words.skipped import Skipped
from gossamer.processes.wire import Wire


@dataclass(frozen=True, slots=True)
class Job:
    """What the process is to do."""

    what: Literal["search", "catch up", "make"]
    search: Search | None = None
    snapshot: str = ""  # of the graph
    segments: tuple[int, ...] = ()  # of its journal
    everything: bool = False  # leave nothing for later
    follower: str = ""  # whose new words are
    avoided: tuple[str, ...] = ()  # things that are not to be tried
    listed: tuple[str, ...] = ()  # things that were left out before


@dataclass(frozen=True, slots=True)
class State:
    """How the words stand."""

    follower: str = ""  # for whom the graph takes notes
    later: int = 0  # IRIs that are left for later
    is_missing: bool = False  # there are none yet
    is_outdated: bool = False  # an older version made them: to be made anew
    fault: str | None = None  # a sentence: they cannot be used


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job."""

    state: State
    record: str = ""  # the answer to a search, as JSON
    fault: str | None = None  # a sentence
    asker: bool = False  # and whoever asked can do something about it
    skipped: tuple[Skipped, ...] = ()  # things that were left out
    mended: tuple[str, ...] = ()  # things that are so no more


JOBS: Final = Wire(Job)
STATES: Final = Wire(State)
DONE: Final = Wire(Done)
