"""What a worker of the pool does with a sitemap."""

from gossamer.fetch.decode import decode
from gossamer.model import Problem, Url
from gossamer.politeness.sitemaps.admit import admissible
from gossamer.politeness.sitemaps.read import read_sitemap
from gossamer.politeness.sitemaps.values import SYNTAX, SitemapEntry
from gossamer.sitemap_job import (
    LISTINGS,
    MAX_LISTED_BYTES,
    MAX_PROBLEMS,
    SITEMAP_JOBS,
    Listing,
    SitemapJob,
)


def answer(job: bytes) -> bytes:
    """A sitemap as it came, as bytes, to what it lists, as bytes."""
    return LISTINGS.dumps(list_sitemap(SITEMAP_JOBS.loads(job)))


def list_sitemap(job: SitemapJob, most_bytes: int = MAX_LISTED_BYTES) -> Listing:
    """What a sitemap lists that counts, up to so many bytes of addresses."""
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
