"""May these URLs be fetched now? Asks for robots.txt where it must, politely; reserves nothing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from gossamer.model import Failed, Refusal, Url
from gossamer.moments import now_utc
from gossamer.polite import Rules
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.robots.policy import Decision
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.politeness.verdict import Verdict
from gossamer.urls import host_of, seed

PATIENCE: Final = timedelta(seconds=5)  # to ask for robots.txt, and to rest after it
MOST_AT_ONCE: Final = 100  # hosts asked side by side


class Manners(Protocol):
    """Whoever knows robots.txt files and clocks: a polite client, or who watches one at work."""

    @property
    def ledger(self) -> Ledger:
        """The hosts' clocks."""

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if there are none that are fresh."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict, and what it rests on."""

    verdict: Verdict
    url: Url | None = None
    rules: Rules | None = None
    decision: Decision | None = None


async def check_all(client: Manners, texts: Sequence[str]) -> list[Verdict]:
    """A verdict for each text, in the order given."""
    room, began = asyncio.Semaphore(MOST_AT_ONCE), now_utc()

    async def checked(text: str) -> Verdict:
        async with room:
            return (await check(client, text, began)).verdict

    async with asyncio.TaskGroup() as tasks:
        answers = [tasks.create_task(checked(text)) for text in texts]
    return [answer.result() for answer in answers]


async def check(client: Manners, text: str, began: datetime | None = None) -> Checked:
    """Whether a URL, as a person typed it, may be fetched now.

    `began` is when the asking began, where several URLs are asked about together.
    """
    url = seed(text)
    if isinstance(url, Refusal):
        return Checked(Verdict(without_user_info(text), url.why, None))
    began = began or now_utc()
    rules = await client.rules(url, PATIENCE)
    if isinstance(rules, Wait):
        return Checked(Verdict(url, *_rest(rules)), url)
    if isinstance(rules, Failed):
        return Checked(Verdict(url, rules.message, None), url)
    decision = rules.policy.decide(url)
    if not decision.allowed:
        return Checked(
            Verdict(url, decision.why, _closed_for(rules.record, decision)), url, rules, decision
        )
    wait = await _clock(client, url, began)
    verdict = Verdict(url, *_rest(wait)) if wait else Verdict(url)
    return Checked(verdict, url, rules, decision)


def without_user_info(text: str) -> str:
    """A text that is no URL, as far as it can be repeated."""
    hidden, at, rest = text.rpartition("@")
    return f"***@{rest}" if at and hidden else text


async def _clock(client: Manners, url: Url, began: datetime) -> Wait | None:
    """What is left of the host's rest.

    The rest that our own questions for robots.txt caused is waited out here: whoever asks
    did not ask for it.
    """
    host, give_up_at = host_of(url), now_utc() + PATIENCE
    while wait := client.ledger.wait(host, now_utc()):
        caused_by_us = client.ledger.rested_from(host) >= began
        if not caused_by_us or wait.until > give_up_at:
            return wait
        await asyncio.sleep((wait.until - now_utc()).total_seconds())
    return None


def _rest(wait: Wait) -> tuple[str, timedelta]:
    left = max(wait.until - now_utc(), timedelta(0))
    return f"The host rests between requests: {wait.delay}.", left


def _closed_for(record: RobotsRecord, decision: Decision) -> timedelta | None:
    """How long to wait where robots.txt could not be read; None where it was, and forbids."""
    if record.meaning is not Meaning.UNREACHABLE or decision.line_number is not None:
        return None
    return max(record.ask_at - now_utc(), timedelta(0))
