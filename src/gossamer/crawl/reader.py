"""Read answers: workers extract what they say; contexts that pages name are fetched for them.

Contexts are fetched once, politely, and kept for all pages that follow. A page names whatever its
author likes, so what it can cause is bounded: so many contexts, of a size that contexts have, and so
many requests a day to other sites for all pages of its site together. Contexts that everybody uses are
requested in any case. Nobody parses them here.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal

from gossamer.config import KIB, MIB, Config
from gossamer.crawl.side_requests import count_request, request_aside
from gossamer.fetch.decode import decode
from gossamer.frontier.contexts import Context
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.model import BodyState, Failed, Fetched, Problem, Refusal, Url
from gossamer.politeness.ledger import Wait
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page_pool import TransformPool
from gossamer.reading.wanted import wanted_syntaxes
from gossamer.report.options import PLAIN, ReportOptions
from gossamer.sending.client import PoliteClient
from gossamer.transform.jsonld.schema_org import is_schema_org
from gossamer.urls import canonical, host_of, site_of

# Contexts and vocabularies that everybody uses. Whole addresses, not hosts: `w3id.org` and `purl.org` lead
# wherever somebody had them lead, and a page could name a million addresses there.
_SCHEME: Final = re.compile(r"https?://(?:www\.)?")
_ADDRESSES: Final = """
    doi.org/10.5063/schema/codemeta-2.0
    geojson.org/geojson-ld/geojson-context.jsonld
    iiif.io/api/auth/1/context.json
    iiif.io/api/image/2/context.json
    iiif.io/api/image/3/context.json
    iiif.io/api/presentation/2/context.json
    iiif.io/api/presentation/3/context.json
    json-ld.org/contexts/person.jsonld
    json-ld.org/contexts/place.jsonld
    linked.art/ns/v1/linked-art.json
    ogp.me/ns
    openbadgespec.org/v2/context.json
    project-open-data.cio.gov/v1.1/schema/catalog.jsonld
    purl.imsglobal.org/spec/ob/v3p0/context.json
    purl.org/dc/elements/1.1
    purl.org/dc/terms
    purl.org/goodrelations/v1
    rdfs.org/sioc/ns
    raw.githubusercontent.com/codemeta/codemeta/2.0/codemeta.jsonld
    uri.etsi.org/ngsi-ld/v1/ngsi-ld-core-context.jsonld
    w3.org/1999/02/22-rdf-syntax-ns
    w3.org/2000/01/rdf-schema
    w3.org/2002/07/owl
    w3.org/2004/02/skos/core
    w3.org/2006/vcard/ns
    w3.org/2013/json-ld-context/rdfa11
    w3.org/2018/credentials/v1
    w3.org/2019/wot/td/v1
    w3.org/2022/wot/td/v1.1
    w3.org/ns/activitystreams
    w3.org/ns/anno.jsonld
    w3.org/ns/controller/v1
    w3.org/ns/credentials/v2
    w3.org/ns/csvw
    w3.org/ns/csvw.jsonld
    w3.org/ns/dcat
    w3.org/ns/did/v1
    w3.org/ns/dqv
    w3.org/ns/hydra/context.jsonld
    w3.org/ns/hydra/core
    w3.org/ns/ldp
    w3.org/ns/md
    w3.org/ns/odrl.jsonld
    w3.org/ns/org
    w3.org/ns/prov
    w3.org/ns/rdfa
    w3.org/ns/shacl
    w3.org/ns/solid/terms
    w3id.org/codemeta/3.0
    w3id.org/did/v1
    w3id.org/identity/v1
    w3id.org/ro/crate/1.0/context
    w3id.org/ro/crate/1.1/context
    w3id.org/ro/crate/1.2/context
    w3id.org/security/data-integrity/v1
    w3id.org/security/data-integrity/v2
    w3id.org/security/suites/ed25519-2020/v1
    w3id.org/security/v1
    w3id.org/security/v2
    xmlns.com/foaf/0.1
"""
WELL_KNOWN: Final = frozenset(_ADDRESSES.split())
HOLD: Final = timedelta(seconds=30)  # a page waits no longer for the contexts it names
GOOD_FOR: Final = timedelta(days=7)
BAD_FOR: Final = timedelta(hours=1)
MAX_BYTES: Final = 512 * KIB  # unpacked; schema.org's, the largest in wide use, has 200 KiB
# JSON of terms and addresses packs to a tenth, at best to a thirtieth.
MAX_RATIO: Final = 100
ANY_RATIO_BYTES: Final = 64 * KIB  # as much as this may be packed as well as it likes
# A page may name as many as it has problems, and each is a request to whomever it likes. Pages that
# mean it name a handful, of some KiB.
MOST: Final = 32
MOST_BYTES: Final = 4 * MIB  # of all that one page names
ACCEPT: Final = ("Accept", "application/ld+json, application/json;q=0.9, text/html;q=0.1")
# What a page says without its contexts is kept for it while it waits for them, as long as it is no
# more than this: a thousand pages may wait. One that says more is read again, come what may.
MOST_BYTES_WAITING: Final = 64 * KIB


@dataclass(frozen=True, slots=True)
class FoundContexts:
    """Contexts for a page: what could be had, and what it may not have."""

    bodies: dict[str, bytes] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


class _UsedUpError(Exception):
    """The pages of a site may cause no more requests to other sites today."""


@dataclass(slots=True)
class Contexts:
    """Gives pages the contexts they name. Several pages that want the same share one request."""

    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    client: PoliteClient
    now: Callable[[], datetime]
    _asked: dict[str, asyncio.Task[str | None]] = field(default_factory=dict)

    async def get(self, addresses: Iterable[str], page: str) -> FoundContexts:
        """Fetch the contexts that a page names, as many as it may have and its time allows."""
        named = sorted(set(addresses))
        few, site = few_of(named), site_of(host_of(Url(page)))
        use = self.frontier.contexts.use
        known = await self.frontier_thread.do(use, few, MOST_BYTES)
        fresh = {context.url for context in known if context.ask_at > self.now()}
        problems = [] if len(few) == len(named) else [too_many(len(named))]
        if missing := [address for address in few if address not in fresh]:
            del known  # many pages may wait here, and each would hold the texts it has
            if left_out := await self._ask_for(missing, site):
                most = self.config.budget.requests_elsewhere
                problems.append(used_up(site, left_out, most))
            known = await self.frontier_thread.do(use, few, MOST_BYTES)
        return FoundContexts(bodies_of(known), tuple(problems))

    async def close(self) -> None:
        """Wait for nothing any more."""
        asked = list(self._asked.values())
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    async def _ask_for(self, addresses: Sequence[str], site: str) -> list[str]:
        """Have contexts fetched and kept, as far as there is time; nobody holds them meanwhile.

        Those that the site may not have us ask for come back.
        """
        refused = await self._round(addresses, site)
        # Another site's pages may have asked for it at the same time, and may not.
        others = [address for address, by in refused.items() if by != site]
        refused = {address: site for address, by in refused.items() if by == site}
        return [*refused, *(await self._round(others, site) if others else ())]

    async def _round(self, addresses: Sequence[str], site: str) -> dict[str, str]:
        """Fetch contexts once; the addresses that were refused, each with the site whose account it was."""
        tasks = {address: self._task(address, site) for address in addresses}
        await asyncio.wait(tasks.values(), timeout=HOLD.total_seconds())
        refused = {}
        for address, task in tasks.items():
            if task.done() and not task.cancelled() and (by := task.result()) is not None:
                refused[address] = by
        return refused

    def _task(self, address: str, site: str) -> asyncio.Task[str | None]:
        task = self._asked.get(address)
        if task is None:
            task = asyncio.create_task(self._renew(address, site))
            self._asked[address] = task
            task.add_done_callback(lambda _: self._asked.pop(address, None))
        return task

    async def _renew(self, address: str, site: str) -> str | None:
        """Ask for a context unless it is fresh; the site, if its pages may not have us do so."""
        contexts = self.frontier.contexts
        known = await self.frontier_thread.do(contexts.of, address)
        if known is None or known.ask_at <= self.now():
            try:
                body, cause = await self._fetch(address, site)
            except _UsedUpError:
                return site
            asked_at = self.now()
            ask_at = asked_at + (GOOD_FOR if body is not None else BAD_FOR)
            if body is None and known is not None:
                body = known.body  # an old one serves until there is a new one
            known = Context(url=address, body=body, cause=cause, asked_at=asked_at, ask_at=ask_at)
            await self.frontier_thread.do(contexts.keep, known, self.config.crawl.context_bytes)
        return None

    async def _fetch(self, address: str, site: str) -> tuple[bytes | None, str]:
        """A context's text, and how asking for it went; redirects are followed with all manners."""
        url = canonical(address)
        if isinstance(url, Refusal):
            return None, url.why
        refusal = partial(self._refusal, address, site)
        found, _ = await request_aside(
            self.client, url, "context", HOLD, refusal, first_bytes=MAX_BYTES, headers=(ACCEPT,)
        )
        match found:
            case Fetched():
                return context_body(found)
            case Wait():
                return None, f"Its host rests: {found.delay}."
            case Failed():
                return None, found.message
            case Refusal():
                return None, found.why

    async def _refusal(self, address: str, site: str, url: Url) -> None:
        """Count the requests that a URL of another site takes: its own, and one for robots.txt."""
        most = self.config.budget.requests_elsewhere
        if is_well_known(address):
            return
        if not await count_request(
            site, url, self.client, self.frontier, self.frontier_thread, most
        ):
            raise _UsedUpError


def few_of(addresses: Iterable[str]) -> list[str]:
    """The contexts that a page may have of those it names: always the same ones."""
    return sorted(addresses)[:MOST]


def bodies_of(contexts: Iterable[Context]) -> dict[str, bytes]:
    """The texts of contexts, by address, where they could be had."""
    return {context.url: context.body for context in contexts if context.body is not None}


def too_many(named: int) -> Problem:
    """A page names more contexts than are fetched for one."""
    return Problem(
        f"The page names {named:,} contexts that are not known here; {named - MOST:,} were left "
        f"out: no more than {MOST} are fetched for a page."
    )


def used_up(site: str, left_out: Sequence[str], most: int) -> Problem:
    """A page names contexts that its site's pages may not have us ask for any more today."""
    count = "1 context" if len(left_out) == 1 else f"{len(left_out)} contexts"
    return Problem(
        f"{count} at other sites, {left_out[0][:200]!r} first, "
        f"{'was' if len(left_out) == 1 else 'were'} not fetched: the pages of {site} have caused "
        f"the {most:,} requests to other sites that they may in a day (budget.requests_elsewhere)."
    )


def context_body(answer: Fetched) -> tuple[bytes | None, str]:
    """The text of a context that was answered, and how that went."""
    if answer.status == 200 and answer.body_state is BodyState.CUT:
        return None, f"It is larger than {MAX_BYTES:,} bytes."
    if answer.status != 200 or answer.body_state is not BodyState.WHOLE:
        return None, f"The server answered {answer.status}."
    decoded = decode(answer.body, answer.content_encoding, MAX_BYTES)
    if decoded.problem:
        return None, decoded.problem
    if is_absurd(len(answer.body), len(decoded.body)):
        return (
            None,
            f"{len(answer.body):,} bytes that unpack to {len(decoded.body):,} are no context.",
        )
    return decoded.body, "answered 200"


def is_absurd(received: int, unpacked: int) -> bool:
    """Whether so few bytes unpack to so many that nobody wrote them for people to use."""
    return unpacked > ANY_RATIO_BYTES and unpacked > MAX_RATIO * received


def is_well_known(address: str) -> bool:
    """Whether an address is that of a context or vocabulary which everybody uses."""
    if is_schema_org(address):
        return True
    bare = _SCHEME.sub("", address.partition("#")[0], count=1)
    return bare.removesuffix("/") in WELL_KNOWN


READABLE: Final = frozenset({BodyState.WHOLE, BodyState.CUT})
"""Bodies that are read: whole ones, and first parts where these are asked for (`fetch.too_large`)."""


def text_wanted(config: Config) -> Literal["none", "lead", "full"]:
    """How much of the visible text of pages is kept: none without a search index, or where nothing is to be read."""
    reads_nothing = wanted_syntaxes(config.transform.only) == frozenset()
    return "none" if reads_nothing or not config.index.words else config.index.text


@dataclass(slots=True)
class PageReader:
    """Reads answers in worker processes."""

    config: Config
    pool: TransformPool
    contexts: Contexts
    find_items: bool = False  # for whoever is handed the pages
    report: ReportOptions = PLAIN

    async def read(self, fetched: Fetched) -> Extracted | None:
        """What an answer says; None where there is nothing to be read."""
        if not 200 <= fetched.status < 300 or fetched.body_state not in READABLE:
            return None
        job = PageJob(
            fetched.url,
            fetched.body,
            fetched.header("content-type"),
            fetched.content_encoding,
            options=self.config.transform,
            max_decoded_bytes=self.config.fetch.max_decoded_bytes,
            max_links=self.config.crawl.links_per_page,
            bare_links=True,
            link_query=self.config.crawl.follow_query,
            find_items=self.find_items,
            finds_faults=self.config.report.keep,
            report=self.report,
            robots_tag=fetched.header("x-robots-tag") or "",
            hashes=True,
            text=text_wanted(self.config),
            hidden_links=self.config.crawl.hidden_links,
            forms=self.config.crawl.forms,
            is_part=fetched.body_state is BodyState.CUT,
            takes_part=self.config.fetch.too_large == "first",
            want=self.config.focus.want,
            want_words=self.config.focus.words,
        )
        extracted: Extracted | None = await self.pool.run(job)
        assert extracted is not None
        wants = {problem.wants for problem in extracted.problems if problem.wants is not None}
        if not wants:
            return extracted
        if len(extracted.nquads) > MOST_BYTES_WAITING:
            extracted = None
        found = await self.contexts.get(wants, fetched.url)
        if extracted is None or found.bodies:
            extracted = await self.pool.run(replace(job, contexts=found.bodies))
        return replace(extracted, problems=(*extracted.problems, *found.problems))
