"""Reservations in `/.well-known/tdmrep.json`, asked for once a day and origin, before its pages.

Like robots.txt, the file is asked for in the host's line and within its delay. Unlike it, it closes
nothing: a file that is missing, forbidden or broken says nothing. What was read is kept as a fact of
the frontier, so that a second run or another node does not ask again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final
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
from gossamer.politeness.usage import MAX_TDMREP_BYTES, NOTHING_RESERVED, TDMREP_PATH, TdmFile
from gossamer.sending.client import PoliteClient
from gossamer.urls import host_of, origin_of, site_of

ASK_AGAIN: Final = timedelta(days=1)
AFTER_FAILURE: Final = timedelta(hours=1)
MOST_KNOWN: Final = 10_000  # origins and rules at hand; those of all others are in the frontier
_FACT: Final = "tdmrep "


@dataclass(frozen=True, slots=True)
class TdmRecord:
    """What an origin's file said, and when to ask for it again."""

    ask_at: datetime
    body: bytes = b""  # of a file; empty where there is none

    @classmethod
    def parse(cls, fact: bytes) -> "TdmRecord":
        """The record as it was written down."""
        ask_at, _, body = fact.partition(b"\n")
        return cls(datetime.fromisoformat(ask_at.decode()), body)

    def written(self) -> bytes:
        """The record as a fact."""
        return self.ask_at.isoformat().encode() + b"\n" + self.body


def kept_tdm_file(facts: FactStore, origin: str) -> TdmFile:
    """The file of an origin that was read last, however old."""
    fact = facts.of(_FACT + origin)
    return NOTHING_RESERVED if fact is None else TdmFile.parse(TdmRecord.parse(fact).body, origin)


def forget_tdm_files(facts: FactStore, host: str) -> None:
    """Forget the files of a host's origins."""
    for scheme in ("http", "https"):
        for name in facts.named(f"{_FACT}{scheme}://{host}"):
            if host_of(Url(name.removeprefix(_FACT) + "/")) == host:
                facts.drop(name)


@dataclass(slots=True)
class TdmFiles:
    """Files of the origins that are crawled; one request for each, however many wait for it."""

    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    client: PoliteClient
    now: Callable[[], datetime]
    # By origin, the latest last.
    _known: OrderedDict[str, tuple[datetime, TdmFile]] = field(default_factory=OrderedDict)
    _size: int = 0  # of what is known: origins and their rules
    _asking: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def file_for(self, url: Url, patience: timedelta) -> TdmFile | Wait:
        """The file of a URL's origin; `Wait` where its host may not be asked within our patience."""
        if not self.config.politeness.tdmrep:
            return NOTHING_RESERVED
        origin = origin_of(url)
        if (file := self._at_hand(origin)) is not None:
            return file
        async with self._asking.setdefault(origin, asyncio.Lock()):
            if (file := self._at_hand(origin)) is not None:
                return file
            fact = await self.frontier_thread.do(self.frontier.facts.of, _FACT + origin)
            record = None if fact is None else TdmRecord.parse(fact)
            if record is None or self.now() >= record.ask_at:
                asked = await self._ask(origin, patience)
                if isinstance(asked, Wait):
                    return asked
                record = asked
                keep = partial(self.frontier.facts.keep, durable=False)
                await self.frontier_thread.do(keep, _FACT + origin, record.written())
            return self._note(origin, record)

    def _at_hand(self, origin: str) -> TdmFile | None:
        known = self._known.get(origin)
        if known is None or self.now() >= known[0]:
            return None
        self._known.move_to_end(origin)
        return known[1]

    def _note(self, origin: str, record: TdmRecord) -> TdmFile:
        if (before := self._known.pop(origin, None)) is not None:
            self._size -= _size(before[1])
        file = TdmFile.parse(record.body, origin)
        self._known[origin] = record.ask_at, file
        self._size += _size(file)
        while self._size > MOST_KNOWN and len(self._known) > 1:
            _, (_, oldest) = self._known.popitem(last=False)
            self._size -= _size(oldest)
        return file

    async def _ask(self, origin: str, patience: timedelta) -> TdmRecord | Wait:
        """Ask for a file, wherever redirects lead; `Wait` only where nobody was asked yet."""
        found, hops = await request_aside(
            self.client,
            Url(origin + TDMREP_PATH),
            "tdmrep",
            patience,
            partial(self._refusal, site_of(host_of(Url(origin + "/")))),
            first_bytes=MAX_TDMREP_BYTES + 1,
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

    def _record(self, answer: Fetched) -> TdmRecord:
        broke_off = answer.body_state is BodyState.TRUNCATED
        if answer.status in TRANSIENT_STATUSES or broke_off:
            return self._nothing(AFTER_FAILURE)
        if answer.status != 200 or answer.body_state is not BodyState.WHOLE:
            return self._nothing(ASK_AGAIN)
        decoded = decode(answer.body, answer.content_encoding, MAX_TDMREP_BYTES + 1)
        fits = not decoded.problem and len(decoded.body) <= MAX_TDMREP_BYTES
        return TdmRecord(self.now() + ASK_AGAIN, decoded.body if fits else b"")

    def _nothing(self, wait: timedelta) -> TdmRecord:
        return TdmRecord(self.now() + wait)


def _size(file: TdmFile) -> int:
    return 1 + len(file.rules)
