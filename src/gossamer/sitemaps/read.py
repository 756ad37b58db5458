"""One sitemap of any kind, from bytes to entries and problems.

The stages are generators, each a module: `unpack` (gzip, limit) → `decode` →
`beginning` (which kind) → `text`, or `mend`, `bound_tags` and `xml`. Problems travel among the
values. Memory is bounded by a block and an entry, whatever the file is like.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from gossamer.config import Sitemaps
from gossamer.model import Problem, Url
from gossamer.sitemaps.decode import decode
from gossamer.sitemaps.intake import Intake
from gossamer.sitemaps.mend import mend
from gossamer.sitemaps.sniff import beginning
from gossamer.sitemaps.tags import bound_tags
from gossamer.sitemaps.text import read_text
from gossamer.sitemaps.unpack import unpack
from gossamer.sitemaps.values import SYNTAX, SitemapItem
from gossamer.sitemaps.xml import read_xml


def read_sitemap(
    body: Iterable[bytes] | bytes, url: Url, limits: Sitemaps
) -> Iterator[SitemapItem]:
    """The pages and sitemaps that a body names, in document order, and what was wrong with it.

    Never raises for what the body holds. Entries come as the body does, problems
    that concern all of it at the end.
    """
    texts = decode(unpack(body, limits.max_bytes))
    blank_lines = 0
    said_why = False
    for text in texts:
        if isinstance(text, Problem):
            yield text
            said_why = True
        elif text.isspace() or not text:
            blank_lines += text.count("\n")
        else:
            yield from _read("\n" * blank_lines + text, texts, url, Intake(limits.max_entries))
            return
    if not said_why:
        yield Problem("empty", SYNTAX)


def _read(
    head: str, rest: Iterator[str | Problem], url: Url, intake: Intake
) -> Iterator[SitemapItem]:
    begins = beginning(head)
    lines_before = "\n" * head.count("\n", 0, begins.start)  # keeps line numbers right
    texts = chain([lines_before + head[begins.start :]], rest)
    if begins.junk:
        yield Problem("something else stands before the XML; skipped", SYNTAX, 1)
    if begins.kind == "html":
        yield Problem("an HTML page, not a sitemap", SYNTAX)
    elif begins.kind == "xml":
        yield from read_xml(bound_tags(mend(texts)), url, intake)
    else:
        yield from read_text(texts, intake)
