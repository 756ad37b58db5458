"""May these URLs be fetched now? Asks for robots.txt where it must, politely; reserves nothing."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from gossamer.model import Failed, Refusal, Url
from gossamer.politeness.ledger import Ledger, Wait
from gossamer.politeness.permission import AGAIN, Checked, Permission, judged, resting
from gossamer.politeness.robots.record import Rules
from gossamer.urls import host_of, origin_of, seed

PATIENCE: Final = timedelta(seconds=5)  # to ask for robots.txt, and to rest after it
MOST_AT_ONCE: Final = 100  # hosts asked side by side
AT_A_STRETCH: Final = 50  # URLs judged before others have their turn: rules may be long

T = TypeVar("T")


class RulesAndClocks(Protocol):
    """A source of rules and clocks: a polite client, or one that watches a client at work."""

    @property
    def ledger(self) -> Ledger:
        """The hosts' clocks."""

    def now(self) -> datetime:
        """The present moment."""

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if there are none that are fresh."""


async def check_all(
    client: RulesAndClocks, texts: Sequence[str], within: timedelta | None = None
) -> list[Permission]:
    """A verdict for each text, in the order given.

    Hosts are asked side by side; the URLs of one host are judged together, by rules that are
    asked for once. Hosts whose turn to be asked has not come `within` this time are not.
    """
    room, began = asyncio.Semaphore(MOST_AT_ONCE), client.now()
    found: dict[str, Permission] = {}
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


async def check(client: RulesAndClocks, text: str) -> Checked:
    """Whether a URL, as a person typed it, may be fetched now."""
    url = seed(text)
    if isinstance(url, Refusal):
        return Checked(_no_url(text, url))
    (checked,) = await _of_host(client, [url], client.now(), asyncio.Semaphore())
    return checked


def without_user_info(text: str) -> str:
    """A text that is no URL, as far as it can be repeated."""
    hidden, at, rest = text.rpartition("@")
    return f"***@{rest}" if at and hidden else text


def _no_url(text: str, refusal: Refusal) -> Permission:
    return Permission(without_user_info(text), refusal.why, None)


async def _of_host(
    client: RulesAndClocks,
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


def _held_up(checked: Checked, wait: Wait, now: datetime) -> Checked:
    if not checked.verdict.allowed:
        return checked
    return replace(checked, verdict=resting(checked.verdict.url, wait, now))


def _not_asked(url: Url) -> Permission:
    return Permission(url, "There was no time to ask its host; others were asked first.", AGAIN)


async def _clock(client: RulesAndClocks, host: str, began: datetime) -> Wait | None:
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
    """Check URLs, with turns for other tasks in between."""
    for number, value in enumerate(values):
        if number % AT_A_STRETCH == 0:
            await asyncio.sleep(0)
        yield value
