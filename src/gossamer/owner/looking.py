"""One host, one page, and who crawls: what people look at one by one. Nobody outside is asked."""

import time
from typing import TYPE_CHECKING, Final

from gossamer import __version__
from gossamer.fetch.agent import user_agent
from gossamer.model import Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.messages import AnswerError, Question, Record
from gossamer.owner.records import (
    decision_record,
    delay_record,
    node_record,
    robots_record,
)
from gossamer.politeness.delay import pace_for
from gossamer.urls import host_of, origin_of, seed

if TYPE_CHECKING:
    from gossamer.owner.answers import Answers


MOST_LINKING: Final = 100
LOOKING: Final = 2.0  # seconds: a large crawl's links are not all looked through


class NoSuchUrlError(AnswerError):
    """What somebody gave is no URL; the text says why."""


async def host(answers: "Answers", question: Question) -> Record:
    """A host as the frontier has it, its delay and its robots.txt files; and who we say we are."""
    name = question.host or ""
    state = await answers.clerk.do(answers.frontier.host, name)
    ledger = answers.at_hand(name) or await answers.clerk.do(answers.ledgers.get, name)
    politeness, now = answers.frontier.politeness, now_utc()
    known = await answers.clerk.do(answers.frontier.robots.of_host, name)
    pace = pace_for(name, politeness)
    return {
        "host": None if state is None else answers.host_record(state, now),
        "delay": None if ledger is None else delay_record(name, ledger.clock, pace, now),
        "robots": [robots_record(each, politeness.agent, now) for each in known],
        "agent": politeness.agent,
        "user_agent": user_agent(politeness, __version__),
        "contact": politeness.contact,
        "usual_delay": politeness.delay.total_seconds(),
    }


async def page(answers: "Answers", question: Question) -> Record:
    """What is known of a URL, and what the robots.txt that we have says about it."""
    url = _url(question)
    return {
        "url": url,
        "host": host_of(url),
        "page": await answers.known_of(url),
        "robots": await _decision(answers, url),
    }


async def linking(answers: "Answers", question: Question) -> Record:
    """Pages that link to a URL, so many at most; and whether there may be more."""
    url = _url(question)
    pages: list[Url] = []
    after: int | None = 0
    most, until = question.limit or MOST_LINKING, time.monotonic() + LOOKING
    while after is not None and len(pages) < most and time.monotonic() < until:
        some, after = await answers.clerk.do(answers.frontier.linking, url, after)
        pages += some
    pages = [page for page in pages if page != url]
    return {"pages": pages[:most], "more": after is not None or len(pages) > most}


async def nodes(answers: "Answers", _: Question) -> Record:
    """Who crawls."""
    found = await answers.clerk.do(answers.frontier.nodes)
    return {"nodes": [node_record(each) for each in found]}


def _url(question: Question) -> Url:
    (text,) = question.texts
    url = seed(text)
    if isinstance(url, Refusal):
        raise NoSuchUrlError(url.why)
    return url


async def _decision(answers: "Answers", url: Url) -> Record | None:
    record = await answers.clerk.do(answers.frontier.robots.of, origin_of(url))
    if record is None:
        return None
    now = now_utc()
    return decision_record(record.policy(answers.frontier.politeness.agent, now).decide(url))
