"""What became of a fetch, as statements for `PAGE#fetch`. Pure.

Standard vocabularies first: PROV-O for what was done when, HTTP in RDF for what the server said,
Dublin Core for media type and sentences, TDMRep for reservations; ours for what has no standard.
docs/vocabularies.md has the table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from pyoxigraph import Literal

from gossamer.index.graph.names import fetch_graph, page_name
from gossamer.index.graph.response_fields import FIELDS, ResponseField
from gossamer.model import Problem
from gossamer.politeness.consent import consent
from gossamer.politeness.usage import OF_THE_SITE, Source, UsageStatement

RDF_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
PROV: Final = "http://www.w3.org/ns/prov#"
HTTP: Final = "http://www.w3.org/2011/http#"
DCTERMS: Final = "http://purl.org/dc/terms/"
TDM: Final = "http://www.w3.org/ns/tdmrep#"
OURS: Final = "urn:gossamer:"  # names of ours that nobody can look up: no address to be kept alive

DESCRIPTION: Final = f"{DCTERMS}description"
ANSWERED: Final = f"{HTTP}resp"
ABOUT_CONTENT: Final = frozenset(
    {
        f"{DCTERMS}format",
        f"{OURS}quads",
        f"{OURS}syntax",
        f"{OURS}problems",
        f"{OURS}problem",
        f"{OURS}line",
        f"{OURS}usage",
        f"{OURS}source",
        f"{OURS}contentUsage",
        f"{OURS}contentSignal",
        f"{OURS}aiTraining",
        f"{OURS}robotsTag",
        f"{OURS}license",
        f"{OURS}disallows",
        f"{TDM}reservation",
        f"{TDM}policy",
        *(f"{OURS}{name}" for name, _ in FIELDS.values()),
    }
)
"""What is said of content, with the descriptions of problems: the fetch has one of its own.

What robots.txt and tdmrep.json say about its use (`site_usage_names`) stays only until the next
answer: they are read anew.
"""

RESPONSE: Final = "_:response"
MOST_PROBLEMS: Final = 100  # of one page; how many there were is said in any case
_PLAIN: Final = re.compile(r"[ !#-\[\]-~]*")  # stands for itself
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class FetchOutcome(StrEnum):
    """What a fetch came to."""

    FETCHED = "fetched"  # answered with content
    UNCHANGED = "unchanged"  # 304: what we have is still right
    REDIRECTED = "redirected"
    MISSING = "missing"  # 404, 410
    FAILED = "failed"  # no answer, or one of failure
    REFUSED = "refused"  # by us, before a request: robots, scope…


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchFacts:
    """All that is known of a page's last fetch."""

    url: str  # canonical
    outcome: FetchOutcome
    started_at: datetime
    finished_at: datetime
    status: int | None = None
    media_type: str | None = None
    syntaxes: tuple[str, ...] = ()
    quads: int | None = None  # in the content that this fetch brought
    redirect: str | None = None  # canonical URL of the target
    cause: str | None = None  # of a failure (`model.Cause`), or the rule that refused
    message: str | None = None  # a sentence to that
    problems: tuple[Problem, ...] = ()
    usage: tuple[UsageStatement, ...] = ()  # policies as IRIs
    fields: tuple[ResponseField, ...] = ()  # of the header of the response


def usage_name(page: str, source: Source) -> str:
    """The name of what a source says about the use of a page."""
    return f"{page}#usage-{source.partition('.')[0]}"


def site_usage_names(page: str) -> frozenset[str]:
    """The names of what is said about the use of a page beside it."""
    return frozenset(usage_name(page, source) for source in OF_THE_SITE)


def fetch_nquads(facts: FetchFacts) -> bytes:
    """The statements, as N-Quads of the page's fetch graph."""
    page = page_name(facts.url)
    fetch = fetch_graph(page)
    end = f" <{fetch}> .\n"
    return (end.join(_statements(facts, f"<{page}>", f"<{fetch}>")) + end).encode()


def _statements(facts: FetchFacts, page: str, fetch: str) -> Iterator[str]:
    yield f"{fetch} <{RDF_TYPE}> <{PROV}Activity>"
    yield f"{fetch} <{PROV}startedAtTime> {_moment(facts.started_at)}"
    yield f"{fetch} <{PROV}endedAtTime> {_moment(facts.finished_at)}"
    yield f"{fetch} <{PROV}used> {page}"
    yield f"{fetch} <{OURS}outcome> {_text(facts.outcome)}"
    if facts.status is not None:
        yield f"{fetch} <{ANSWERED}> {RESPONSE}"
        yield f"{RESPONSE} <{HTTP}statusCodeValue> {_number(facts.status)}"
    if facts.media_type:
        yield f"{page} <{DCTERMS}format> {_text(facts.media_type)}"
    if facts.redirect is not None:
        yield f"{page} <{OURS}redirectsTo> <{page_name(facts.redirect)}>"
    if facts.cause is not None:
        yield f"{fetch} <{OURS}cause> {_text(facts.cause)}"
    if facts.message is not None:
        yield f"{fetch} <{DESCRIPTION}> {_text(facts.message)}"
    if facts.outcome is FetchOutcome.FETCHED:
        yield f"{page} <{PROV}wasGeneratedBy> {fetch}"
    if facts.quads is not None:
        yield f"{fetch} <{OURS}quads> {_number(facts.quads)}"
    for syntax in dict.fromkeys(facts.syntaxes):
        yield f"{fetch} <{OURS}syntax> {_text(syntax)}"
    for name, value in facts.fields:
        yield f"{fetch} <{OURS}{name}> {_literal(value)}"
    if facts.problems:
        yield from _problems(facts.problems, fetch)
    if facts.usage:
        yield from _usage(facts.usage, page[1:-1])


def _usage(usage: Sequence[UsageStatement], page: str) -> Iterator[str]:
    """One node for each source, since a reservation and its policy belong together."""
    for source in dict.fromkeys(statement.source for statement in usage):
        node = f"<{usage_name(page, source)}>"
        yield f"<{page}> <{OURS}usage> {node}"
        yield f"{node} <{OURS}source> {_text(source)}"
        for statement in usage:
            if statement.source == source:
                yield f"{node} {_signal(statement)}"
    for answer in consent(usage).values():
        if answer.value == "disallowed":
            yield f"<{page}> <{OURS}disallows> {_text(answer.purpose)}"


def _signal(statement: UsageStatement) -> str:
    match statement.signal:
        case "tdm-reservation":
            return f"<{TDM}reservation> {_number(int(statement.value))}"
        case "tdm-policy":
            return f"<{TDM}policy> <{statement.value}>"
        case "content-usage":
            return f"<{OURS}contentUsage> {_text(statement.value)}"
        case "content-signal":
            return f"<{OURS}contentSignal> {_text(statement.value)}"
        case "ai-training":
            return f"<{OURS}aiTraining> {_text(statement.value)}"
        case "no-ai":
            return f"<{OURS}robotsTag> {_text(statement.value)}"
        case "rsl":
            return f"<{OURS}license> {_text(statement.value)}"


def _problems(problems: Sequence[Problem], fetch: str) -> Iterator[str]:
    yield f"{fetch} <{OURS}problems> {_number(len(problems))}"
    for number, problem in enumerate(problems[:MOST_PROBLEMS]):
        yield from _problem(problem, f"_:problem{number}", fetch)


def _problem(problem: Problem, node: str, fetch: str) -> Iterator[str]:
    yield f"{fetch} <{OURS}problem> {node}"
    yield f"{node} <{DESCRIPTION}> {_text(problem.message)}"
    if problem.syntax is not None:
        yield f"{node} <{OURS}syntax> {_text(problem.syntax)}"
    if problem.line is not None:
        yield f"{node} <{OURS}line> {_number(problem.line)}"


def _literal(value: str | int | datetime) -> str:
    if isinstance(value, datetime):
        return _moment(value)
    return _number(value) if isinstance(value, int) else _text(value)


def _moment(moment: datetime) -> str:
    return f'"{moment.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"^^<{XSD}dateTime>'


def _number(number: int) -> str:
    return f'"{number}"^^<{XSD}integer>'


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text):  # as nearly all of our own words are
        return f'"{text}"'
    # Half of a character pair, out of a broken page, cannot be written in UTF-8.
    return str(Literal(_SURROGATE.sub("\ufffd", text)))
