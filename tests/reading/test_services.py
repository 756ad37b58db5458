"""Services are asked by the owner: what a page says is the same as if its worker could."""

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from tests.slowness import patience

from gossamer.config import Transform as Options
from gossamer.model import Cause, ServiceReply
from gossamer.reading.external_services import ask_for
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import Extracted, PageJob, ServiceQuestion
from gossamer.reading.page_pool import (
    PAGES,
    TransformPool,
    extract_pages,
    read_answer,
    sandbox_of,
)
from gossamer.values import Addresses

PDF = b"%PDF-1.7 a paper"
TURTLE = "<#it> <http://purl.org/dc/terms/extent> {length} ."


class Handler(BaseHTTPRequestHandler):
    """Says how long a document is, and notes whom it was asked about."""

    asked: list[tuple[str, str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.headers["Content-Location"], self.headers["Content-Type"], body))
        said = TURTLE.format(length=len(body)).encode()
        self.send_response(500 if b"broken" in body else 200)
        self.send_header("Content-Type", "text/turtle")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
        """Say nothing."""


class Service:
    """A service that has its port from the beginning, and listens there when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, bytes]] = []
        handler = type("OwnHandler", (Handler,), {"asked": self.asked})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler, bind_and_activate=False)
        self._server.server_bind()
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self.address = f"http://127.0.0.1:{self._server.server_port}/read?key=1"

    def listen(self) -> None:
        self._server.server_activate()
        self._thread.start()

    def close(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


def options_with(*addresses: str) -> Options:
    services = {"application/pdf": Addresses(" ".join(addresses))}
    return Options(services=services, time_limit=timedelta(seconds=patience(30)))


@contextmanager
def service() -> Iterator[tuple[Options, list[tuple[str, str, bytes]]]]:
    """Options with a service for PDF, and what it was asked."""
    with closing(Service()) as one:
        one.listen()
        yield options_with(one.address), one.asked


def pages(options: Options) -> list[PageJob]:
    plain = PageJob("http://a.test/1.pdf#page=2", PDF, "application/pdf", options=options)
    return [
        plain,
        replace(plain, url="http://a.test/2.pdf", body=gzip.compress(PDF), content_encoding="gzip"),
        replace(plain, url="http://a.test/3.pdf", body=PDF + b" broken"),
        replace(plain, url="http://a.test/4", body=b"<p>hello", content_type="text/html"),
        replace(plain, url="http://a.test/5.pdf", options=replace(options, only=("rdfa",))),
    ]


def test_pages_say_the_same_as_if_their_worker_had_asked() -> None:
    with service() as (options, asked):
        jobs = pages(options)
        wanted = [extract_page(job) for job in jobs]
        directly, asked[:] = sorted(asked), []
        in_order = [found for _, found in extract_pages(jobs, options, workers=2)]
        by_the_owner, asked[:] = sorted(asked), []

        async def run() -> list[Extracted]:
            async with TransformPool(options, workers=2) as pool:
                return await asyncio.gather(*map(pool.run, jobs))

        assert asyncio.run(run()) == in_order == wanted
    assert [each.count for each in wanted[:2]] == [1, 1]
    assert "answered 500" in wanted[2].problems[0].message
    assert directly == by_the_owner == sorted(asked)
    assert [each[0] for each in directly] == [f"http://a.test/{number}.pdf" for number in (1, 2, 3)]


def test_a_service_that_is_away_is_a_problem_of_the_page() -> None:
    options = Options(services={"application/pdf": Addresses("http://127.0.0.1:1/")})
    [job, *_] = pages(options)
    [(_, found)] = extract_pages([job], options, workers=1)
    assert found == extract_page(job)
    assert "could not be asked" in found.problems[0].message


def test_several_addresses_share_the_work() -> None:
    async def run(job: PageJob) -> None:
        async with TransformPool(job.options, workers=1) as pool:
            for _ in range(6):
                assert (await pool.run(job)).count == 1

    with closing(Service()) as one, closing(Service()) as other:
        one.listen()
        other.listen()
        [job, *_] = pages(options_with(one.address, other.address))
        asyncio.run(run(job))
        assert (len(one.asked), len(other.asked)) == (3, 3)


def test_a_page_waits_for_a_service_that_is_absent() -> None:
    async def run(job: PageJob, late: Service) -> tuple[Extracted, list[str]]:
        missed, told = asyncio.Event(), list[str]()

        def tell(message: str) -> None:
            told.append(message)
            missed.set()

        hours = timedelta(hours=1)
        async with TransformPool(job.options, workers=1, patience=hours) as pool:
            pool.services.tell = tell
            reading = asyncio.create_task(pool.run(job))
            await missed.wait()
            late.listen()
            return await reading, told

    with closing(Service()) as late:
        [job, *_] = pages(options_with(late.address))
        found, told = asyncio.run(run(job, late))
        assert (found.count, found.cause) == (1, None)
        assert len(late.asked) == 1
    assert "Connection refused" in told[0]
    assert told[-1].endswith("is back.")


def test_a_page_whose_service_stays_absent_says_so_first() -> None:
    async def run(job: PageJob) -> Extracted:
        async with TransformPool(job.options, workers=1) as pool:
            return await pool.run(job)

    [job, *_] = pages(options_with("http://127.0.0.1:1/", "http://127.0.0.1:2/"))
    found = asyncio.run(run(job))
    assert found.cause is Cause.SERVICE_ABSENT
    assert "The service http://127.0.0.1:1/ could not be asked" in found.problems[0].message


def test_workers_have_no_network_even_with_services() -> None:
    assert not sandbox_of(Options(services={"a/b": Addresses("http://127.0.0.1:1/")})).network


def test_a_worker_names_the_document_and_never_the_service() -> None:
    with service() as (options, asked):
        [job, *_] = pages(options)
        odd = ServiceQuestion("application/pdf\r\nX-Evil: 1", PDF)
        assert ask_for(job, odd) == ServiceReply(fault="There is no service for this document.")
        assert ask_for(job, ServiceQuestion("text/html", PDF)).fault is not None
        wild = replace(options, services={"application/*": options.services["application/pdf"]})
        reply = ask_for(replace(job, options=wild), odd)
    assert reply.fault is not None
    assert "could not be asked" in reply.fault
    assert asked == []


def test_a_question_is_no_answer() -> None:
    with service() as (options, _):
        [job, *_] = pages(options)
    found = replace(extract_page(pages(Options())[3]), url=job.url)
    again = replace(found, question=ServiceQuestion("application/pdf", None))
    assert read_answer(job, PAGES.dumps(found), options) == found
    lost = read_answer(job, PAGES.dumps(again), options)
    assert lost.problems[0].message == "The page crashed the transform."


def test_whoever_stops_early_leaves_nobody_waiting() -> None:
    with service() as (options, _):
        jobs = pages(options) * 5
        found = extract_pages(jobs, options, workers=1)
        next(iter(found))
        found.close()  # type: ignore[attr-defined]
