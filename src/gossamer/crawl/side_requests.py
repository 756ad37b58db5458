"""Requests beside those for pages: sitemaps, TDMRep files, contexts; and the allowance for other sites.

They are sent as politely as pages are, wherever redirects lead. A site may have us send so many requests a
day to other sites, counted before they are sent.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, NamedTuple

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

Refusing = Callable[[Url], Awaitable[Refusal | None]]
"""Says why a URL may not be asked for: the one wanted, and each that it redirects to."""
DISALLOWED: Final = "robots"
UNREACHABLE: Final = "robots-unreachable"
REDIRECT: Final = "redirect"


class SideAnswer(NamedTuple):
    """What came of a request beside those for pages."""

    answer: Fetched | Failed | Wait | Refusal
    hops: int  # redirects that were followed before


async def request_aside(
    client: PoliteClient,
    url: Url,
    purpose: str,
    patience: timedelta,
    refusal: Refusing,
    *,
    first_bytes: int,
    headers: tuple[tuple[str, str], ...] = (),
    most_hops: int = MAX_HOPS,
    patience_behind_redirects: timedelta = timedelta(0),
) -> SideAnswer:
    """Fetch a URL or its first bytes, with redirects followed; each by `refusal`, robots.txt and the clock."""
    for hops in range(most_hops + 1):
        answer = await _request(client, url, purpose, patience, refusal, first_bytes, headers)
        if not isinstance(answer, Fetched):
            return SideAnswer(answer, hops)
        target = redirect_of(answer, hops)
        if target is None:
            return SideAnswer(answer, hops)
        if isinstance(target, Refusal):
            return SideAnswer(Refusal(REDIRECT, target.why), hops)
        url = target
        patience = max(patience, patience_behind_redirects)
    return SideAnswer(Refusal(REDIRECT, "It redirects without end."), most_hops)


async def _request(
    client: PoliteClient,
    url: Url,
    purpose: str,
    patience: timedelta,
    refusal: Refusing,
    first_bytes: int,
    headers: tuple[tuple[str, str], ...],
) -> Fetched | Failed | Wait | Refusal:
    if (refused := await refusal(url)) is not None:
        return refused
    rules = await client.rules(url, patience)
    if not isinstance(rules, Rules):
        return rules
    decision = rules.policy.decide(url)
    if not decision.allowed:
        is_closed = rules.record.meaning is Meaning.UNREACHABLE
        return Refusal(UNREACHABLE if is_closed else DISALLOWED, decision.why)
    return await client.get(url, purpose, patience, headers=headers, first_bytes=first_bytes)


async def fetch_sitemap(
    client: PoliteClient, url: Url, most_bytes: int, patience: timedelta, refusal: Refusing
) -> Fetched | NotYet | Refusal | None:
    """A sitemap, or its first bytes where it has more. None where there is none for us."""
    found, _ = await request_aside(
        client, url, "sitemap", patience, refusal, first_bytes=most_bytes
    )
    match found:
        case Fetched():
            return _content(found)
        case Wait():
            return NotYet(f"Its host rests: {found.delay}.", found.until)
        case Failed():
            return NotYet(found.message) if found.cause.transient else None
        case Refusal(rule=rule):
            if rule == UNREACHABLE:
                return NotYet(found.why)
            return None if rule in (DISALLOWED, REDIRECT) else found


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
