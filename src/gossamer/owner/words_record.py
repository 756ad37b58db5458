"""How the words of a folder stand, told by their files: nobody has to open them for that."""

import json
from contextlib import suppress
from pathlib import Path

from gossamer.data import DataFolder
from gossamer.index.folder import GraphFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.journal import numbers, segment
from gossamer.owner.messages import Record


def words_record(data: DataFolder) -> Record | None:
    """How many documents there are, and what the graph has noted that is not in them yet.

    None where nobody makes words of this graph.
    """
    words, notes = WordsFolder(data.words_folder), GraphFolder(data.graph_folder).journal
    if not words.path.exists() and not notes.exists():
        return None
    files = [*_sizes(notes)]
    return {
        "documents": _documents(words.index),
        "behind_files": len(files),
        "behind_bytes": sum(files),
    }


def _sizes(notes: Path) -> list[int]:
    """The sizes of the files that wait; one that is done with meanwhile does not."""
    sizes = []
    with suppress(OSError):
        for number in numbers(notes):
            with suppress(FileNotFoundError):
                sizes.append(segment(notes, number).stat().st_size)
    return sizes


def _documents(index: Path) -> int:
    """As many as the engine's list of its segments has, as of the last commit."""
    try:
        listed = json.loads((index / "meta.json").read_bytes())["segments"]
        return sum(each["max_doc"] - _deleted(each) for each in listed)
    except (OSError, ValueError, KeyError, TypeError):
        return 0  # there are none yet, or they are damaged, which whoever searches is told


def _deleted(listed: Record) -> int:
    deletes = listed.get("deletes")
    return 0 if deletes is None else int(deletes["num_deleted_docs"])
