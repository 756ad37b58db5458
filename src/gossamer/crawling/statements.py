"""What the graph is to hold of a page after its verdict. Pure."""

from dataclasses import replace
from datetime import datetime

from gossamer.crawling.verdicts import GONE, Verdict
from gossamer.frontier.protocol import ArchivedPage, Ended, Settlement
from gossamer.index.fetch_statements import FetchFacts, Outcome, fetch_nquads
from gossamer.index.names import page_name
from gossamer.index.pages import PageGraphs

_OUTCOMES = {
    Ended.CONTENT: Outcome.FETCHED,
    Ended.SKIPPED: Outcome.FETCHED,
    Ended.REDIRECTED: Outcome.REDIRECTED,
    Ended.FAILED: Outcome.FAILED,
    Ended.REFUSED: Outcome.REFUSED,
}


def graphs_of(verdict: Verdict, now: datetime) -> PageGraphs | None:
    """The page's graphs; None where they stay as they are, since its fate is not decided yet."""
    settlement = verdict.settlement
    outcome = _OUTCOMES.get(settlement.ended)
    if outcome is None:
        return None
    fetch = fetch_nquads(_facts(verdict, _exactly(outcome, settlement), now))
    return PageGraphs(page_name(settlement.page.url), verdict.nquads, fetch)


def graphs_since(verdict: Verdict, page: ArchivedPage) -> PageGraphs:
    """The graphs of a page that was read anew, and visited since: its fetch is that visit.

    It was in vain, or brought what was there already.

    Of the times of a visit the row has only when it was settled.
    """
    visit = Settlement(
        page=verdict.settlement.page,
        ended=page.ended,
        status=page.status,
        why=page.why,
        keep_content=page.was_visited_since,
    )
    cause, message = _why(visit)
    facts = replace(
        _facts(verdict, Outcome.FETCHED, page.settled_at),
        outcome=_exactly(_OUTCOMES[visit.ended], visit),
        started_at=page.settled_at,
        finished_at=page.settled_at,
        status=visit.status,
        cause=cause,
        message=message,
    )
    return PageGraphs(page_name(page.url), verdict.nquads, fetch_nquads(facts))


def _exactly(outcome: Outcome, settlement: Settlement) -> Outcome:
    if settlement.ended is Ended.CONTENT and settlement.keep_content:
        return Outcome.UNCHANGED
    return Outcome.MISSING if settlement.status in GONE else outcome


def _facts(verdict: Verdict, outcome: Outcome, now: datetime) -> FetchFacts:
    settlement, answer, extracted = verdict.settlement, verdict.answer, verdict.extracted
    cause, message = _why(settlement)
    return FetchFacts(
        url=settlement.page.url,
        outcome=outcome,
        started_at=answer.started_at if answer else now,
        finished_at=answer.finished_at if answer else now,
        status=settlement.status,
        media_type=settlement.media_type,
        syntaxes=extracted.syntaxes if extracted else (),
        quads=settlement.quads if outcome is Outcome.FETCHED else None,
        redirect=settlement.why if outcome is Outcome.REDIRECTED else None,
        cause=cause,
        message=message,
        problems=extracted.problems if extracted else (),
    )


def _why(settlement: Settlement) -> tuple[str | None, str | None]:
    """The rule or cause, and the sentence to it, out of `rule: sentence`."""
    if settlement.why is None or settlement.ended is Ended.REDIRECTED:
        return None, None
    cause, colon, message = settlement.why.partition(": ")
    return (cause, message) if colon else (None, settlement.why)
