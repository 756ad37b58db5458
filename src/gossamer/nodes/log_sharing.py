"""Sends a node's log to the crawl's database: an errand that follows the log's files.

The crawl writes its log as always and knows nothing of this: lines are read from the files, a part at a time, in
the thread of errands. While the database is away the files grow, and what is too much then is passed over with a
count. What is sent has no queries of URLs in it, unless the settings say so.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from gossamer.config import Log
from gossamer.events import LEVELS, Event, LogDropped
from gossamer.frontier.store import Store
from gossamer.moments import to_microseconds
from gossamer.nodes.log_store import LogLine, NodeLogStore
from gossamer.nodes.log_tail import LogPlace, LogTail

MOST_PARTS: Final = 8  # in one round: 8 MiB of log
TRIM_SECONDS: Final = 60.0
MOST_LINE: Final = 16_384  # characters; more is kept in the file alone
_WORD: Final = re.compile(r"\S+")


@dataclass(slots=True)
class LogSharing:
    """Sends what was added to a log, in order; `dropped` counts lines that the database will not have."""

    node: str
    tail: LogTail
    config: Log
    clock: Callable[[], float] = time.monotonic
    dropped: int = 0
    _place: LogPlace | None = None
    _is_known: bool = False
    _trimmed_at: float | None = None

    def run(self, store: Store) -> Sequence[Event]:
        """Send what there is, so much at most; and now and then remove what is too old or too much."""
        log, passed_over = NodeLogStore(store), 0
        if not self._is_known:
            self._place, self._is_known = log.place(self.node), True
        for _ in range(MOST_PARTS):
            part = self.tail.read(self._place)
            if part.place is None:
                break
            passed_over += part.passed_over
            if part.lines or part.place != self._place:
                log.add(self.node, [*self._wanted(part.lines)], part.place)
                self._place = part.place
            if part.is_last:
                break
        self._trim(log)
        self.dropped += passed_over
        return (LogDropped(lines=passed_over),) if passed_over else ()

    def _trim(self, log: NodeLogStore) -> None:
        now = self.clock()
        if self._trimmed_at is None or now >= self._trimmed_at + TRIM_SECONDS:
            log.trim(self.config.share_age, self.config.share_bytes)
            self._trimmed_at = now

    def _wanted(self, lines: Sequence[bytes]) -> Iterator[LogLine]:
        levels = frozenset(LEVELS[LEVELS.index(self.config.share_level) :])
        for line in lines:
            shared = shared_line(line, with_queries=self.config.share_queries)
            if shared is not None and shared.level in levels:
                yield shared


def shared_line(line: bytes, *, with_queries: bool = False) -> LogLine | None:
    """A line of a log file as it is sent; None for one that is torn."""
    text = line.decode(errors="replace")
    try:
        told = json.loads(text)
        at = to_microseconds(datetime.fromisoformat(told["at"]))
        level, event = str(told["level"]), str(told["event"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not with_queries and "?" in text:
        told = {name: without_queries(value) for name, value in told.items()}
        text = json.dumps(told, ensure_ascii=False)
    if len(text) > MOST_LINE:
        told = {"at": told["at"], "event": event, "level": level, "cut": True}
        text = json.dumps(told)
    host = told.get("host")
    return LogLine(at, level, event, host if isinstance(host, str) else None, text)


def without_queries(value: Any) -> Any:  # noqa: ANN401 (what JSON has)
    """A value of a line with no query in any of its URLs; a `?` says that there was one."""
    if isinstance(value, str):
        return _WORD.sub(_cut_query, value) if "://" in value else value
    if isinstance(value, list):
        return [without_queries(each) for each in value]
    if isinstance(value, dict):
        return {name: without_queries(each) for name, each in value.items()}
    return value


def _cut_query(word: re.Match[str]) -> str:
    """A word up to the `?` of the URL in it: what follows may be of the query, whatever seems to end that."""
    scheme, separator, rest = word[0].partition("://")
    address, question, _query = rest.partition("?")
    return f"{scheme}{separator}{address}{question}"
