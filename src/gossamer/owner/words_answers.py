"""Answers about the words that are searched: how far they are, and what is wrong."""

import json
import time
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.folder.data import DataFolder
from gossamer.index.graph.folder import GraphFolder
from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.journal import follower_of, numbers, segment
from gossamer.index.words.skipped import in_hand, read_skipped
from gossamer.owner.messages import Record

WORTH_TELLING: Final = 5.0  # seconds at one thing
MUCH_BYTES: Final = 64 * 1024 * 1024  # of changes that wait: minutes of work
LONG_SECONDS: Final = 300.0  # that changes wait while a crawl has words follow it


def words_record(data: DataFolder) -> Record | None:
    """How many documents there are, and what the graph has noted that is not in them yet.

    They are in step when nothing waits, nothing is left for later, and they were made of this graph
    and are not being made anew. None where nobody makes words of this graph.
    """
    words, notes = WordsFolder(data.words_folder), GraphFolder(data.graph_folder).journal
    if not words.path.exists() and follower_of(notes) is None:
        return None
    files = _files(notes)
    is_made, is_being_made, later = _is_made(words, notes), words.draft.path.exists(), words.left()
    skipped = [each for each in read_skipped(words.skipped) if each.is_left_out]
    return {
        "documents": _documents(words.index),
        "behind_files": len(files),
        "behind_bytes": sum(size for size, _ in files),
        "behind_seconds": round(max((age for _, age in files), default=0.0), 1),
        "later": later,
        "skipped": len(skipped),
        "is_being_made": is_being_made,
        "is_made": is_made,
        "in_step": is_made and not (is_being_made or files or later),
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


def behind_record(words: Record | None, pages: int) -> Record:
    """What is still on its way: pages to the graph, changes of the graph to the words."""
    told = words or {"behind_files": 0, "behind_bytes": 0, "behind_seconds": 0.0, "later": 0}
    return {
        "pages": pages,
        "files": told["behind_files"],
        "bytes": told["behind_bytes"],
        "seconds": told["behind_seconds"],
        "things": told["later"],
        "in_step": pages == 0 and (words is None or words["in_step"]),
    }


def behind_trouble(words: Record | None, *, is_followed: bool) -> str | None:
    """Whether words are so far behind the graph that somebody should know, in a sentence.

    Old changes matter only where somebody should have taken them up, which is while a crawl runs:
    else they wait for the next search, however long that takes.
    """
    if words is None:
        return None
    size, seconds = words["behind_bytes"], words["behind_seconds"]
    if size < MUCH_BYTES and not (is_followed and seconds >= LONG_SECONDS):
        return None
    when = "" if is_followed else " The next search takes them up."
    return (
        f"Words are behind the graph: {size / 1024**2:.1f} MiB of changes wait, the oldest for "
        f"{seconds:.0f} s.{when}"
    )


def _files(notes: Path) -> list[tuple[int, float]]:
    """Size and age of the files that wait; one that is done with meanwhile does not."""
    found, now = [], time.time()
    with suppress(OSError):
        for number in numbers(notes):
            with suppress(FileNotFoundError):
                told = segment(notes, number).stat()
                found.append((told.st_size, max(0.0, now - told.st_mtime)))
    return found


def _is_made(words: WordsFolder, notes: Path) -> bool:
    """Whether they are complete, and of the graph that is there now."""
    try:
        follower = follower_of(notes)
        is_complete = words.format.exists() and not words.is_outdated
        return is_complete and words.follower.read_text() == follower is not None
    except (OSError, ValueError):
        return False


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


def why_left_out(data: DataFolder, names: Container[str]) -> str | None:
    """Why words leave a thing with these names out; None where they do not."""
    for each in read_skipped(WordsFolder(data.words_folder).skipped):
        if each.iri in names:  # after the first death of the process, too: nobody watches over us
            return f"It has no name or description here, because {each.why}."
    return None
