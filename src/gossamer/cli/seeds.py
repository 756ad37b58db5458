"""Seeds of `gossamer crawl`: read as they were typed, and added to the crawl that is running, if one is."""

import asyncio
import json
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

import click

from gossamer import values
from gossamer.cli.options import GIVEN
from gossamer.cli.text import counted
from gossamer.errors import FolderInUseError, InputError
from gossamer.folder.data import DataFolder
from gossamer.model import Refusal, Url
from gossamer.owner.messages import Record, UnableError, ask
from gossamer.owner.questions import AddSeeds
from gossamer.owner.unix_socket import NoOwnerError, Owner
from gossamer.urls import seed

COMMENT: Final = "#"  # begins a line of a file of seeds, and no URL
PATIENCE: Final = 3.0  # seconds for a crawl that has begun, and does not answer yet
POLL: Final = 0.1
MOST_AT_ONCE: Final = 250  # seeds in a question: each may have 2,000 bytes


def seed_texts(text: str, *files: Path) -> list[str]:
    """A seed as it was typed, or those of `@FILE`, which stands in these other files."""
    if not text.startswith("@"):
        return [text]
    file = Path(text[1:])
    if file.resolve() in files:
        raise InputError(f"{file} names itself, by way of @{file}: take that line out.")
    lines = map(str.strip, _seed_file(file).splitlines())
    seeds = [line for line in lines if line and not line.startswith(COMMENT)]
    return [each for line in seeds for each in seed_texts(line, *files, file.resolve())]


def _seed_file(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")  # as some editors begin it
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file} is not text in UTF-8 (byte {error.start}): save it as that."
        ) from None


def read_seed(text: str) -> Url:
    """A seed as a URL; a usage error where it is none."""
    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    return url


def minimum_age(again: bool, older_than: str | None) -> timedelta | None:
    """How old a page must be to be asked for again; None where none is."""
    if older_than is None:
        return timedelta(0) if again else None
    if not again:
        raise click.UsageError("--older-than says which pages --again asks for; give both.")
    try:
        age = values.read(timedelta, older_than, at_least=0)
    except ValueError as error:
        raise click.UsageError(f"--older-than: {error}.") from None
    assert isinstance(age, timedelta)
    return age


def add_to_running(data: DataFolder, seeds: Sequence[str], age: timedelta | None) -> Record | None:
    """Add seeds to a crawl that is running; what it took on, or None where we are to crawl.

    Seeds are as they were typed: one without a scheme may be http in the end.
    """
    asks_for_something = bool(seeds) or age is not None
    total: dict[str, int] = {}
    for start in range(0, max(len(seeds), 1), MOST_AT_ONCE):
        added = _ask_crawl(data, _question(seeds[start : start + MOST_AT_ONCE], age))
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


def _question(seeds: Sequence[str], age: timedelta | None) -> AddSeeds:
    return AddSeeds(
        tuple(seeds),
        older_than=age,
        options=json.dumps(click.get_current_context().meta.get(GIVEN, {}), default=list),
    )


def _ask_crawl(data: DataFolder, question: AddSeeds) -> Record | None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return asyncio.run(ask(Owner(data.socket_file), question))
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


def what_was_added(added: Record) -> str:
    """What a running crawl took on, as a sentence for people."""
    parts = []
    if added["added"] or added["known"]:
        known = f" ({added['known']:,} known before)" if added["known"] else ""
        parts.append(f"{counted(added['added'], 'seed')} added{known}")
    if added["again"]:
        parts.append(f"{counted(added['again'], 'page')} to be asked for again")
    what = ", ".join(parts) or "nothing new"
    return f"A crawl is running here (process {added['process']}): {what}. It goes on with that."
