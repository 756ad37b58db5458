"""How the words of a folder stand, told by their files: nobody has to open them for that."""

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.data import DataFolder
from gossamer.index.folder import GraphFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.in_hand import in_hand
from gossamer.index.words.journal import numbers, segment
from gossamer.index.words.skipped import read_skipped
from gossamer.owner.messages import Record

WORTH_TELLING: Final = 5.0  # seconds at one thing


def words_record(data: DataFolder) -> Record | None:
    """How many documents there are, and what the graph has noted that is not in them yet.

    None where nobody makes words of this graph.
    """
    words, notes = WordsFolder(data.words_folder), GraphFolder(data.graph_folder).journal
    if not words.path.exists() and not notes.exists():
        return None
    files = [*_sizes(notes)]
    skipped = [each for each in read_skipped(words.skipped) if each.is_left_out]
    return {
        "documents": _documents(words.index),
        "behind_files": len(files),
        "behind_bytes": sum(files),
        "skipped": len(skipped),
    }


def words_trouble(data: DataFolder) -> str | None:
    """What is wrong with the words, in a sentence: whether their process is stuck with a thing."""
    hand = in_hand(WordsFolder(data.words_folder).hand)
    if hand is None or not hand.is_alive:
        return None
    if (seconds := time.monotonic() - hand.since) < WORTH_TELLING:
        return None
    return (
        f"The words process has been at {hand.iri} for {seconds:.0f} s; "
        "it is skipped if that takes much longer."
    )


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
