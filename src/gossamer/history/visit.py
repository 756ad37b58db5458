"""What a visit of a page brings to the history. Values only."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class PageVisit:
    """A page that was settled, and what it says from now on."""

    url: str
    host: str
    at: datetime  # when it was answered
    said: (
        bytes | None
    )  # the mark of the readers and the hash of its statements; None: it says nothing
    nquads: bytes
    was_known: bool  # it held content before, whoever fetched it
    is_whole: bool = True  # nothing was lacking to read it, such as a context that could not be had
