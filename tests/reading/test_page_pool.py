import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from gossamer.config import Transform as Options
from gossamer.model import Cause
from gossamer.processes.process import Loss, Lost
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import Extracted, PageJob, Targets
from gossamer.reading.page_pool import (
    JOBS,
    PAGES,
    TransformPool,
    extract_pages,
    read_answer,
    sentence,
)
from gossamer.reading.page_worker import answer

MIB = 1024 * 1024

TURTLE = b"@prefix : <#> . :a :b %d ."
HTML = b"""<!doctype html><title>Page %d</title><a href="/next" rel="nofollow">Next</a>
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Person", "name": "P"}</script>
<p vocab="https://schema.org/" typeof="Person"><span property="name">Ada</span>"""


def page(number: int) -> PageJob:
    """Small pages of two kinds."""
    url = f"https://site.test/{number}"
    if number % 2:
        return PageJob(url, TURTLE % number, "text/turtle")
    return PageJob(url, HTML % number, "text/html; charset=utf-8")


def messages(found: Extracted) -> list[str]:
    return [problem.message for problem in found.problems]


def test_a_job_and_what_a_page_says_travel_unchanged() -> None:
    job = replace(page(2), contexts={"https://site.test/c": b"{}"}, options=Options(only=("rdfa",)))
    assert JOBS.loads(JOBS.dumps(job)) == job
    assert PAGES.loads(answer(JOBS.dumps(job))) == extract_page(job)


def test_a_pool_finds_what_the_function_finds() -> None:
    jobs = [page(number) for number in range(40)]

    async def run() -> list[Extracted]:
        async with TransformPool(workers=2) as pool:
            return await asyncio.gather(*(pool.run(job) for job in jobs))

    found = asyncio.run(run())
    assert found == [extract_page(job) for job in jobs]
    assert all(each.count for each in found)
    assert found[2].links


SLOW_QUERY = """SELECT ?a { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?p ?q ?r
    FILTER(CONCAT(STR(?a), STR(?p)) = "never") }"""


def test_a_query_that_takes_too_long_costs_the_links_alone() -> None:
    body = b"@prefix : <#> . " + b"".join(b":a :b %d . " % number for number in range(60))
    job = PageJob("https://site.test/", body, "text/turtle", link_query=SLOW_QUERY)

    async def run() -> Extracted:
        async with TransformPool(Options(time_limit=timedelta(seconds=1)), workers=1) as pool:
            return await pool.run(job)

    found = asyncio.run(run())
    assert found.count == 60
    assert found.links == ()
    assert messages(found) == [
        "The page took longer than 1s to read. It was read without the query: no link is followed."
    ]


def test_a_page_that_is_too_much_is_so_without_the_query_too() -> None:
    body, query = b" " * (90 * MIB), "SELECT ?a { ?a ?b ?c }"
    job = PageJob("https://site.test/", body, "text/turtle", link_query=query)

    async def run() -> Extracted:
        async with TransformPool(Options(memory_bytes=64 * MIB), workers=1) as pool:
            return await pool.run(job)

    assert messages(asyncio.run(run())) == ["The page needed more than 64MiB of memory."]


def test_a_batch_gives_each_page_with_what_it_says_in_order() -> None:
    jobs = [page(number) for number in range(60)]
    found = list(extract_pages(iter(jobs), workers=2))
    assert found == [(job, extract_page(job)) for job in jobs]


def test_a_page_that_needs_too_much_memory_says_so_and_the_next_is_read() -> None:
    options = Options(memory_bytes=64 * MIB)
    huge = PageJob("https://site.test/huge", b" " * (90 * MIB), "text/turtle")
    found = [each for _, each in extract_pages([page(1), huge, page(2)], options, workers=1)]
    assert [each.url for each in found] == [page(1).url, huge.url, page(2).url]
    assert messages(found[1]) == ["The page needed more than 64MiB of memory."]
    assert (found[1].nquads, found[1].count, found[1].links) == (b"", 0, ())
    assert found[0] == extract_page(page(1))
    assert found[2] == extract_page(page(2))


def test_a_page_that_takes_too_long_says_so() -> None:
    options = Options(time_limit=timedelta(milliseconds=10))
    slow = PageJob("https://site.test/slow", HTML % 1 + b"<p>x" * 5_000_000, "text/html")
    [(_, found)] = extract_pages([slow], options, workers=1)
    assert messages(found) == ["The page took longer than 0.01s to read."]
    assert found.cause is Cause.UNREADABLE


NO_URL = replace(extract_page(page(2)), targets=Targets(b"http://a.test/\nx"))


@pytest.mark.parametrize(
    "lie", [b"", b"no such frame", answer(JOBS.dumps(page(4))), PAGES.dumps(NO_URL)]
)
def test_a_worker_that_lies_is_not_believed(lie: bytes) -> None:
    assert read_answer(page(4), answer(JOBS.dumps(page(4))), Options()) == extract_page(page(4))
    found = read_answer(page(2), lie, Options())
    assert found.url == page(2).url
    assert messages(found) == ["The page crashed the transform."]


@pytest.mark.parametrize("loss", Loss)
def test_a_page_that_was_lost_has_a_cause_and_one_whose_worker_was_killed_another_chance(
    loss: Loss,
) -> None:
    found = read_answer(page(2), Lost(loss), Options())
    assert found.cause is not None
    assert found.cause.transient == (loss is Loss.KILLED)


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        (Loss.TIME, "The page took longer than 10s to read."),
        (Loss.MEMORY, "The page needed more than 1GiB of memory."),
        (Loss.CRASH, "The page crashed the transform."),
        (
            Loss.KILLED,
            "The transform was killed more than once while it read the page, by somebody else.",
        ),
        (Loss.RAISED, "Our reader failed (KeyError: 1)."),
    ],
)
def test_every_loss_has_its_sentence(loss: Loss, told: str) -> None:
    lost = Lost(loss, "Traceback (most recent call last):\n  …\nKeyError: 1\n")
    assert sentence(lost, Options()) == told
