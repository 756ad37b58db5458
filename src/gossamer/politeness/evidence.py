"""Evidence about a host: what the outcome of one request says about it, and what a row of them adds up to. Pure.

A page that fails is no host that fails. Each outcome has a bearing on its host:

| bearing | outcomes | back-off |
| --- | --- | --- |
| well | statuses 200 to 399, with a whole body | taken back |
| nothing | other 4xx, 501, 505; a body that is cut, in bad chunks, packed in an unknown way; no HTTP at all; a kept connection that was closed | as before |
| doubt | 500, 502, 504 and other 5xx; a reset, silence, no answer of an unknown kind | grows by different URLs |
| trouble | 429, 503; no connection, no TLS, no valid certificate, no address | grows each time |

Doubts about `FORGIVEN` URLs are forgiven: every site has some monster. Each further URL that fails counts
as trouble does; a URL that fails again adds nothing, so one URL alone never backs off its host. All of
it is in a row: one good answer takes everything back, whoever had it.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple
from zlib import crc32

from gossamer.model import Cause

FORGIVEN: Final = 2  # pages in a row: every site has some monster
MOST_DOUBTS: Final = 16  # URLs told apart: by then the longest back-off is reached
_ANY: Final = 0  # the mark of a URL that nobody named, which is different from all others
# Enough to tell a few URLs apart, and too few to tell afterwards which they were.
_MARK_BITS: Final = 0xFFFF


class Bearing(Enum):
    """What the outcome of one request says about its host."""

    WELL = "well"
    NOTHING = "nothing"
    DOUBT = "doubt"
    TROUBLE = "trouble"

    @property
    def is_bad(self) -> bool:
        """Whether it speaks against the host, by itself or with others."""
        return self is Bearing.DOUBT or self is Bearing.TROUBLE


ASKS_FOR_REST: Final = frozenset({429, 503})  # what `Retry-After` counts on
ABOUT_REQUEST: Final = frozenset({501, 505})  # the server works, and does not do such a thing
BY_CAUSE: Final[Mapping[str, Bearing]] = MappingProxyType(
    {
        cause: bearing
        for bearing, causes in {
            Bearing.TROUBLE: (
                *(Cause.CONNECT, Cause.TIMEOUT_CONNECT, Cause.PROXY, Cause.TLS, Cause.CERTIFICATE),
                *(Cause.NO_SUCH_NAME, Cause.NAME_LOOKUP),
            ),
            Bearing.DOUBT: (
                *(Cause.RESET, Cause.TIMEOUT_FIRST_BYTE, Cause.TIMEOUT_TOTAL, Cause.SLOW),
                Cause.OTHER,
            ),
            Bearing.NOTHING: (
                *(Cause.BAD_RESPONSE, Cause.TRUNCATED, Cause.BAD_ENCODING),
                *(Cause.HEADER_TOO_LARGE, Cause.TOO_LARGE),
                *(Cause.UNREADABLE, Cause.READER_KILLED, Cause.SERVICE_ABSENT),
                *(Cause.BAD_URL, Cause.STOPPED, Cause.CLOSED),
                *(Cause.REFUSED_ADDRESS, Cause.RESERVED_NAME, Cause.REFUSED_PORT),
            ),
        }.items()
        for cause in causes
    }
)
"""The bearing of every cause for which there is no answer."""


def bearing_of_status(status: int, *, is_whole: bool = True) -> Bearing:
    """The bearing of an answer on its host, by its status; the body may be cut or broken."""
    if 200 <= status < 400:
        return Bearing.WELL if is_whole else Bearing.NOTHING
    if status in ASKS_FOR_REST:
        return Bearing.TROUBLE
    if status < 500 or status in ABOUT_REQUEST:
        return Bearing.NOTHING
    return Bearing.DOUBT


def bearing_of_cause(cause: str) -> Bearing:
    """The bearing of a request without an answer; one that nobody can explain is in doubt."""
    return BY_CAUSE.get(cause, Bearing.DOUBT)


class HostEvidence(NamedTuple):
    """What speaks against a host, in a row: how often, and which URLs are in doubt."""

    failures: int = 0  # by which the back-off grows
    doubts: tuple[int, ...] = ()  # marks of different URLs, the latest last

    @property
    def in_a_row(self) -> int:
        """How many failures there were, with those that are forgiven."""
        return self.failures + min(len(self.doubts), FORGIVEN)

    def __str__(self) -> str:
        count = self.in_a_row
        return "a failure" if count == 1 else f"{count} failures in a row"

    @property
    def meaning(self) -> str | None:
        """The evidence in a sentence, with what it means for the host; None where there is none."""
        if not self.in_a_row:
            return None
        if self.failures:
            return f"{self}: after each further one, the host is left alone for twice as long"
        return f"{self}, which is forgiven: only a page may be broken"

    def after(self, bearing: Bearing, url: str | None) -> "HostEvidence":
        """The evidence after one more outcome, of a request for this URL."""
        if bearing is Bearing.WELL:
            return NO_EVIDENCE
        if bearing is Bearing.TROUBLE:
            return self._replace(failures=self.failures + 1)
        mark = mark_of(url)
        if bearing is Bearing.NOTHING or (mark != _ANY and mark in self.doubts):
            return self
        counts = len(self.doubts) >= FORGIVEN
        return HostEvidence(self.failures + counts, (*self.doubts, mark)[-MOST_DOUBTS:])


NO_EVIDENCE: Final = HostEvidence()


def mark_of(url: str | None) -> int:
    """A small number for a URL, the same in every process."""
    return _ANY if url is None else (crc32(url.encode()) & _MARK_BITS) or 1
