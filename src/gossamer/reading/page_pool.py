"""The pool of workers that read pages and sitemaps, as a crawl and the command line use it.

A page that costs too much or brings its worker down is an `Extracted` like any other, with
nothing in it but the problem that says so, and the cause by which it is not taken for content.

Workers have no network. One that reads a page of a media type with an external service
(`transform.services`) answers with a question. The owner of the pool sends the document to the address
of its own configuration, off its event loop, and hands the page out again with the reply.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Final, Self

from gossamer.config import Sitemaps
from gossamer.config import Transform as Options
from gossamer.model import Cause, Detection, Problem, Url
from gossamer.processes.process import Loss, Lost
from gossamer.processes.sandbox import Sandbox
from gossamer.processes.wire import Wire, WireError
from gossamer.reading.external_services import Services
from gossamer.reading.jobs import (
    LISTINGS,
    MARK,
    QUERY,
    SITEMAP_JOBS,
    Extracted,
    Listing,
    PageJob,
    ServiceQuestion,
    SitemapJob,
    Unlisted,
)
from gossamer.reading.pool.batch import in_order
from gossamer.reading.pool.connection import Answer
from gossamer.reading.pool.pool import HostReading, WorkerPool, usable_cores
from gossamer.reading.pool.worker import WorkerSpec
from gossamer.urls import host_of
from gossamer.values import written, written_size

JOBS: Final = Wire(PageJob)
PAGES: Final = Wire(Extracted)
CPU_SECONDS: Final = (
    3_600  # of a worker's life: one that is left spinning ends; a job is tried again
)
WORKER: Final = "gossamer.reading.page_worker:answer"  # by name: the readers are loaded there alone


class TransformPool:
    """Worker processes that extract pages: `async with`, then `run` as many at once as you like.

    The limits on time and memory are those of the pool's options, whatever a job's say. Hosts have
    their turns by the reading time they use; `heard` is told of pages that take long, or are lost.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        workers: int | None = None,
        patience: timedelta = timedelta(0),  # with external services that are absent
    ) -> None:
        self._options = options or Options()
        self._pool = _workers(self._options, workers, lambda reading: self.heard(reading))
        self.services = Services(workers or usable_cores(), patience)
        self.heard: Callable[[HostReading], None] = lambda _: None

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.services.close()
        await self._pool.__aexit__(*error)

    @property
    def pids(self) -> tuple[int, ...]:
        """The worker processes that take pages now."""
        return self._pool.pids

    async def run(self, job: PageJob) -> Extracted:
        """What the page says, or the problem that it was; raises `PoolError` without workers."""
        payload, host = JOBS.dumps(job), _host(job.url)
        job, found = await _answer(self._pool, self.services, job, payload, host)
        if isinstance(found, Lost) and (job.link_query is not None or job.want):
            return await self._without_query(job, found)
        extracted = read_answer(job, found, self._options)
        return _without_service(job, extracted)

    async def list_sitemap(self, job: SitemapJob) -> Listing | Unlisted:
        """What a sitemap lists, or why nobody knows; raises `PoolError` without workers."""
        running = self._pool.run(SITEMAP_JOBS.dumps(job, MARK), _host(job.url), alone=True)
        limits = job.limits
        del job  # it is large, and on its way
        return read_listing(limits, await running, self._options)

    def hold(self, held: bool, by: str = "pages") -> None:
        """Begin no further page, or go on; those that a worker has already are read to their end."""
        self._pool.hold(held, by)

    def is_behind(self, host: str) -> bool:
        """Whether a host's pages take long to read, and enough of them wait for that."""
        return self._pool.is_behind(host)

    async def _without_query(self, job: PageJob, lost: Lost) -> Extracted:
        """The page by itself: what it says is kept, where the user's query was too much."""
        alone = replace(job, want=(), want_words=())
        if job.link_query is not None:
            alone = replace(alone, find_links=False, link_query=None)
        found = await self._pool.run(JOBS.dumps(alone), _host(job.url))
        extracted = read_answer(alone, found, self._options)
        if isinstance(found, Lost):
            return extracted
        left = "no link is followed" if job.link_query is not None else "it counts as not wanted"
        why = f"{sentence(lost, self._options)} It was read without the query: {left}."
        return replace(extracted, problems=(*extracted.problems, Problem(why, QUERY)))


def extract_pages(
    jobs: Iterable[PageJob],
    options: Options | None = None,
    *,
    workers: int | None = None,
    tries_again: int = 1,
) -> Iterator[tuple[PageJob, Extracted]]:
    """Extract pages from code that does not await: each page and what it says, in the given order.

    `tries_again` is for pages whose worker is killed by somebody else. Jobs are taken from the iterable as workers and memory have room for them.
    """
    limits = options or Options()
    encoded = ((job, JOBS.dumps(job)) for job in jobs)
    pool = _workers(limits, workers, tries_again=tries_again)
    with closing(Services(workers or usable_cores())) as services:

        async def send(job: PageJob, payload: bytes) -> Answer:
            return (await _answer(pool, services, job, payload))[1]

        for job, found in in_order(pool, encoded, send if limits.services else None):
            yield job, read_answer(job, found, limits)


async def _answer(
    pool: WorkerPool, services: Services, job: PageJob, payload: bytes, host: str = ""
) -> tuple[PageJob, Answer]:
    """The page and a worker's answer, with a service's reply where the worker asks for one."""
    found = await pool.run(payload, host)
    if job.options.services and (question := _question(found)) is not None:
        job = await services.ask(job, question)
        found = await pool.run(JOBS.dumps(job), host)
    return job, found


def _without_service(job: PageJob, extracted: Extracted) -> Extracted:
    """What a page says; where nobody was there to say the rest, that is told first, with the cause."""
    if job.service is None or not job.service.is_absent or extracted.cause is not None:
        return extracted
    problem = Problem(job.service.fault or "")
    others = (each for each in extracted.problems if each != problem)
    return replace(extracted, problems=(problem, *others), cause=Cause.SERVICE_ABSENT)


def _question(found: Answer) -> ServiceQuestion | None:
    try:
        return None if isinstance(found, Lost) else PAGES.loads(found).question
    except WireError:  # `read_answer` says so
        return None


def _workers(
    options: Options,
    workers: int | None,
    heard: Callable[[HostReading], None] = lambda _: None,
    tries_again: int = 1,
) -> WorkerPool:
    spec = WorkerSpec(
        function=WORKER,
        path=tuple(sys.path),
        memory_bytes=options.memory_bytes,
        time_limit=options.time_limit.total_seconds(),
        sandbox=sandbox_of(options),
    )
    return WorkerPool(spec, workers=workers or usable_cores(), heard=heard, tries_again=tries_again)


def sandbox_of(options: Options) -> Sandbox:
    """What a worker may do beside reading pages: what the user's stylesheets and plug-ins need."""
    return Sandbox(
        reads=(*options.stylesheets.values(), *options.plugin_reads),
        writes=options.plugin_writes,
        programs=options.plugin_programs,
        network=options.plugin_network,
        cpu_seconds=CPU_SECONDS,
    )


def read_answer(job: PageJob, found: Answer, options: Options) -> Extracted:
    """What a worker's answer says about the page, if it can be believed."""
    if isinstance(found, Lost):
        return _nothing(job, found, options)
    try:
        extracted = PAGES.loads(found)
    except WireError as error:
        return _nothing(job, Lost(Loss.CRASH, str(error)), options)
    # A page that has its worker speak for another, lead where no page is, or ask without end.
    if (
        extracted.url != job.url
        or not extracted.targets.are_addresses
        or not extracted.hidden.are_addresses
        or extracted.question is not None
    ):
        return _nothing(job, Lost(Loss.CRASH), options)
    return extracted


def read_listing(limits: Sitemaps, found: Answer, options: Options) -> Listing | Unlisted:
    """What a worker's answer says about a sitemap, if it can be believed."""
    if not isinstance(found, Lost):
        try:
            listing = LISTINGS.loads(found)
        except WireError as error:
            found = Lost(Loss.CRASH, str(error))
        else:
            if listing.fits(limits):
                return listing
            found = Lost(Loss.CRASH)
    return Unlisted(sentence(found, options, "sitemap"), again=found.loss is Loss.KILLED)


def _nothing(job: PageJob, lost: Lost, options: Options) -> Extracted:
    detection = Detection(
        media_type=job.content_type or "", evidence=(), encoding="utf-8", encoding_why="not read"
    )
    cause = Cause.READER_KILLED if lost.loss is Loss.KILLED else Cause.UNREADABLE
    problem = Problem(sentence(lost, options))
    return Extracted(job.url, detection, b"", 0, problems=(problem,), cause=cause)


def sentence(lost: Lost, options: Options, thing: str = "page") -> str:
    """What people are told about a page, or another thing, that was lost."""
    match lost.loss:
        case Loss.TIME:
            return f"The {thing} took longer than {written(options.time_limit)} to read."
        case Loss.MEMORY:
            return f"The {thing} needed more than {written_size(options.memory_bytes)} of memory."
        case Loss.CRASH:
            return f"The {thing} crashed the transform."
        case Loss.KILLED:
            return f"The transform was killed more than once while it read the {thing}, by somebody else."
        case Loss.RAISED:
            return f"Our reader failed ({_last_line(lost.detail)})."


def _host(url: str) -> str:
    try:
        return host_of(Url(url))
    except ValueError:  # no URL of ours
        return ""


def _last_line(trace: str) -> str:
    return (trace.strip().splitlines() or [""])[-1][:200]
