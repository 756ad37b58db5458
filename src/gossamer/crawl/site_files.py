"""Files about the use of a site's pages, asked for once a day before its pages: tdmrep.json, and licences (RSL).

Like robots.txt, a file is asked for in its host's line and within its delay. Unlike it, it closes nothing by
itself: a file that is missing, forbidden or broken says nothing. What was read is kept as a fact of the frontier, so
that a second run or another node does not ask again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from gossamer.config import Config
from gossamer.crawl.side_requests import count_request, request_aside
from gossamer.crawl.verdicts import TRANSIENT_STATUSES
from gossamer.fetch.decode import decode
from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.model import BodyState, Failed, Fetched, Refusal, Url
from gossamer.politeness.ledger import Wait
from gossamer.politeness.robots.response import MAX_HOPS
from gossamer.politeness.rsl import MAX_RSL_BYTES, NO_LICENCE, RslFile
from gossamer.politeness.usage import MAX_TDMREP_BYTES, NOTHING_RESERVED, TDMREP_PATH, TdmFile
from gossamer.sending.client import PoliteClient
from gossamer.urls import host_of, origin_of

ASK_AGAIN: Final = timedelta(days=1)
AFTER_FAILURE: Final = timedelta(hours=1)
MOST_KNOWN: Final = 10_000  # files and rules at hand; those of all others are in the frontier
File = TypeVar("File", TdmFile, RslFile)


@dataclass(frozen=True, slots=True)
class FileKind(Generic[File]):
    """One kind of file: how it is read, and under which name it is kept."""

    purpose: str  # of its requests, in the log; begins the names of its facts
    max_bytes: int
    nothing: File  # what a file says that is none
    parse: Callable[[bytes, Url], File]
    rules: Callable[[File], int]
    name: Callable[[Url], str]  # that ends the name of its fact, from the file's URL

    def fact(self, url: Url) -> str:
        """The name of the fact that keeps a file."""
        return f"{self.purpose} {self.name(url)}"


TDM_FILE: Final = FileKind(
    "tdmrep",
    MAX_TDMREP_BYTES,
    NOTHING_RESERVED,
    lambda body, url: TdmFile.parse(body, origin_of(url)),
    lambda file: len(file.rules),
    origin_of,
)
LICENCE: Final = FileKind(
    "rsl",
    MAX_RSL_BYTES,
    NO_LICENCE,
    RslFile.parse,
    lambda file: sum(len(content.licences) for content in file.contents),
    str,
)


def tdm_file_of(page: Url) -> Url:
    """The URL of the file with reservations for a page."""
    return Url(origin_of(page) + TDMREP_PATH)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What a file said, and when to ask for it again."""

    ask_at: datetime
    body: bytes = b""  # of a file; empty where there is none

    @classmethod
    def parse(cls, fact: bytes) -> "FileRecord":
        """The record as it was written down."""
        ask_at, _, body = fact.partition(b"\n")
        return cls(datetime.fromisoformat(ask_at.decode()), body)

    def written(self) -> bytes:
        """The record as a fact."""
        return self.ask_at.isoformat().encode() + b"\n" + self.body


def kept_file(facts: FactStore, kind: FileKind[File], url: Url) -> File:
    """The file at a URL as it was read last, however old."""
    fact = facts.of(kind.fact(url))
    return kind.nothing if fact is None else kind.parse(FileRecord.parse(fact).body, url)


def forget_files(facts: FactStore, host: str) -> None:
    """Forget the files of a host."""
    for kind in (TDM_FILE, LICENCE):
        for scheme in ("http", "https"):
            for name in facts.named(f"{kind.purpose} {scheme}://{host}"):
                if host_of(Url(name.removeprefix(f"{kind.purpose} ") + "/")) == host:
                    facts.drop(name)


@dataclass(slots=True)
class SiteFiles(Generic[File]):
    """Files of one kind for the sites that are crawled; one request for each, however many wait for it."""

    kind: FileKind[File]
    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    client: PoliteClient
    now: Callable[[], datetime]
    # By URL, the latest last.
    _known: OrderedDict[Url, tuple[datetime, File]] = field(default_factory=OrderedDict)
    _size: int = 0  # of what is known: files and their rules
    _asking: WeakValueDictionary[Url, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def get(self, url: Url, patience: timedelta, site: str) -> File | Wait:
        """The file at a URL, on behalf of a site; `Wait` where its host may not be asked within our patience."""
        if (file := self._at_hand(url)) is not None:
            return file
        async with self._asking.setdefault(url, asyncio.Lock()):
            if (file := self._at_hand(url)) is not None:
                return file
            name = self.kind.fact(url)
            fact = await self.frontier_thread.do(self.frontier.facts.of, name)
            record = None if fact is None else FileRecord.parse(fact)
            if record is None or self.now() >= record.ask_at:
                asked = await self._ask(url, patience, site)
                if isinstance(asked, Wait):
                    return asked
                record = asked
                keep = partial(self.frontier.facts.keep, durable=False)
                await self.frontier_thread.do(keep, name, record.written())
            return self._note(url, record)

    def _at_hand(self, url: Url) -> File | None:
        known = self._known.get(url)
        if known is None or self.now() >= known[0]:
            return None
        self._known.move_to_end(url)
        return known[1]

    def _note(self, url: Url, record: FileRecord) -> File:
        if (before := self._known.pop(url, None)) is not None:
            self._size -= 1 + self.kind.rules(before[1])
        file = self.kind.parse(record.body, url)
        self._known[url] = record.ask_at, file
        self._size += 1 + self.kind.rules(file)
        while self._size > MOST_KNOWN and len(self._known) > 1:
            _, (_, oldest) = self._known.popitem(last=False)
            self._size -= 1 + self.kind.rules(oldest)
        return file

    async def _ask(self, url: Url, patience: timedelta, site: str) -> FileRecord | Wait:
        """Ask for a file, wherever redirects lead; `Wait` only where nobody was asked yet."""
        found, hops = await request_aside(
            self.client,
            url,
            self.kind.purpose,
            patience,
            partial(self._refusal, site),
            first_bytes=self.kind.max_bytes + 1,
            most_hops=MAX_HOPS,
            # Whoever gave up halfway would begin anew the next time, and never arrive.
            patience_behind_redirects=self.config.politeness.patience,
        )
        if isinstance(found, Fetched):
            return self._record(found)
        if isinstance(found, Wait) and not hops:
            return found
        again = isinstance(found, Wait) or (isinstance(found, Failed) and found.cause.transient)
        return self._nothing(AFTER_FAILURE if again else ASK_AGAIN)

    async def _refusal(self, site: str, url: Url) -> Refusal | None:
        most = self.config.budget.requests_elsewhere
        if await count_request(site, url, self.client, self.frontier, self.frontier_thread, most):
            return None
        return Refusal("budget", "Its site has used up its requests to other sites.")

    def _record(self, answer: Fetched) -> FileRecord:
        broke_off = answer.body_state is BodyState.TRUNCATED
        if answer.status in TRANSIENT_STATUSES or broke_off:
            return self._nothing(AFTER_FAILURE)
        if answer.status != 200 or answer.body_state is not BodyState.WHOLE:
            return self._nothing(ASK_AGAIN)
        most = self.kind.max_bytes
        decoded = decode(answer.body, answer.content_encoding, most + 1)
        fits = not decoded.problem and len(decoded.body) <= most
        return FileRecord(self.now() + ASK_AGAIN, decoded.body if fits else b"")

    def _nothing(self, wait: timedelta) -> FileRecord:
        return FileRecord(self.now() + wait)
