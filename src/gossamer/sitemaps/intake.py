"""What all kinds of sitemaps share: addresses become URLs, entries are counted to a limit."""

from collections.abc import Iterator

from gossamer.model import Problem, Refusal, Url
from gossamer.sitemaps.values import SYNTAX
from gossamer.urls import canonical

# The protocol allows 2,048 characters. Some more, so that the crawl's own rule
# about long URLs gets to say no; a megabyte is not worth carrying that far.
MAX_TEXT_LENGTH = 8192


class Intake:
    """Takes addresses in; problems are told once with a count, as they come in thousands."""

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self.entries = 0  # good or not
        self._refused = 0
        self._first_refusal: Problem | None = None
        self.full = False  # an entry came that was one too many

    def url(self, address: str, base: Url | None, line: int | None = None) -> Url | None:
        """The URL of the next entry, or None if it has none or there is no room for it."""
        if self.entries == self._max_entries:
            self.full = True
            return None
        self.entries += 1
        url = _url(address.strip(), base)
        if isinstance(url, Refusal):
            self._refused += 1
            self._first_refusal = self._first_refusal or Problem(url.why, SYNTAX, line)
            return None
        return url

    def problems(self) -> Iterator[Problem]:
        """What was wrong with the entries so far."""
        if first := self._first_refusal:
            count = f"{self._refused:,} of {self.entries:,} entries have no usable address"
            yield Problem(f"{count}; the first: {first.message}", SYNTAX, first.line)
        if self.full:
            limit = f"more than {self._max_entries:,} entries; the rest is ignored"
            yield Problem(limit, SYNTAX)


def _url(address: str, base: Url | None) -> Url | Refusal:
    if not address:
        return Refusal("url-invalid", "There is no address.")
    if len(address) > MAX_TEXT_LENGTH:
        return Refusal("url-length", f"It is longer than {MAX_TEXT_LENGTH:,} characters.")
    return canonical(address, base)
