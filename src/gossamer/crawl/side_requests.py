"""Requests beside those for pages: sitemaps, and the allowance for requests to other sites.

A site may have us send so many requests a day to other sites, counted before they are sent.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from gossamer.crawl.sitemap_record import NotYet
from gossamer.crawl.verdicts import TRANSIENT_STATUSES
from gossamer.fetch.response import redirect_of
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.model import MAX_HOPS, BodyState, Failed, Fetched, Refusal, Url
from gossamer.politeness.ledger import Wait
from gossamer.politeness.robots.record import Meaning, Rules
from gossamer.sending.client import PoliteClient
from gossamer.urls import host_of, site_of


async def fetch_sitemap(
    client: PoliteClient,
    url: Url,
    most_bytes: int,
    patience: timedelta,
    refusal: Callable[[Url], Awaitable[Refusal | None]],
) -> Fetched | NotYet | Refusal | None:
    """A sitemap, or its first bytes where it has more. None where there is none for us.

    `refusal` says why a URL may not be asked for, of the sitemap and of each place it leads to.
    """
    for hops in range(MAX_HOPS + 1):
        if (refused := await refusal(url)) is not None:
            return refused
        answer = await _request(client, url, most_bytes, patience)
        if not isinstance(answer, Fetched):
            return answer
        target = redirect_of(answer, hops)
        if target is None:
            return _content(answer)
        if isinstance(target, Refusal):
            return None
        url = target
    return None


async def _request(
    client: PoliteClient, url: Url, most_bytes: int, patience: timedelta
) -> Fetched | NotYet | None:
    rules = await client.rules(url, patience)
    if isinstance(rules, Wait):
        return NotYet(f"Its host rests: {rules.delay}.", rules.until)
    if not isinstance(rules, Rules):
        return None
    decision = rules.policy.decide(url)
    if not decision.allowed:
        closed = rules.record.meaning is Meaning.UNREACHABLE
        return NotYet(decision.why) if closed else None
    answer = await client.get(url, "sitemap", patience, first_bytes=most_bytes)
    if isinstance(answer, Wait):
        return NotYet(f"Its host rests: {answer.delay}.", answer.until)
    if isinstance(answer, Failed):
        return NotYet(answer.message) if answer.cause.transient else None
    return answer


def _content(answer: Fetched) -> Fetched | NotYet | None:
    if answer.status in TRANSIENT_STATUSES:
        return NotYet(f"The server answered {answer.status}.")
    if answer.status != 200:
        return None
    broke_off = answer.body_state is BodyState.TRUNCATED
    return NotYet("The answer broke off before its end.") if broke_off else answer


async def count_request(
    site: str,
    url: Url,
    client: PoliteClient,
    frontier: SqlFrontier,
    frontier_thread: FrontierThread,
    most: int,
) -> bool:
    """Count what a site has us ask at another; False where it has used up its allowance.

    One request, and one more where the robots.txt of the URL's origin is to be asked for.
    """
    if site_of(host_of(url)) == site:
        return True
    requests = 1 if client.known_rules(url) is not None else 2
    return await frontier_thread.do(frontier.asking.take, site, requests, most)
