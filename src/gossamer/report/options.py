"""What pages are checked by beside the rules for all: profiles, shapes of the user's, vocabularies that were added."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What a worker needs to know to check pages: names and texts, no files."""

    profiles: tuple[str, ...] = ()
    shapes: str = ""  # N-Triples
    vocabularies: tuple[str, ...] = ()  # texts of `added_vocabulary`


PLAIN: Final = ReportOptions()
