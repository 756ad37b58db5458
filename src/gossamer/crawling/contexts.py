"""Contexts that pages name: fetched once, politely, and kept for all pages that follow."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.config import MIB
from gossamer.crawling.clerk import Clerk
from gossamer.fetch.decode import decode
from gossamer.fetch.redirect import redirect_of
from gossamer.frontier.contexts import Context, ContextStore
from gossamer.model import BodyState, Failed, Fetched, Refusal, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.robots.rules import Rules
from gossamer.urls import canonical

HOLD: Final = timedelta(seconds=30)  # a page waits no longer for the contexts it names
GOOD_FOR: Final = timedelta(days=7)
BAD_FOR: Final = timedelta(hours=1)
MAX_BYTES: Final = 4 * MIB
# A page may name as many as it has problems, and each is a request to whomever it likes. Pages that
# mean it name a handful, of some KiB.
MOST: Final = 32
MOST_BYTES: Final = 8 * MIB  # of all that one page names
ACCEPT: Final = ("Accept", "application/ld+json, application/json;q=0.9, text/html;q=0.1")


@dataclass(slots=True)
class Contexts:
    """Gives pages the contexts they name. Several pages that want the same share one request."""

    store: ContextStore
    clerk: Clerk
    client: PoliteClient
    now: Callable[[], datetime]
    _asked: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def get(self, addresses: Iterable[str]) -> dict[str, bytes]:
        """Those of a page's contexts that can be had before its time is up, and that it may have."""
        few = few_of(addresses)
        known = await self.clerk.do(self.store.those, few, MOST_BYTES)
        fresh = {context.url for context in known if context.ask_at > self.now()}
        if missing := [address for address in few if address not in fresh]:
            del known  # many pages may wait here, and each would hold the texts it has
            await self._ask_for(missing)
            known = await self.clerk.do(self.store.those, few, MOST_BYTES)
        return bodies_of(known)

    async def close(self) -> None:
        """Wait for nothing any more."""
        asked = list(self._asked.values())
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    async def _ask_for(self, addresses: Sequence[str]) -> None:
        """Have contexts fetched and kept, as far as there is time; nobody holds them meanwhile."""
        tasks = [self._task(address) for address in addresses]
        done, _ = await asyncio.wait(tasks, timeout=HOLD.total_seconds())
        for task in done:
            if not task.cancelled():
                task.result()

    def _task(self, address: str) -> asyncio.Task[None]:
        task = self._asked.get(address)
        if task is None:
            task = asyncio.create_task(self._renew(address))
            self._asked[address] = task
            task.add_done_callback(lambda _: self._asked.pop(address, None))
        return task

    async def _renew(self, address: str) -> None:
        known = await self.clerk.do(self.store.of, address)
        if known is None or known.ask_at <= self.now():
            body, cause = await self._fetched(address)
            asked_at = self.now()
            ask_at = asked_at + (GOOD_FOR if body is not None else BAD_FOR)
            if body is None and known is not None:
                body = known.body  # an old one serves until there is a new one
            known = Context(url=address, body=body, cause=cause, asked_at=asked_at, ask_at=ask_at)
            await self.clerk.do(self.store.keep, known)

    async def _fetched(self, address: str) -> tuple[bytes | None, str]:
        """A context's text, and how asking for it went; redirects are followed with all manners."""
        url = canonical(address)
        for hops in range(11):
            if isinstance(url, Refusal):
                return None, url.why
            answer = await self._asked_politely(url)
            if not isinstance(answer, Fetched):
                return None, answer
            target = redirect_of(answer, hops)
            if target is None:
                return _body(answer)
            url = target
        return None, "It redirects without end."

    async def _asked_politely(self, url: Url) -> Fetched | str:
        rules = await self.client.rules(url, HOLD)
        if isinstance(rules, Wait):
            return f"Its host rests: {rules.delay}."
        if not isinstance(rules, Rules):
            return rules.message
        decision = rules.policy.decide(url)
        if not decision.allowed:
            return decision.why
        answer = await self.client.get(
            url, "context", HOLD, headers=(ACCEPT,), first_bytes=MAX_BYTES
        )
        if isinstance(answer, Wait):
            return f"Its host rests: {answer.delay}."
        return answer.message if isinstance(answer, Failed) else answer


def few_of(addresses: Iterable[str]) -> list[str]:
    """Those of the contexts that a page names which it may have: always the same ones."""
    return sorted(addresses)[:MOST]


def bodies_of(contexts: Iterable[Context]) -> dict[str, bytes]:
    """The texts of contexts, by address, where they could be had."""
    return {context.url: context.body for context in contexts if context.body is not None}


def _body(answer: Fetched) -> tuple[bytes | None, str]:
    if answer.status != 200 or answer.body_state is not BodyState.WHOLE:
        return None, f"The server answered {answer.status}."
    decoded = decode(answer.body, answer.content_encoding, MAX_BYTES)
    return (None, decoded.problem or "") if decoded.problem else (decoded.body, "answered 200")
