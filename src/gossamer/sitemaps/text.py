"""Plain text sitemaps: one address on each line."""

from collections.abc import Iterable, Iterator
from io import IncrementalNewlineDecoder

from gossamer.model import Problem
from gossamer.sitemaps.intake import MAX_TEXT_LENGTH, Intake
from gossamer.sitemaps.unpack import Cut
from gossamer.sitemaps.values import SYNTAX, SitemapEntry, SitemapItem

WHITE = " \t\f\v\0\ufeff"  # files put together from others have marks in the middle


def read_text(texts: Iterable[str | Problem], intake: Intake) -> Iterator[SitemapItem]:
    """An entry for each line that is an absolute address, and what was wrong."""
    number = 0
    for line in _lines(texts):
        if isinstance(line, Problem):
            yield line
            continue
        number += 1
        address = line.strip(WHITE)
        url = intake.url(address, None, number) if address else None
        if url is not None:
            yield SitemapEntry(url)
        if intake.full:
            break
    if intake.entries == 0:
        yield Problem("no address in it: not a sitemap", SYNTAX)
    yield from intake.problems()


def _lines(texts: Iterable[str | Problem]) -> Iterator[str | Problem]:
    """Lines of any ending, none kept longer than an address can be; not one that was cut."""
    newlines = IncrementalNewlineDecoder(None, translate=True)
    open_line = ""
    for text in texts:
        if isinstance(text, Problem):
            yield text
            if isinstance(text, Cut):
                return
            continue
        *lines, open_line = (open_line + newlines.decode(text)).split("\n")
        yield from lines
        open_line = open_line[: MAX_TEXT_LENGTH + 1]
    yield open_line
