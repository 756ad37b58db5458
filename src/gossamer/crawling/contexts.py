"""Contexts that pages name: fetched once, politely, and kept for all pages that follow.

A page names whatever its author likes, so what it can cause is bounded: so many contexts, of a size
that contexts have, and so many requests a day to other sites for all pages of its site together.
Contexts that everybody uses are asked for in any case. Nobody parses them here.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.config import KIB, MIB, Config
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.known_contexts import is_well_known
from gossamer.fetch.decode import decode
from gossamer.fetch.redirect import redirect_of
from gossamer.frontier.contexts import Context
from gossamer.frontier.frontier import SqlFrontier
from gossamer.model import BodyState, Failed, Fetched, Problem, Refusal, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.robots.rules import Rules
from gossamer.urls import canonical, host_of, site_of

HOLD: Final = timedelta(seconds=30)  # a page waits no longer for the contexts it names
GOOD_FOR: Final = timedelta(days=7)
BAD_FOR: Final = timedelta(hours=1)
MAX_BYTES: Final = 512 * KIB  # unpacked; schema.org's, the largest in wide use, has 200 KiB
# JSON of terms and addresses packs to a tenth, at best to a thirtieth.
MAX_RATIO: Final = 100
ANY_RATIO_BYTES: Final = 64 * KIB  # as much as this may be packed as well as it likes
# A page may name as many as it has problems, and each is a request to whomever it likes. Pages that
# mean it name a handful, of some KiB.
MOST: Final = 32
MOST_BYTES: Final = 4 * MIB  # of all that one page names
ACCEPT: Final = ("Accept", "application/ld+json, application/json;q=0.9, text/html;q=0.1")


@dataclass(frozen=True, slots=True)
class FoundContexts:
    """Contexts for a page: what could be had, and what it may not have."""

    bodies: dict[str, bytes] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


class _UsedUpError(Exception):
    """The pages of a site may cause no more requests to other sites today."""


@dataclass(slots=True)
class Contexts:
    """Gives pages the contexts they name. Several pages that want the same share one request."""

    config: Config
    frontier: SqlFrontier
    clerk: Clerk
    client: PoliteClient
    now: Callable[[], datetime]
    _asked: dict[str, asyncio.Task[str | None]] = field(default_factory=dict)

    async def get(self, addresses: Iterable[str], page: str) -> FoundContexts:
        """Those of a page's contexts that can be had before its time is up, and that it may have."""
        named = sorted(set(addresses))
        few, site = few_of(named), site_of(host_of(Url(page)))
        use = self.frontier.contexts.use
        known = await self.clerk.do(use, few, MOST_BYTES)
        fresh = {context.url for context in known if context.ask_at > self.now()}
        problems = [] if len(few) == len(named) else [too_many(len(named))]
        if missing := [address for address in few if address not in fresh]:
            del known  # many pages may wait here, and each would hold the texts it has
            if left_out := await self._ask_for(missing, site):
                most = self.config.budget.requests_elsewhere
                problems.append(used_up(site, left_out, most))
            known = await self.clerk.do(use, few, MOST_BYTES)
        return FoundContexts(bodies_of(known), tuple(problems))

    async def close(self) -> None:
        """Wait for nothing any more."""
        asked = list(self._asked.values())
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    async def _ask_for(self, addresses: Sequence[str], site: str) -> list[str]:
        """Have contexts fetched and kept, as far as there is time; nobody holds them meanwhile.

        Those that the site may not have us ask for come back.
        """
        refused = await self._round(addresses, site)
        # Another site's pages may have asked for it at the same time, and may not.
        others = [address for address, by in refused.items() if by != site]
        refused = {address: site for address, by in refused.items() if by == site}
        return [*refused, *(await self._round(others, site) if others else ())]

    async def _round(self, addresses: Sequence[str], site: str) -> dict[str, str]:
        """Fetch contexts once; the addresses that were refused, each with the site whose account it was."""
        tasks = {address: self._task(address, site) for address in addresses}
        await asyncio.wait(tasks.values(), timeout=HOLD.total_seconds())
        refused = {}
        for address, task in tasks.items():
            if task.done() and not task.cancelled() and (by := task.result()) is not None:
                refused[address] = by
        return refused

    def _task(self, address: str, site: str) -> asyncio.Task[str | None]:
        task = self._asked.get(address)
        if task is None:
            task = asyncio.create_task(self._renew(address, site))
            self._asked[address] = task
            task.add_done_callback(lambda _: self._asked.pop(address, None))
        return task

    async def _renew(self, address: str, site: str) -> str | None:
        """Ask for a context unless it is fresh; the site, if its pages may not have us do so."""
        contexts = self.frontier.contexts
        known = await self.clerk.do(contexts.of, address)
        if known is None or known.ask_at <= self.now():
            try:
                body, cause = await self._fetched(address, site)
            except _UsedUpError:
                return site
            asked_at = self.now()
            ask_at = asked_at + (GOOD_FOR if body is not None else BAD_FOR)
            if body is None and known is not None:
                body = known.body  # an old one serves until there is a new one
            known = Context(url=address, body=body, cause=cause, asked_at=asked_at, ask_at=ask_at)
            await self.clerk.do(contexts.keep, known, self.config.crawl.context_bytes)
        return None

    async def _fetched(self, address: str, site: str) -> tuple[bytes | None, str]:
        """A context's text, and how asking for it went; redirects are followed with all manners."""
        url = canonical(address)
        for hops in range(11):
            if isinstance(url, Refusal):
                return None, url.why
            if not is_well_known(address):
                await self._take(url, site)
            answer = await self._asked_politely(url)
            if not isinstance(answer, Fetched):
                return None, answer
            target = redirect_of(answer, hops)
            if target is None:
                return context_body(answer)
            url = target
        return None, "It redirects without end."

    async def _take(self, url: Url, site: str) -> None:
        """Count the requests that a URL of another site takes: its own, and one for robots.txt."""
        if site_of(host_of(url)) == site:
            return
        requests = 1 if self.client.known_rules(url) is not None else 2
        most = self.config.budget.requests_elsewhere
        if not await self.clerk.do(self.frontier.asking.take, site, requests, most):
            raise _UsedUpError

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


def too_many(named: int) -> Problem:
    """A page names more contexts than are fetched for one."""
    return Problem(
        f"The page names {named:,} contexts that are not known here; {named - MOST:,} were left "
        f"out: no more than {MOST} are fetched for a page."
    )


def used_up(site: str, left_out: Sequence[str], most: int) -> Problem:
    """A page names contexts that its site's pages may not have us ask for any more today."""
    count = "1 context" if len(left_out) == 1 else f"{len(left_out)} contexts"
    return Problem(
        f"{count} at other sites, {left_out[0][:200]!r} first, "
        f"{'was' if len(left_out) == 1 else 'were'} not fetched: the pages of {site} have caused "
        f"the {most:,} requests to other sites that they may in a day (budget.requests_elsewhere)."
    )


def context_body(answer: Fetched) -> tuple[bytes | None, str]:
    """The text of a context that was answered, and how that went."""
    if answer.status == 200 and answer.body_state is BodyState.CUT:
        return None, f"It is larger than {MAX_BYTES:,} bytes."
    if answer.status != 200 or answer.body_state is not BodyState.WHOLE:
        return None, f"The server answered {answer.status}."
    decoded = decode(answer.body, answer.content_encoding, MAX_BYTES)
    if decoded.problem:
        return None, decoded.problem
    if is_absurd(len(answer.body), len(decoded.body)):
        return (
            None,
            f"{len(answer.body):,} bytes that unpack to {len(decoded.body):,} are no context.",
        )
    return decoded.body, "answered 200"


def is_absurd(received: int, unpacked: int) -> bool:
    """Whether so few bytes unpack to so many that nobody wrote them for people to use."""
    return unpacked > ANY_RATIO_BYTES and unpacked > MAX_RATIO * received
