"""What a worker of the pool does with a page, or with a sitemap."""

from gossamer import sitemap_worker
from gossamer.extraction import extract_page
from gossamer.page_pool import JOBS, PAGES
from gossamer.sitemap_job import MARK


def answer(job: bytes) -> bytes:
    """A page as it came, as bytes, to what it says, as bytes."""
    if job.startswith(MARK):
        return sitemap_worker.answer(job[len(MARK) :])
    return PAGES.dumps(extract_page(JOBS.loads(job)))
