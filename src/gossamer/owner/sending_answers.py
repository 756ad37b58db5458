"""Answers of an owner that sends requests: checks and lent rights, on one polite client's clocks."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gossamer.moments import iso_moment
from gossamer.owner.folder_answers import FolderAnswers
from gossamer.owner.handlers import Handlers
from gossamer.owner.opening import Answers, answer_with
from gossamer.owner.questions import Check, IsWanted, LendRight, NoteTimeLeft, ReportRight
from gossamer.owner.told import Heard, HostWanted, LeaseRecord, LentOrNot, TakenBack, Verdicts
from gossamer.politeness.permission import Permission
from gossamer.sending.check import RulesAndClocks, check_all
from gossamer.sending.client import PoliteClient
from gossamer.sending.lent import PURPOSE, LentRight, LentRights
from gossamer.sending.robots_rules import RobotsRules

ASKED_WITHIN: Final = timedelta(seconds=15)  # all hosts of one check
MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(slots=True)
class SendingAnswers:
    """Checks and leases as those see them who ask for them."""

    lent: LentRights
    rules_and_clocks: Callable[[], RulesAndClocks]  # for one question
    now: Callable[[], datetime]

    def handlers(self) -> Handlers:
        """Handlers for questions that only an owner that sends can answer."""
        return (
            Handlers()
            .on(Check, self._check)
            .on(LendRight, self._lend)
            .on(ReportRight, self._report)
            .on(NoteTimeLeft, self._note_left)
            .on(IsWanted, self._is_wanted)
        )

    async def _check(self, question: Check) -> Verdicts:
        """Whether these may be fetched now."""
        verdicts = await check_all(self.rules_and_clocks(), question.urls, ASKED_WITHIN)
        return {"verdicts": [verdict.record() for verdict in verdicts]}

    async def _lend(self, question: LendRight) -> LentOrNot:
        """A verdict on a URL, and a lease where it may be fetched."""
        given = await self.lent.lend(
            question.url,
            question.patience,
            question.client,
            purpose=question.purpose or PURPOSE,
            lasting=question.lasting,
            heeds_robots=question.heeds_robots,
        )
        if isinstance(given, Permission):
            return {**given.record(), "lease": None, "rule": given.rule}
        lease = _lease_record(given, self.now())
        may = Permission(given.url).record()
        return {
            "url": may["url"],
            "allowed": may["allowed"],
            "error": may["error"],
            "retryAfter": may["retryAfter"],
            "lease": lease,
        }

    async def _report(self, question: ReportRight) -> TakenBack:
        """Take a lease back."""
        lent = await self.lent.report(question.id, question.report)
        return {"id": lent.id, "url": lent.url}

    async def _note_left(self, question: NoteTimeLeft) -> Heard:
        """Have those told who would wait in vain; a lease that is over by now is none of their business."""
        self.lent.note_left(question.id, question.left)
        return {}

    async def _is_wanted(self, question: IsWanted) -> HostWanted:
        """Whether somebody waits for a host: who has it and does not use it may make way."""
        return {"wanted": self.lent.is_wanted(question.host)}


@asynccontextmanager
async def answer_and_lend(
    folder: FolderAnswers,
    client: PoliteClient,
    *handlers: Handlers,
    watched: Callable[[RobotsRules], RulesAndClocks] | None = None,
) -> AsyncIterator[Answers]:
    """Answer questions, those about rules and clocks by this client, which no other process shares.

    `watched` is who looks at clocks and rules for one question, where that is not the client.
    """

    async def lend(host: str, until: datetime | None) -> None:
        await folder.frontier_thread.do(folder.frontier.lend, host, until)

    def rules_and_clocks() -> RulesAndClocks:
        return client.robots if watched is None else watched(client.robots)

    lent = LentRights(client.rights, client.hosts, lend)
    asked = SendingAnswers(lent, rules_and_clocks, client.now)
    try:
        async with answer_with(folder, asked.handlers(), *handlers) as answers:
            try:
                async with lent:
                    try:
                        yield answers
                    finally:
                        answers.withdraw(Check, LendRight)
            finally:
                answers.withdraw(ReportRight)  # those that are out may be reported until here
    finally:
        await client.robots.stop()


def _lease_record(lent: LentRight, now: datetime) -> LeaseRecord:
    return {
        "id": lent.id,
        "sendAt": iso_moment(lent.send_at),
        "validUntil": iso_moment(lent.valid_until),
        "validFor": max(lent.valid_until - now, timedelta(0)) // MILLISECOND,
    }
