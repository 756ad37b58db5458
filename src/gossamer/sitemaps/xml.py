"""XML sitemaps and feeds, read as a stream of events: no tree is built, so none can grow.

The parser is libxml2 in its forgiving mode: it goes on behind most breaks, and
says where they are. It gets text in UTF-8 that `mend` has seen, opens no file and no
connection, and loads no DTD.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from gossamer.model import Problem, Url
from gossamer.sitemaps.events import SitemapEvents
from gossamer.sitemaps.intake import Intake
from gossamer.sitemaps.unpack import Cut
from gossamer.sitemaps.values import SYNTAX, SitemapItem

MAX_MESSAGE_LENGTH = 200
# What the parser may hold back between two events, should it see a tag where `bound_tags` saw none.
MAX_SILENCE = 1024 * 1024


def read_xml(texts: Iterable[str | Problem], url: Url, intake: Intake) -> Iterator[SitemapItem]:
    """The entries of a sitemap, index or feed, and what was wrong."""
    events = SitemapEvents(url, intake)
    parser = _Parser(events)
    cut = False
    for text in texts:
        if isinstance(text, Problem):
            yield text
            cut = cut or isinstance(text, Cut)
        else:
            parser.feed(text)
            yield from events.take()
            if parser.silence > MAX_SILENCE:
                cut = True
                yield Cut("a DOCTYPE, or a tag, that never ends; the rest is ignored", SYNTAX)
        if events.stopped or parser.silence > MAX_SILENCE:
            break
    if not (cut or events.stopped):
        parser.end()  # says what is missing at the end, which is no news where we cut it
    events.finish()
    yield from events.take()
    yield from parser.problems()
    yield from intake.problems()


class _Parser:
    """libxml2, and the first of its complaints."""

    def __init__(self, events: SitemapEvents) -> None:
        target: Any = events  # the stubs ask for more than lxml does: `comment`, bytes
        self._parser = etree.XMLParser(
            target=target,
            recover=True,
            encoding="utf-8",
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
        )
        self._complaint: Problem | None = None
        self._events = events
        self.silence = 0  # characters since the last block with an event

    def feed(self, text: str) -> None:
        heard = self._events.heard
        self._feed(text)
        self.silence = self.silence + len(text) if self._events.heard == heard else 0

    def _feed(self, text: str) -> None:
        try:
            self._parser.feed(text.encode())
        except etree.XMLSyntaxError as error:
            self._complain(str(error), error.lineno)
        self._look()

    def end(self) -> None:
        try:
            self._parser.close()
        except etree.XMLSyntaxError as error:
            self._complain(str(error), error.lineno)
        self._look()

    def problems(self) -> Iterator[Problem]:
        if self._complaint is not None:
            yield self._complaint

    def _look(self) -> None:
        # At once, as the log keeps only its last hundred.
        if self._complaint is None:
            for error in self._parser.feed_error_log:
                self._complain(error.message, error.line)

    def _complain(self, message: str, line: int | None) -> None:
        if self._complaint is None:
            first_line = message.partition("\n")[0][:MAX_MESSAGE_LENGTH]
            self._complaint = Problem(f"broken XML: {first_line}", SYNTAX, line)
