"""Turns the outcome of a page into RDF: the graphs that a page has after its verdict. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

from gossamer.crawl.verdicts import GONE, PageVerdict
from gossamer.frontier.protocol import ArchivedPage, Ended, Settlement
from gossamer.index.graph.fetch_statements import FetchFacts, FetchOutcome, fetch_nquads
from gossamer.index.graph.names import page_name
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.response_fields import response_fields
from gossamer.model import Fetched, Url
from gossamer.politeness.usage import OF_THE_SITE, TDMREP_PATH, UsageStatement
from gossamer.transform.iris import join, mended
from gossamer.urls import origin_of

_OUTCOMES = {
    Ended.CONTENT: FetchOutcome.FETCHED,
    Ended.SKIPPED: FetchOutcome.FETCHED,
    Ended.REDIRECTED: FetchOutcome.REDIRECTED,
    Ended.FAILED: FetchOutcome.FAILED,
    Ended.REFUSED: FetchOutcome.REFUSED,
}


def graphs_of(
    verdict: PageVerdict, now: datetime, changed: Collection[str] = ()
) -> PageGraphs | None:
    """The page's graphs; None where they stay as they are, since its fate is not decided yet.

    `changed` are the names of pages whose text is another than before.
    """
    settlement = verdict.settlement
    outcome = outcome_of(settlement)
    if outcome is None:
        return None
    fetch = fetch_nquads(_facts(verdict, outcome, now))
    name = page_name(settlement.page.url)
    return PageGraphs(name, verdict.nquads, fetch, has_other_text=name in changed)


def graphs_since(
    verdict: PageVerdict, page: ArchivedPage, changed: Collection[str] = ()
) -> PageGraphs:
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
    cause, message = cause_of(visit)
    facts = replace(
        _facts(verdict, FetchOutcome.FETCHED, page.settled_at),
        outcome=_exactly(_OUTCOMES[visit.ended], visit),
        started_at=page.settled_at,
        finished_at=page.settled_at,
        status=visit.status,
        cause=cause,
        message=message,
    )
    name = page_name(page.url)
    return PageGraphs(name, verdict.nquads, fetch_nquads(facts), has_other_text=name in changed)


def texts_of(verdicts: Iterable[PageVerdict]) -> dict[str, bytes]:
    """The visible texts that pages bring, by the names of the pages; of the others, what is kept stays."""
    return {
        page_name(verdict.settlement.page.url): verdict.text
        for verdict in verdicts
        if verdict.text is not None and outcome_of(verdict.settlement) is not None
    }


def outcome_of(settlement: Settlement) -> FetchOutcome | None:
    """What a fetch came to; None where that is not decided yet."""
    outcome = _OUTCOMES.get(settlement.ended)
    return None if outcome is None else _exactly(outcome, settlement)


def _exactly(outcome: FetchOutcome, settlement: Settlement) -> FetchOutcome:
    if settlement.ended is Ended.CONTENT and settlement.keep_content:
        return FetchOutcome.UNCHANGED
    return FetchOutcome.MISSING if settlement.status in GONE else outcome


def _facts(verdict: PageVerdict, outcome: FetchOutcome, now: datetime) -> FetchFacts:
    settlement, answer, extracted = verdict.settlement, verdict.answer, verdict.extracted
    cause, message = cause_of(settlement)
    return FetchFacts(
        url=settlement.page.url,
        outcome=outcome,
        started_at=answer.started_at if answer else now,
        finished_at=answer.finished_at if answer else now,
        status=settlement.status,
        media_type=settlement.media_type,
        syntaxes=extracted.syntaxes if extracted else (),
        quads=settlement.quads if outcome is FetchOutcome.FETCHED else None,
        redirect=settlement.why if outcome is FetchOutcome.REDIRECTED else None,
        cause=cause,
        message=message,
        problems=extracted.problems if extracted else (),
        usage=_usage(verdict, outcome) if verdict.usage else (),
        # Where the page keeps its graphs, what was said of them stays too.
        fields=response_fields(answer)
        if isinstance(answer, Fetched) and verdict.nquads is not None
        else (),
    )


def _usage(verdict: PageVerdict, outcome: FetchOutcome) -> tuple[UsageStatement, ...]:
    """What is said about the use of content that this fetch brought, or that the page keeps.

    Where it keeps it, what its own headers and meta elements said stays with it.
    """
    if outcome not in (FetchOutcome.FETCHED, FetchOutcome.UNCHANGED, FetchOutcome.FAILED):
        return ()
    brought = outcome is FetchOutcome.FETCHED
    said = (each for each in verdict.usage if brought or each.source in OF_THE_SITE)
    resolved = (_resolved(each, verdict.settlement.page.url) for each in said)
    return tuple(filter(None, resolved))


def _resolved(statement: UsageStatement, page: str) -> UsageStatement | None:
    """The statement with a policy's whole address; None where it is none."""
    if statement.signal != "tdm-policy":
        return statement
    in_file = statement.source == "tdmrep.json"
    base = origin_of(Url(page)) + TDMREP_PATH if in_file else page
    policy = mended(join(base, statement.value))
    return None if policy is None else replace(statement, value=policy)


def cause_of(settlement: Settlement) -> tuple[str | None, str | None]:
    """The rule or cause, and the sentence to it, out of `rule: sentence`."""
    if settlement.why is None or settlement.ended is Ended.REDIRECTED:
        return None, None
    cause, colon, message = settlement.why.partition(": ")
    return (cause, message) if colon else (None, settlement.why)
