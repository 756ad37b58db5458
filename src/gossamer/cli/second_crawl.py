"""A second `gossamer crawl` in a folder: what it asks for is added to the crawl that is running."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

import click

from gossamer.cli.options import GIVEN
from gossamer.cli.text import counted
from gossamer.data import DataFolder
from gossamer.errors import FolderInUseError
from gossamer.owner.client import NoOwnerError, Owner
from gossamer.owner.messages import AnswerError, Question, Record, UnableError, record_of

PATIENCE: Final = 3.0  # seconds for a crawl that has begun, and does not answer yet
POLL: Final = 0.1
PATIENCE_FOR_FOLDER: Final = timedelta(seconds=10)
MAKING_WAY: Final = timedelta(seconds=30)  # more than it takes to close a graph
MOST_AT_ONCE: Final = 250  # seeds in a question: each may have 2,000 bytes


def added_to_running(
    data: DataFolder, seeds: Sequence[str], age: timedelta | None
) -> Record | None:
    """What a crawl that is running took upon itself; None where none is, and we are to crawl.

    Seeds are as they were typed: one without a scheme may be http in the end.
    """
    asks_for_something = bool(seeds) or age is not None
    total: dict[str, int] = {}
    for start in range(0, max(len(seeds), 1), MOST_AT_ONCE):
        added = _answered(data, _question(seeds[start : start + MOST_AT_ONCE], age))
        if added is None:
            return None  # it has ended meanwhile; what was added is known, and ours to crawl
        total = {name: total.get(name, 0) + added[name] for name in ("added", "known", "again")}
        total["process"] = added["process"]
        age = None
    if not asks_for_something:
        raise FolderInUseError(
            f"A crawl is running in {data.path} already (process {total['process']}). `gossamer "
            "status` tells how it goes, `gossamer stop` ends it; name seeds to add them to it."
        )
    return total


def _question(seeds: Sequence[str], age: timedelta | None) -> Question:
    return Question(
        what="add",
        texts=tuple(seeds),
        seconds=None if age is None else age.total_seconds(),
        options=json.dumps(click.get_current_context().meta.get(GIVEN, {}), default=list),
    )


def sentence(added: Record) -> str:
    """What people are told about it."""
    parts = []
    if added["added"] or added["known"]:
        known = f" ({added['known']:,} known before)" if added["known"] else ""
        parts.append(f"{counted(added['added'], 'seed')} added{known}")
    if added["again"]:
        parts.append(f"{counted(added['again'], 'page')} to be asked for again")
    what = ", ".join(parts) or "nothing new"
    return f"A crawl is running here (process {added['process']}): {what}. It goes on with that."


@contextmanager
def without_crawl(data: DataFolder) -> Iterator[None]:
    """Own the folder; a crawl that is running there is not waited for, but named at once."""
    try:
        who = asyncio.run(record_of(Owner(data.socket_file).answer(Question(what="who"))))
    except (NoOwnerError, AnswerError):
        who = {"command": None}
    if who["command"] == "crawl":
        raise FolderInUseError(
            f"A crawl is running in {data.path} (process {who['process']}), and this changes what "
            "it works with. `gossamer stop` it first; `gossamer crawl` goes on afterwards."
        )
    with data.owned(patience_for(data)):
        yield


def patience_for(data: DataFolder, usual: timedelta = PATIENCE_FOR_FOLDER) -> timedelta:
    """How long to wait for the folder; a service that has it is asked to make way, and does."""
    try:
        asyncio.run(record_of(Owner(data.socket_file).answer(Question(what="make way"))))
    except (NoOwnerError, AnswerError):
        return usual
    return MAKING_WAY


def _answered(data: DataFolder, question: Question) -> Record | None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return asyncio.run(record_of(Owner(data.socket_file).answer(question)))
        except UnableError:
            return None  # it is another command, or about to end: either will be done soon
        except NoOwnerError:
            if time.monotonic() >= deadline or not _is_owned(data):
                return None
        time.sleep(POLL)


def _is_owned(data: DataFolder) -> bool:
    if not data.path.exists():  # and it is not made for being asked about
        return False
    try:
        with data.owned(timedelta(0)):
            return False
    except FolderInUseError:
        return True
