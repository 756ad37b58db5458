"""`/page`: what the crawl knows about one page, without contacting its host."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.responses import Response

from gossamer.errors import ArchiveError
from gossamer.index.entities.vocabulary import LABELS, all_of
from gossamer.index.graph.blanks import SCHEME, iri_of
from gossamer.index.graph.names import fetch_graph, is_fetch, page_name
from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import AboutPage, LinksTo
from gossamer.owner.vocabulary import Asker
from gossamer.service.answers import while_there
from gossamer.service.crawls import MOST_OF_A_URL
from gossamer.service.errors import not_found
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import one_of, text
from gossamer.web.addresses import address
from gossamer.web.copies import Copy, Reread, copy_at, reread
from gossamer.web.nested import gathered, summary
from gossamer.web.pages.query import Term, term_of
from gossamer.web.rendering import PAGE_REPLY, page_answer

MOST_STATEMENTS: Final = 200
MOST_LINKING: Final = 60
MOST_LOOKED_AT: Final = 5_000  # statements that lead to a page; everybody may lead to it
MAIN: Final = all_of("schema:mainEntity schema:about foaf:primaryTopic dcterms:subject")
MAIN_OF: Final = all_of("schema:mainEntityOfPage foaf:isPrimaryTopicOf")
Row = Mapping[str, Mapping[str, Any]]
URL: Final = Parameter(
    name="url", doc="The page's address.", schema=text(most=MOST_OF_A_URL, least=1), required=True
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a page, as three terms."""

    subject: Term
    predicate: Term
    object: Term


@dataclass(frozen=True, slots=True)
class PagePage:
    """The contents of the page about a crawled page."""

    url: str
    host: str
    known: Record
    robots: Mapping[str, Any] | None
    copy: Copy | None
    copy_trouble: str | None
    statements: Sequence[Statement]
    is_cut: bool
    linking: Sequence[str]  # pages that lead here, by a link, a redirect or what they say
    more_linking: bool
    reread: Reread | None
    reread_address: str
    thing: str  # its name in the graph


async def page(call: Call) -> Response:
    """Serve the page about a crawled page."""
    return await while_there(call.request, _page(call))


async def _page(call: Call) -> Response:
    told = await known_page(call)
    url, name = told["url"], page_name(told["url"])
    copy, trouble = await copy_of(call, told)
    asker = Asker(call.parts.answering, call.parts.service.query_time.total_seconds())
    rows = await asker.rows(_statements_query(name))
    saying = await asker.rows(_linking_query(name))
    linking = await _linking(call, url)
    shown = PagePage(
        url=url,
        host=told["host"],
        known=told["page"],
        robots=told["robots"],
        copy=copy,
        copy_trouble=trouble,
        statements=statements_of(rows[:MOST_STATEMENTS], name),
        is_cut=len(rows) > MOST_STATEMENTS,
        linking=[
            *dict.fromkeys([*linking["pages"], *(_page_in(row["g"]["value"]) for row in saying)])
        ],
        more_linking=linking["more"],
        reread=await _reread(call, copy),
        reread_address=address("/page", url=url, read="again"),
        thing=name,
    )
    return page_answer(call, "page.html", shown)


async def _linking(call: Call, url: str) -> Record:
    return await ask(call.parts.answering, LinksTo(url, MOST_LINKING))


async def known_page(call: Call) -> Record:
    """What the crawl knows about the URL of a call; raises `ProblemError` if it is unknown."""
    told = await ask(call.parts.answering, AboutPage(call.given["url"]))
    if told["page"] is None:
        raise not_found("The crawl has not met this page.")
    return told


async def copy_of(call: Call, told: Record) -> tuple[Copy | None, str | None]:
    """The archived copy, or why there is none."""
    place = told["page"].get("archived")
    if place is None:
        return None, "There is none: it was not had, has no data, or asks not to be kept."
    try:
        return await asyncio.to_thread(copy_at, call.parts.data.archive_folder, place), None
    except ArchiveError as error:
        return None, str(error)


async def _reread(call: Call, copy: Copy | None) -> Reread | None:
    if copy is None or call.given["read"] is None:
        return None
    async with call.parts.reading:
        return await reread(copy.record)


def _statements_query(page: str) -> str:
    """What a page says: its graphs are those whose sizes its fetch tells. Of itself first."""
    return f"""SELECT ?s ?p ?o {{
  GRAPH <{fetch_graph(page)}> {{ ?g void:triples ?n }} GRAPH ?g {{ ?s ?p ?o }}
}} ORDER BY (?s != <{page}>) STRSTARTS(STR(?s), "{SCHEME}") ?s LIMIT {MOST_STATEMENTS + 1}"""


def statements_of(rows: Sequence[Row], page: str) -> Sequence[Statement]:
    """The statements in the order of their subjects, nameless things by what the page calls them."""
    labels = _labels(rows)
    return [_statement(row, page, labels) for row in main_first(rows, page)]


def _labels(rows: Sequence[Row]) -> Mapping[str, str]:
    """The best label of each blank node; of one that has none, its class and first values."""
    nameless = [row for row in rows if row["s"]["type"] == "bnode"]
    best: dict[str, tuple[int, str]] = {}
    for row in nameless:
        rank = LABELS.get(row["p"]["value"])
        if rank is not None and row["o"]["type"] == "literal":
            told = (rank, str(row["o"]["value"]))
            best[row["s"]["value"]] = min(best.get(row["s"]["value"], told), told)
    named = {node: label for node, (_, label) in best.items() if label.strip()}
    nodes = gathered(nameless)
    return {
        node: summary(nodes[iri_of(row["s"])])
        for row in nameless
        if (node := row["s"]["value"]) not in named
    } | named


def main_first(rows: Sequence[Row], page: str) -> Sequence[Row]:
    """Statements ordered by subject: the page, its main topic, other named subjects, the rest."""
    main = _main_things(rows, page)

    def place(row: Row) -> tuple[bool, bool, bool]:
        told = row["s"]
        is_page, is_main = told["value"] == page, told["value"] in main
        return not is_page, not is_main, told["type"] == "bnode"

    return sorted(rows, key=place)


def _main_things(rows: Sequence[Row], page: str) -> frozenset[str]:
    """What the page says that it is about; where it does not, that of which it says most."""
    about = {
        row["o"]["value"]
        for row in rows
        if row["s"]["value"] == page and row["p"]["value"] in MAIN and row["o"]["type"] != "literal"
    }
    of_page = {
        row["s"]["value"]
        for row in rows
        if row["p"]["value"] in MAIN_OF and row["o"]["value"] == page
    }
    counts = Counter(row["s"]["value"] for row in rows if row["s"]["value"] != page)
    return frozenset(about | of_page or {each for each, _ in counts.most_common(1)})


def _linking_query(page: str) -> str:
    """The graphs of other pages that lead to a page; of our own statements, redirects alone."""
    return f"""SELECT DISTINCT ?g {{
  {{ SELECT ?g ?p {{ GRAPH ?g {{ ?s ?p <{page}> }} }} LIMIT {MOST_LOOKED_AT} }}
  FILTER (?g != <{page}> && !STRSTARTS(STR(?g), "{page}#"))
  FILTER (?p = gossamer:redirectsTo || !{is_fetch("?g")})
}} ORDER BY ?g LIMIT {MOST_LINKING}"""


def _statement(row: Row, page: str, labels: Mapping[str, str]) -> Statement:
    return Statement(*(_told(row[name], page, labels) for name in ("s", "p", "o")))


def _told(given: Mapping[str, Any], page: str, labels: Mapping[str, str]) -> Term:
    """A term as the page itself would say it."""
    term = term_of(given)
    if given["type"] == "bnode":
        return replace(term, text=labels.get(given["value"], term.text))
    if term.iri == page:
        return replace(term, text="this page")
    is_part = term.iri is not None and term.iri.startswith(f"{page}#")
    return replace(term, text=term.text[len(page) :]) if is_part else term


def _page_in(graph: str) -> str:
    return graph.partition("#")[0]


ROUTES: Final = (
    Route(
        path="/page",
        summary="What we know of one page",
        handler=page,
        parameters=(
            URL,
            Parameter(name="read", doc="Read its copy once more.", schema=one_of("again")),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
