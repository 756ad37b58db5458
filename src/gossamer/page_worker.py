"""What a worker of the pool does with a page, or with a sitemap."""

from gossamer import sitemap_worker
from gossamer.detect import detect
from gossamer.extracted import Extracted, PageJob, ServiceQuestion
from gossamer.extraction import extract_page
from gossamer.fetch.decode import decode
from gossamer.page_pool import JOBS, PAGES
from gossamer.sitemap_job import MARK
from gossamer.transform.services import Endpoint, endpoint_for


def answer(job: bytes) -> bytes:
    """A page as it came, as bytes, to what it says, as bytes."""
    if job.startswith(MARK):
        return sitemap_worker.answer(job[len(MARK) :])
    page = JOBS.loads(job)
    return PAGES.dumps(_unanswered(page) or extract_page(page))


def _unanswered(page: PageJob) -> Extracted | None:
    """The question to a service that has to be answered first, if there is one."""
    if not page.options.services or page.service is not None or page.options.only:
        return None
    decoded = decode(page.body, page.content_encoding, page.max_decoded_bytes)
    detection = detect(decoded.body, page.url, page.content_type)
    if not isinstance(endpoint_for(page.options, detection.media_type), Endpoint):
        return None
    body = None if decoded.body == page.body else decoded.body
    question = ServiceQuestion(detection.media_type, body)
    return Extracted(page.url, detection, b"", 0, question=question)
