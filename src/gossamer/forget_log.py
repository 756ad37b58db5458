"""Forgetting in the log: lines about hosts and pages leave its files.

A file is written anew beside the old one and takes its place when it is on the disk: after a crash
there is the one or the other. Whoever writes to the log meanwhile waits, and goes on in the new file.
"""

import fcntl
import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.durable import sync
from gossamer.forgetting import Target
from gossamer.log import log_files

DRAFT: Final = ".forgetting"
# What the user did and said, and not what came of it; an agent string may name a host of theirs.
OUR_OWN: Final = frozenset(
    {"started", "stopped", "paused", "resumed", "config-changed", "config-ignored"}
)
Mentions = Callable[[bytes], bool]


def forget_lines(folder: Path, targets: Sequence[Target]) -> int:
    """Remove the lines about some hosts and pages from all files of a log, and say how many."""
    names = mentions(targets)
    gone = 0
    for place in (folder, folder / "proxy"):
        for left in place.glob(f"*{DRAFT}"):  # by somebody who was stopped
            left.unlink(missing_ok=True)
        for path in [*log_files(place), *place.glob("*.txt")]:
            with suppress(FileNotFoundError):  # old files go when there are many
                gone += _rewrite(path, names)
    return gone


def mentions(targets: Sequence[Target]) -> Mentions:
    """Whether a line of the log is about one of these: it names the host, or the page, as a whole."""
    expressions = [re.compile(_expression(each), re.IGNORECASE) for each in targets]
    # Most lines are about others: to look for a few bytes tells so, faster than to read JSON.
    needles = [each.host.encode() for each in targets]

    def found(line: bytes) -> bool:
        lowered = line.lower()
        if not any(needle in lowered for needle in needles):
            return False
        texts = _texts(line)
        return any(each.search(text) for each in expressions for text in texts)

    return found


def _expression(target: Target) -> str:
    if target.url is None:
        return rf"(?<![\w.-]){re.escape(target.host)}(?![\w-]|\.\w)"
    # The log may have a URL without its query. In a sentence, punctuation follows.
    path, mark, _ = target.url.partition("?")
    forms = {target.url, path + mark}
    named = "|".join(re.escape(each) for each in sorted(forms))
    return rf"(?:{named})(?=[.,:;!)\]\"']*(?:\s|$)|#)"


def _texts(line: bytes) -> list[str]:
    """Where a line of the log may speak of somebody: its values, or all of it, where it is torn."""
    try:
        record = json.loads(line)
    except ValueError:
        return [line.decode(errors="replace")]
    if not isinstance(record, dict) or record.get("event") in OUR_OWN:
        return []
    return [each for each in record.values() if isinstance(each, str)]


def _rewrite(path: Path, is_gone: Mentions) -> int:
    with path.open("rb") as old:
        fcntl.flock(old.fileno(), fcntl.LOCK_EX)
        if not any(map(is_gone, old)):
            return 0
        old.seek(0)
        draft, gone = path.with_name(path.name + DRAFT), 0
        with draft.open("wb") as new:
            for line in old:
                if is_gone(line):
                    gone += 1
                else:
                    new.write(line)
            new.flush()
            os.fsync(new.fileno())
        draft.replace(path)
        sync(path.parent)
    return gone
