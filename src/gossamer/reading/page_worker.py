"""What a worker of the pool does with a job: the bytes of a page or a sitemap to an answer, as bytes.

Other processes import the readers of quads when quads are asked for. A worker imports them at its start, before it is
confined: they belong to what it holds itself, not to the memory and time of its first page.
"""

from importlib import import_module

from gossamer.detect import detect
from gossamer.fetch.decode import decode
from gossamer.model import Problem, Url
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import (
    LISTINGS,
    MARK,
    MAX_LISTED_BYTES,
    MAX_PROBLEMS,
    SITEMAP_JOBS,
    Extracted,
    Listing,
    PageJob,
    ServiceQuestion,
    SitemapJob,
)
from gossamer.reading.page_pool import JOBS, PAGES
from gossamer.transform.services import Endpoint, endpoint_for

for _module in ("syntaxes", "rdfa.vocabularies", "rdfa.xml_tree"):
    import_module(f"gossamer.transform.{_module}")


def answer(job: bytes) -> bytes:
    """Do one job: what a page says, or what a sitemap lists."""
    if job.startswith(MARK):
        return LISTINGS.dumps(list_sitemap(SITEMAP_JOBS.loads(job[len(MARK) :])))
    page = JOBS.loads(job)
    return PAGES.dumps(_unanswered(page) or extract_page(page))


def _unanswered(page: PageJob) -> Extracted | None:
    """The question to an external service that has to be answered first, if there is one."""
    if not page.options.services or page.service is not None or page.options.only:
        return None
    decoded = decode(page.body, page.content_encoding, page.max_decoded_bytes)
    detection = detect(decoded.body, page.url, page.content_type)
    if not isinstance(endpoint_for(page.options, detection.media_type), Endpoint):
        return None
    body = None if decoded.body == page.body else decoded.body
    question = ServiceQuestion(detection.media_type, body)
    return Extracted(page.url, detection, b"", 0, question=question)


def list_sitemap(job: SitemapJob, most_bytes: int = MAX_LISTED_BYTES) -> Listing:
    """What a sitemap lists that counts, up to so many bytes of addresses."""
    # Only here: few workers ever read a sitemap.
    from gossamer.sitemaps.admit import admissible
    from gossamer.sitemaps.read import read_sitemap
    from gossamer.sitemaps.values import SYNTAX, SitemapEntry

    url = Url(job.url)
    body = decode(job.body, job.content_encoding, job.limits.max_bytes).body
    vouched = None if job.vouched is None else frozenset(job.vouched)
    pages: list[str] = []
    changed: list[int | None] = []
    priorities: list[float | None] = []
    sitemaps: list[str] = []
    problems: list[Problem] = []
    size = -1  # one address has no line break before it
    for item in admissible(read_sitemap(body, url, job.limits), url, vouched):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        size += len(item.url) + 1
        if size > most_bytes:
            why = f"more than {most_bytes:,} bytes of addresses; the rest is ignored"
            problems.append(Problem(why, SYNTAX))
            break
        if isinstance(item, SitemapEntry):
            pages.append(item.url)
            changed.append(None if item.lastmod is None else int(item.lastmod.timestamp()))
            priorities.append(item.priority)
        else:
            sitemaps.append(item.url)
    return Listing(
        "\n".join(pages).encode(),
        tuple(changed),
        tuple(priorities),
        "\n".join(sitemaps).encode(),
        tuple(problems[:MAX_PROBLEMS]),
    )
