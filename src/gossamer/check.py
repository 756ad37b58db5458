"""May these URLs be fetched now? Asks for robots.txt where it must, politely; reserves nothing."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from gossamer.model import Failed, Refusal, Url
from gossamer.politeness.host_ledger import Held, Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.robots.policy import Decision
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.politeness.robots.rules import Rules
from gossamer.politeness.verdict import Verdict
from gossamer.urls import host_of, origin_of, seed

PATIENCE: Final = timedelta(seconds=5)  # to ask for robots.txt, and to rest after it
MOST_AT_ONCE: Final = 100  # hosts asked side by side
AT_A_STRETCH: Final = 50  # URLs judged before others have their turn: rules may be long
ROBOTS: Final = "robots"  # the rule by which a URL is refused
PAUSE: Final = "pause"  # that of a host which failed, or asked to be left alone for a while
AGAIN: Final = timedelta(seconds=1)  # where somebody is being asked, and nobody knows how long

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StillAsking(Wait):
    """Somebody waits for an origin's robots.txt, and has not got it so far."""


class Manners(Protocol):
    """Whoever knows robots.txt files and clocks: a polite client, or who watches one at work."""

    @property
    def ledger(self) -> Ledger:
        """The hosts' clocks."""

    def now(self) -> datetime:
        """The present moment."""

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if there are none that are fresh."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and what it rests on."""

    verdict: Verdict
    url: Url | None = None
    rules: Rules | None = None
    decision: Decision | None = None


async def check_all(
    client: Manners, texts: Sequence[str], within: timedelta | None = None
) -> list[Verdict]:
    """A verdict for each text, in the order given.

    Hosts are asked side by side; the URLs of one host are judged together, by rules that are
    asked for once. Hosts whose turn to be asked has not come `within` this time are not.
    """
    room, began = asyncio.Semaphore(MOST_AT_ONCE), client.now()
    found: dict[str, Verdict] = {}
    by_host: defaultdict[str, dict[str, Url]] = defaultdict(dict)
    async for text in _unhurried(dict.fromkeys(texts)):
        url = seed(text)
        if isinstance(url, Refusal):
            found[text] = _no_url(text, url)
        else:
            by_host[host_of(url)][text] = url

    async def judge(urls: dict[str, Url]) -> None:
        checked = await _of_host(client, [*urls.values()], began, room, within)
        found.update(zip(urls, (each.verdict for each in checked), strict=True))

    async with asyncio.TaskGroup() as tasks:
        for urls in by_host.values():
            tasks.create_task(judge(urls))
    return [found[text] for text in texts]


async def check(client: Manners, text: str) -> Checked:
    """Whether a URL, as a person typed it, may be fetched now."""
    url = seed(text)
    if isinstance(url, Refusal):
        return Checked(_no_url(text, url))
    (checked,) = await _of_host(client, [url], client.now(), asyncio.Semaphore())
    return checked


async def permitted(client: Manners, url: Url, patience: timedelta) -> Checked:
    """Whether a URL may be fetched at all; when, its host's clock decides."""
    rules = await client.rules(url, patience)
    return judged(url, rules, client.now())


def resting(url: str, wait: Wait, now: datetime) -> Verdict:
    """What is to be said where somebody has to wait."""
    left = max(wait.until - now, timedelta(0))
    if isinstance(wait, StillAsking):
        return Verdict(url, "The robots.txt of its origin is still being asked for.", left)
    rest = f"rests between requests: {wait.delay}."
    if isinstance(wait, Held):
        ends_by = f"{wait.ends_by:%H:%M:%S} UTC"
        return Verdict(url, f"Somebody has the host until {ends_by} at most, and it {rest}", left)
    return Verdict(url, f"The host {rest}", left, PAUSE if wait.delay.is_pause else None)


def without_user_info(text: str) -> str:
    """A text that is no URL, as far as it can be repeated."""
    hidden, at, rest = text.rpartition("@")
    return f"***@{rest}" if at and hidden else text


def _no_url(text: str, refusal: Refusal) -> Verdict:
    return Verdict(without_user_info(text), refusal.why, None)


async def _of_host(
    client: Manners,
    urls: Sequence[Url],
    began: datetime,
    room: asyncio.Semaphore,
    within: timedelta | None = None,
) -> list[Checked]:
    """Whether URLs of one host may be fetched now, each by itself."""
    origins = {origin_of(url): url for url in urls}
    try:
        left = None if within is None else (began + within - client.now()).total_seconds()
        async with asyncio.timeout(left):
            await room.acquire()
    except TimeoutError:
        return [Checked(_not_asked(url), url) for url in urls]
    try:
        rules = {origin: await client.rules(url, PATIENCE) for origin, url in origins.items()}
    finally:
        room.release()
    now = client.now()
    checked = [judged(url, rules[origin_of(url)], now) async for url in _unhurried(urls)]
    if not any(each.verdict.allowed for each in checked):
        return checked
    wait = await _clock(client, host_of(urls[0]), began)
    if wait is None:
        return checked
    now = client.now()
    return [_held_up(each, wait, now) for each in checked]


def judged(url: Url, rules: Rules | Wait | Failed, now: datetime) -> Checked:
    """A URL as far as robots.txt goes, once its rules are known, or why they are not."""
    if isinstance(rules, Wait):
        return Checked(resting(url, rules, now), url)
    if isinstance(rules, Failed):
        return Checked(Verdict(url, rules.message, None, rules.cause), url)
    decision = rules.policy.decide(url)
    verdict = Verdict(url)
    if not decision.allowed:
        closed_for = _closed_for(rules.record, decision, now)
        verdict = Verdict(url, decision.why, closed_for, ROBOTS)
    return Checked(verdict, url, rules, decision)


def _held_up(checked: Checked, wait: Wait, now: datetime) -> Checked:
    if not checked.verdict.allowed:
        return checked
    return replace(checked, verdict=resting(checked.verdict.url, wait, now))


def _not_asked(url: Url) -> Verdict:
    return Verdict(url, "There was no time to ask its host; others were asked first.", AGAIN)


async def _clock(client: Manners, host: str, began: datetime) -> Wait | None:
    """What is left of the host's rest.

    The rest that our own questions for robots.txt caused is waited out here: whoever asks
    did not ask for it.
    """
    give_up_at = client.now() + PATIENCE
    while wait := client.ledger.wait(host, client.now()):
        caused_by_us = client.ledger.rested_from(host) >= began
        if not caused_by_us or wait.until > give_up_at:
            return wait
        await asyncio.sleep((wait.until - client.now()).total_seconds())
    return None


async def _unhurried(values: "Sequence[T] | dict[T, None]") -> AsyncIterator[T]:
    """The same, with turns for others in between."""
    for number, value in enumerate(values):
        if number % AT_A_STRETCH == 0:
            await asyncio.sleep(0)
        yield value


def _closed_for(record: RobotsRecord, decision: Decision, now: datetime) -> timedelta | None:
    """How long to wait where robots.txt could not be read; None where it was, and forbids."""
    if record.meaning is not Meaning.UNREACHABLE or decision.line_number is not None:
        return None
    return max(record.ask_at - now, timedelta(0))
