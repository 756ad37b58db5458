"""The answers of an owner that sends requests: checks and leases, on one polite client's clocks."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gossamer.check import Manners, check_all
from gossamer.inquiries import Inquiries
from gossamer.leases import PURPOSE, Granted, Leases
from gossamer.owner.answers import Answers
from gossamer.owner.messages import Question, Record
from gossamer.polite import PoliteClient
from gossamer.politeness.outcome import Reported
from gossamer.politeness.verdict import Verdict

ASKED_WITHIN: Final = timedelta(seconds=15)  # all hosts of one check
MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(slots=True)
class MannersAnswers:
    """Checks and leases as those see them who ask for them."""

    leases: Leases
    manners: Callable[[], Manners]  # for one question
    now: Callable[[], datetime]

    async def check(self, texts: Sequence[str]) -> Record:
        """Whether these may be fetched now."""
        verdicts = await check_all(self.manners(), texts, ASKED_WITHIN)
        return {"verdicts": [verdict.record() for verdict in verdicts]}

    async def lease(self, question: Question) -> Record:
        """A verdict on a URL, and a lease where it may be fetched."""
        (text,) = question.texts
        given = await self.leases.lease(
            text,
            timedelta(seconds=question.seconds or 0),
            question.client or "",
            purpose=question.purpose or PURPOSE,
            lasting=None if question.lasting is None else timedelta(seconds=question.lasting),
        )
        if isinstance(given, Verdict):
            return {**given.record(), "lease": None, "rule": given.rule}
        return {**Verdict(given.url).record(), "lease": _lease_record(given, self.now())}

    async def report(self, question: Question) -> Record:
        """Take a lease back."""
        assert question.lease is not None
        granted = await self.leases.report(question.lease, question.report or Reported())
        return {"id": granted.id, "url": granted.url}


@asynccontextmanager
async def minding_manners(
    answers: Answers,
    client: PoliteClient,
    watched: Callable[[Inquiries], Manners] | None = None,
) -> AsyncIterator[MannersAnswers]:
    """Have questions about manners answered by this client, which no other process shares.

    `watched` is who looks at clocks and rules for one question, where that is not the client.
    """

    async def lend(host: str, until: datetime | None) -> None:
        await answers.clerk.do(answers.frontier.lend, host, until)

    async with Inquiries(client) as inquiries:

        def manners() -> Manners:
            return inquiries if watched is None else watched(inquiries)

        try:
            async with Leases(client, lend) as leases:
                asked = MannersAnswers(leases, manners, client.now)
                answers.check, answers.lease = asked.check, asked.lease
                answers.report = asked.report
                try:
                    yield asked
                finally:
                    answers.check = answers.lease = None
        finally:
            answers.report = None  # those that are out may be reported until here


def _lease_record(granted: Granted, now: datetime) -> Record:
    return {
        "id": granted.id,
        "sendAt": _moment(granted.send_at),
        "validUntil": _moment(granted.valid_until),
        "validFor": max(granted.valid_until - now, timedelta(0)) // MILLISECOND,
    }


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
