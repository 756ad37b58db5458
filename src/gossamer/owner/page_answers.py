"""Answers about one host or page, and about pages with problems: from the frontier and the graphs of fetches.

What the graph says about a fetch is read from `PAGE#fetch`, which only we write: no page can speak there.
Nobody outside is asked.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gossamer import __version__
from gossamer.crawl.sitemap_record import FACT, SitemapRecord
from gossamer.fetch.agent import user_agent
from gossamer.frontier.protocol import Trouble, TroubledPage
from gossamer.index.graph.names import fetch_graph, page_name
from gossamer.model import Refusal, Url
from gossamer.moments import now_utc
from gossamer.owner.messages import AnswerError, Record
from gossamer.owner.questions import AboutHost, AboutPage, LinksTo, Nodes, Problems, SitemapsOf
from gossamer.owner.records import (
    decision_record,
    delay_record,
    node_record,
    robots_record,
    sitemaps_record,
    trouble_record,
)
from gossamer.politeness.delay import pace_for
from gossamer.urls import host_of, origin_of, seed

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

PREFIXES: Final = """PREFIX gossamer: <urn:gossamer:>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX dcterms: <http://purl.org/dc/terms/>
"""
MOST_LINKING: Final = 100
LOOKING: Final = 2.0  # seconds: a large crawl's links are not all looked through
PAGES_AT_ONCE: Final = 200
MOST_PROBLEMS: Final = 100  # unless more are asked for


class NoSuchUrlError(AnswerError):
    """What somebody gave is no URL; the text says why."""


async def about_host(folder: "FolderAnswers", question: AboutHost) -> Record:
    """A host as the frontier has it, its delay and its robots.txt files; and who we say we are."""
    name = question.host
    state = await folder.frontier_thread.do(folder.frontier.host, name)
    ledger = folder.activity.ledger(name) or await folder.frontier_thread.do(
        folder.ledgers.get, name
    )
    politeness, now = folder.frontier.politeness, now_utc()
    known = await folder.frontier_thread.do(folder.frontier.robots.of_host, name)
    pace = pace_for(name, politeness)
    return {
        "host": None if state is None else folder.host_record(state, now),
        "delay": None if ledger is None else delay_record(name, ledger.clock, pace, now),
        "robots": [robots_record(each, politeness.agent, now) for each in known],
        "agent": politeness.agent,
        "user_agent": user_agent(politeness, __version__),
        "contact": politeness.contact,
        "usual_delay": politeness.delay.total_seconds(),
    }


async def known_sitemaps(folder: "FolderAnswers", question: SitemapsOf) -> Record:
    """The sitemaps that a host's robots.txt files name, and how far its sitemaps were read."""
    host = host_of(_url(question.host))
    agent, now = folder.frontier.politeness.agent, now_utc()

    def look_up() -> list[Record]:
        facts = folder.frontier.facts
        found = []
        for rules in folder.frontier.robots.of_host(host):
            fact = facts.of(FACT + rules.origin)
            read = None if fact is None else SitemapRecord.parse(fact)
            found.append(sitemaps_record(rules.origin, rules.policy(agent, now).sitemaps, read))
        return found

    return {"host": host, "origins": await folder.frontier_thread.do(look_up)}


async def about_page(folder: "FolderAnswers", question: AboutPage) -> Record:
    """What is known of a URL, and what the robots.txt that we have says about it."""
    url = _url(question.url)
    return {
        "url": url,
        "host": host_of(url),
        "page": await folder.known_of(url),
        "robots": await _decision(folder, url),
    }


async def linking_pages(folder: "FolderAnswers", question: LinksTo) -> Record:
    """Pages that link to a URL, so many at most; and whether there may be more."""
    url = _url(question.url)
    pages: list[Url] = []
    after: int | None = 0
    most, until = question.limit or MOST_LINKING, time.monotonic() + LOOKING
    while after is not None and len(pages) < most and time.monotonic() < until:
        some, after = await folder.frontier_thread.do(folder.frontier.linking, url, after)
        pages += some
    pages = [page for page in pages if page != url]
    return {"pages": pages[:most], "more": after is not None or len(pages) > most}


async def known_nodes(folder: "FolderAnswers", _: Nodes) -> Record:
    """The nodes of the crawl."""
    found = await folder.frontier_thread.do(folder.frontier.nodes)
    return {"nodes": [node_record(each) for each in found]}


def _url(text: str) -> Url:
    url = seed(text)
    if isinstance(url, Refusal):
        raise NoSuchUrlError(url.why)
    return url


async def _decision(folder: "FolderAnswers", url: Url) -> Record | None:
    record = await folder.frontier_thread.do(folder.frontier.robots.of, origin_of(url))
    if record is None:
        return None
    now = now_utc()
    return decision_record(record.policy(folder.frontier.politeness.agent, now).decide(url))


async def problem_pages(folder: "FolderAnswers", question: Problems) -> Record:
    """A page of them, and where the next one begins, if there is one."""
    limit = question.limit or MOST_PROBLEMS
    found = await folder.frontier_thread.do(
        partial(
            folder.frontier.troubled,
            kinds=[Trouble(kind) for kind in question.kinds],
            host=question.host,
            limit=limit + 1,  # one more, to see whether there is a next page
            after=question.after,
        )
    )
    pages = found[:limit]
    told = await _read_problems(folder, pages)
    return {
        "pages": [
            trouble_record(page, told.get(fetch_graph(page_name(page.url)), ())) for page in pages
        ],
        "next": pages[-1].place if len(found) > limit else None,
    }


async def _read_problems(
    folder: "FolderAnswers", pages: Sequence[TroubledPage]
) -> dict[str, list[Record]]:
    """What the graph says is wrong in those of the pages that have problems."""
    urls = [page.url for page in pages if page.problems]
    found: dict[str, list[Record]] = {}
    for start in range(0, len(urls), PAGES_AT_ONCE):
        query = problems_query(urls[start : start + PAGES_AT_ONCE])
        found |= problems_by_page(await folder.ask_graph(query))
    return found


def problems_query(urls: Iterable[str]) -> str:
    """What is wrong in these pages."""
    fetches = " ".join(f"<{fetch_graph(page_name(url))}>" for url in urls)
    return f"""{PREFIXES}SELECT ?fetch ?syntax ?line ?message {{
  VALUES ?fetch {{ {fetches} }}
  GRAPH ?fetch {{
    ?fetch gossamer:problem ?problem . ?problem dcterms:description ?message
    OPTIONAL {{ ?problem gossamer:syntax ?syntax }}
    OPTIONAL {{ ?problem gossamer:line ?line }}
  }}
}}"""


def problems_by_page(answer: bytes) -> dict[str, list[Record]]:
    """The answer to `problems_query`, by name of the fetch's graph, in the order of lines."""
    found: dict[str, list[Record]] = {}
    for row in _rows(answer):
        told = {"syntax": row.get("syntax"), "line": _number(row), "message": row["message"]}
        found.setdefault(row["fetch"], []).append(told)
    for each in found.values():
        each.sort(key=lambda told: (told["line"] or 0, told["message"]))
    return found


def fetch_query(url: str) -> str:
    """Every statement about a page's fetch itself."""
    fetch = fetch_graph(page_name(url))
    return f"SELECT ?p ?o {{ GRAPH <{fetch}> {{ <{fetch}> ?p ?o }} }}"


def fetch_record(answer: bytes) -> Record | None:
    """The answer to `fetch_query`: what the last fetch came to, None where there was none."""
    found: dict[str, list[str]] = {}
    for row in _rows(answer):
        found.setdefault(row["p"].rpartition("#")[2].rpartition(":")[2], []).append(row["o"])
    if "outcome" not in found:
        return None
    return {
        "outcome": found["outcome"][0],
        "finished_at": found.get("endedAtTime", [None])[0],
        "syntaxes": sorted(found.get("syntax", [])),
    }


def _rows(answer: bytes) -> Iterable[Mapping[str, str]]:
    rows: list[dict[str, Any]] = json.loads(answer)["results"]["bindings"]
    return ({name: term["value"] for name, term in row.items()} for row in rows)


def _number(row: Mapping[str, str]) -> int | None:
    return int(row["line"]) if "line" in row else None
