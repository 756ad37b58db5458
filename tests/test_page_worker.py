from dataclasses import replace

from gossamer.extracted import PageJob, Targets
from gossamer.extraction import extract_page
from gossamer.page_pool import JOBS, PAGES, WORKER
from gossamer.page_worker import answer
from gossamer.transform.pool.worker import load

JOB = PageJob("https://site.test/", b"<title>Hello</title><a href=/next>Next</a>", "text/html")


def test_a_worker_answers_with_all_that_the_page_says() -> None:
    extracted = PAGES.loads(answer(JOBS.dumps(JOB)))
    assert extracted == extract_page(JOB)
    assert [link.url for link in extracted.links] == ["https://site.test/next"]


def test_bare_links_are_addresses_alone() -> None:
    job = replace(JOB, bare_links=True)
    extracted = PAGES.loads(answer(JOBS.dumps(job)))
    assert extracted == extract_page(job)
    assert (extracted.links, extracted.targets) == ((), Targets(b"https://site.test/next"))


def test_the_pool_knows_it_by_name() -> None:
    assert load(WORKER) is answer
