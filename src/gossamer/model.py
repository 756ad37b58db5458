"""The values that phases hand on. Frozen and typed; phases import these, not each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, NewType

Url = NewType("Url", str)
"""A page's name: an http(s) URL in canonical form, without fragment and user info.

Made by `gossamer.urls.canonical`; a plain `str` is anything else.
"""

MAX_HOPS: Final = 10  # redirects in a row, from where somebody linked to; browsers go on for 20
NOT_MODIFIED: Final = 304


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not go on: which rule said no, and a sentence for people."""

    rule: str  # a short stable word: "robots", "scope", "trap-length", "url-invalid"…
    why: str  # a sentence; never repeats user info or unprintable input


@dataclass(frozen=True, slots=True)
class ServiceReply:
    """What an external service answered about a document, or why it could not be asked."""

    status: int = 0
    content_type: str = ""
    body: bytes = b""
    fault: str | None = None  # a sentence; then the rest says nothing
    is_absent: bool = False  # nobody was there to be asked


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with what we were given, kept beside what was good."""

    message: str  # a sentence
    syntax: str | None = None  # what we took it for
    line: int | None = None
    wants: str | None = None  # the address of a context or sheet: with it, try again


class Syntax(StrEnum):
    """The ways in which a page can say something; the words of `--only`."""

    RDFA = "rdfa"
    JSON_LD = "jsonld"
    MICRODATA = "microdata"
    MICROFORMATS = "microformats"
    OPEN_GRAPH = "opengraph"  # Open Graph, Twitter cards, Dublin Core and plain meta
    PAGE = "page"  # the page itself: title, description, language…
    RSS = "rss"
    ATOM = "atom"
    JSON_FEED = "jsonfeed"
    RDF_XML = "rdfxml"
    TURTLE = "turtle"
    N_TRIPLES = "ntriples"
    N_QUADS = "nquads"
    TRIG = "trig"
    PDF = "pdf"  # what a PDF document says of itself


@dataclass(frozen=True, slots=True)
class Evidence:
    """A syntax that a document seems to hold, and what speaks for it."""

    syntax: Syntax
    why: str  # a few words: "the header says text/turtle"


@dataclass(frozen=True, slots=True)
class RootElement:
    """The outermost element of an XML document: what stylesheets are chosen by."""

    name: str  # without its prefix
    namespace: str | None


@dataclass(frozen=True, slots=True)
class Detection:
    """What a document is taken for: its type, its syntaxes, its encoding."""

    media_type: str  # by its content, where that contradicts the header
    evidence: tuple[Evidence, ...]
    encoding: str  # a Python codec
    encoding_why: str
    root: RootElement | None = None
    skipped: str | None = None  # why there is nothing for us; plug-ins may know better

    @property
    def syntaxes(self) -> tuple[Syntax, ...]:
        """The syntaxes alone, in the order they are to be read."""
        return tuple(each.syntax for each in self.evidence)


class Link(NamedTuple):  # a page has dozens: these are made in a fifth of the time
    """A page that a page leads to."""

    url: Url
    label: str | None = None  # what the page calls it, on one line
    rel: tuple[str, ...] = ()  # in small letters
    nofollow: bool = False  # the page does not vouch for it: nofollow, ugc or sponsored
    source: str = "a"  # the element it stands on, "statement" or "query"


class Cause(StrEnum):
    """Why a request came to nothing: the word in logs, tables and statements about a fetch."""

    REFUSED_ADDRESS = "refused-address"  # private, loopback…: the address guard said no
    RESERVED_NAME = "reserved-name"  # a name that no resolver outside may be asked for
    REFUSED_PORT = "refused-port"  # where other protocols than HTTP listen
    NO_SUCH_NAME = "no-such-name"
    NAME_LOOKUP = "name-lookup"  # the resolver failed or took too long
    CONNECT = "connect"
    PROXY = "proxy"  # our upstream proxy could not be reached, or would not pass us on
    TLS = "tls"
    CERTIFICATE = "certificate"
    TIMEOUT_CONNECT = "timeout-connect"
    TIMEOUT_FIRST_BYTE = "timeout-first-byte"
    TIMEOUT_TOTAL = "timeout-total"
    SLOW = "slow"
    RESET = "reset"
    CLOSED = "closed"  # a kept connection, under the request: nobody knows whether it was seen
    BAD_RESPONSE = "bad-response"  # not HTTP, or too broken to read
    TRUNCATED = "truncated"  # broke off before anything of the body came
    BAD_ENCODING = "bad-encoding"  # the body cannot be unpacked
    HEADER_TOO_LARGE = "header-too-large"
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"  # it took too long or too much memory to read, or our reader failed
    READER_KILLED = "reader-killed"  # by somebody else, while it read the page
    SERVICE_ABSENT = "service-absent"  # one of the user's own, for the page's media type
    BAD_URL = "bad-url"
    STOPPED = "stopped"  # we ended it ourselves while closing
    OTHER = "other"

    @property
    def transient(self) -> bool:
        """Whether a later attempt may fare better."""
        return TRANSIENT[self]


TRANSIENT: Mapping[Cause, bool] = MappingProxyType(
    {
        Cause.REFUSED_ADDRESS: False,
        Cause.RESERVED_NAME: False,
        Cause.REFUSED_PORT: False,
        Cause.NO_SUCH_NAME: False,
        Cause.NAME_LOOKUP: True,
        Cause.CONNECT: True,
        Cause.PROXY: True,
        Cause.TLS: True,  # a handshake also breaks off when a server is busy or restarting
        Cause.CERTIFICATE: False,
        Cause.TIMEOUT_CONNECT: True,
        Cause.TIMEOUT_FIRST_BYTE: True,
        Cause.TIMEOUT_TOTAL: True,
        Cause.SLOW: True,
        Cause.RESET: True,
        Cause.CLOSED: True,
        Cause.BAD_RESPONSE: False,
        Cause.TRUNCATED: True,
        Cause.BAD_ENCODING: False,
        Cause.HEADER_TOO_LARGE: False,
        Cause.TOO_LARGE: False,
        Cause.UNREADABLE: False,
        Cause.READER_KILLED: True,
        Cause.SERVICE_ABSENT: True,
        Cause.BAD_URL: False,
        Cause.STOPPED: True,
        Cause.OTHER: True,
    }
)
"""Every cause: worth another attempt later, or settled for good."""


class BodyState(StrEnum):
    """How much of a body we hold; nothing but `WHOLE` may be taken for all of it."""

    WHOLE = "whole"
    TRUNCATED = "truncated"  # server or network broke it off
    CUT = "cut"  # the caller asked for the first bytes alone
    SKIPPED = "skipped"  # the headers said that there is nothing in it for us


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """What an answer says before its body."""

    url: Url  # what we asked for
    status: int
    headers: tuple[tuple[str, str], ...]  # as sent, in order, repeats kept; read as Latin-1

    def header_values(self, name: str) -> tuple[str, ...]:
        """All values of a header, in the order they came."""
        wanted, size = name.lower(), len(name)  # most other names have another length
        return tuple(
            [value for each, value in self.headers if len(each) == size and each.lower() == wanted]
        )

    def header(self, name: str) -> str | None:
        """The first value of a header."""
        return next(iter(self.header_values(name)), None)

    @property
    def media_type(self) -> str | None:
        """The type alone, in small letters: `text/html` of `Text/HTML; charset=utf-8`."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower() or None

    @property
    def content_encoding(self) -> str:
        """The codings of the body in the order they were applied; empty where there are none."""
        return ", ".join(self.header_values("content-encoding"))

    @property
    def content_length(self) -> int | None:
        """How many bytes the body will have, as sent; None where nobody says."""
        if self.header("transfer-encoding") is not None:  # which overrules a length
            return None
        length = self.header("content-length") or ""
        # Twenty digits are more than any disk holds; Python refuses to read thousands of them.
        digits = length.isdecimal() and length.isascii()
        return int(length.lstrip("0")[:20] or "0") if digits else None

    @property
    def location(self) -> str | None:
        """Where a redirect points, as text to be joined to the URL."""
        if not 300 <= self.status < 400 or (location := self.header("location")) is None:
            return None
        sent = location.encode("latin-1")
        try:
            return sent.decode("utf-8")  # which servers send, whatever the standard says
        except UnicodeDecodeError:
            # Some other encoding: those very bytes are what the server understands.
            return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in sent)


@dataclass(frozen=True, slots=True)
class Fetched(ResponseHead):
    """An answer, whatever its status. Redirects are answers too: nobody followed them."""

    body: bytes  # as received: workers decode it, within a limit
    body_state: BodyState
    http_version: str  # "1.0", "1.1", "2"
    address: str | None  # where the connection went; None through an upstream proxy
    started_at: datetime
    first_byte_at: datetime
    finished_at: datetime
    request_headers: tuple[tuple[str, str], ...] = ()  # as sent, in order, with Host

    @property
    def took(self) -> timedelta:
        """From the start of the request to its end."""
        return self.finished_at - self.started_at


@dataclass(frozen=True, slots=True)
class Failed:
    """A request that brought no answer."""

    url: Url
    cause: Cause
    message: str  # a sentence
    started_at: datetime
    finished_at: datetime

    @property
    def took(self) -> timedelta:
        """From the start of the request to its end."""
        return self.finished_at - self.started_at
