"""What a worker of the pool does with a page."""

from gossamer.extraction import extract_page
from gossamer.page_pool import JOBS, PAGES


def answer(job: bytes) -> bytes:
    """A page as it came, as bytes, to what it says, as bytes."""
    return PAGES.dumps(extract_page(JOBS.loads(job)))
