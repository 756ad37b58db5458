"""Folders of this process that the processes it starts are not to read.

Data folders are, once they are in use: they may lie where Python looks for modules.
"""

from pathlib import Path
from typing import Final

_HIDDEN: Final[set[str]] = set()


def hide_folder(folder: Path) -> None:
    """Keep processes that are started from now on from reading a folder."""
    _HIDDEN.add(str(folder.resolve()))


def hidden_folders() -> tuple[str, ...]:
    """All folders that are to be hidden."""
    return tuple(sorted(_HIDDEN))
