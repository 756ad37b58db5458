"""Asking for one sitemap, with all manners, wherever redirects lead."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from gossamer.crawling.sitemap_record import NotYet
from gossamer.crawling.verdicts import TRANSIENT_STATUSES
from gossamer.fetch.redirect import redirect_of
from gossamer.model import MAX_HOPS, BodyState, Failed, Fetched, Refusal, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.robots.record import Meaning
from gossamer.politeness.robots.rules import Rules


async def fetched_sitemap(
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
        answer = await _asked(client, url, most_bytes, patience)
        if not isinstance(answer, Fetched):
            return answer
        target = redirect_of(answer, hops)
        if target is None:
            return _content(answer)
        if isinstance(target, Refusal):
            return None
        url = target
    return None


async def _asked(
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
