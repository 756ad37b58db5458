"""Which records an exchange becomes, and what a record says about one. Pure.

A block must be an HTTP message that readers can take apart, and curl has undone the transfer
coding. So where `Transfer-Encoding` stands, or a `Content-Length` that is not the length
of what we hold, these headers are masked by a prefix and the true length is added.
Reading takes all of that back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from gossamer.archive.exchange import Archived, Profile, Revisit
from gossamer.archive.record import Record, composed, digest, new_record_id, warc_date
from gossamer.model import BodyState, Fetched, Url
from gossamer.urls.parts import path_of

Headers = Sequence[tuple[str, str]]
MASK: Final = "X-Crawler-"  # the prefix that other crawlers use for the same purpose
_LENGTH: Final = "content-length"
_CODING: Final = "transfer-encoding"
_BODILESS: Final = (204, 304)  # where a length speaks of a body that is not there
_REASONS: Final = {status.value: status.phrase for status in HTTPStatus}
_VERSIONS: Final = ("1.0", "1.1")
# Whatever a header holds, it stays one line: nobody writes lines of ours.
_UNSAFE: Final = bytes.maketrans(b"\r\n\0", b"   ")
TRUNCATED: Final[Mapping[BodyState, str]] = MappingProxyType(
    {
        BodyState.TRUNCATED: "disconnect",
        BodyState.CUT: "length",
        BodyState.SKIPPED: "unspecified",
    }
)
"""Why a body is not whole, in the words of the standard."""
_STATES: Final = {word: state for state, word in TRUNCATED.items()}
# What a page says with its headers: where one of these differs, equal bodies mean two things.
TELLING: Final = (
    "content-type",
    "content-encoding",
    "content-language",
    "content-location",
    "link",
    "x-robots-tag",
)
_NOT_MODIFIED: Final = 304
_Fields = tuple[tuple[str, str], ...]


def warcinfo(file: str, software: str, agent: str, node: str, at: datetime) -> tuple[str, bytes]:
    """The record at the head of a file, and its name."""
    about = {
        "software": software,
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "robots": "classic",
        "http-header-user-agent": agent,
        "hostname": node,
    }
    lines = [f"{name}: {' '.join(value.split())}\r\n" for name, value in about.items() if value]
    own_id = new_record_id()
    fields = (
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", own_id),
        ("WARC-Date", warc_date(at)),
        ("WARC-Filename", file),
        ("Content-Type", "application/warc-fields"),
    )
    return own_id, composed(fields, "".join(lines).encode())


@dataclass(frozen=True, slots=True)
class Repeat:
    """An earlier answer that holds the body of this one already, and how we know."""

    profile: Profile
    earlier: Archived


def repeat_of(fetched: Fetched, earlier: Archived) -> Repeat | None:
    """Whether an answer repeats the earlier one that its page points to, which may be another page's."""
    if earlier.revisit or earlier.status == _NOT_MODIFIED:
        return None  # no body there
    if fetched.status == _NOT_MODIFIED:
        return Repeat(Profile.NOT_MODIFIED, earlier)
    same = (
        fetched.body
        and fetched.body == earlier.body
        and fetched.status == earlier.status
        and fetched.body_state is earlier.body_state is BodyState.WHOLE
        and all(fetched.header_values(name) == earlier.header_values(name) for name in TELLING)
    )
    return Repeat(Profile.IDENTICAL, earlier) if same else None


def exchange_records(
    fetched: Fetched, repeat: Repeat | None, warcinfo_id: str, own_id: str
) -> Iterator[bytes]:
    """The answer, in whole or as a revisit of an earlier one, then the request."""
    common = tuple(_common(fetched, warcinfo_id))
    if repeat:
        yield _revisit(fetched, own_id, common, repeat)
    else:
        yield _response(fetched, own_id, common)
    if fetched.request_headers:
        fields = (
            ("WARC-Type", "request"),
            ("WARC-Record-ID", new_record_id()),
            ("WARC-Concurrent-To", own_id),
            *common,
            ("Content-Type", "application/http; msgtype=request"),
        )
        yield composed(fields, request_block(fetched))


def _common(fetched: Fetched, warcinfo_id: str) -> Iterator[tuple[str, str]]:
    yield "WARC-Date", warc_date(fetched.started_at)
    yield "WARC-Warcinfo-ID", warcinfo_id  # among the first: `members.py` looks for it there
    yield "WARC-Target-URI", fetched.url
    if fetched.address:
        yield "WARC-IP-Address", fetched.address
    if fetched.http_version == "2":
        yield "WARC-Protocol", "h2"


def _response(fetched: Fetched, own_id: str, common: _Fields) -> bytes:
    fields = [("WARC-Type", "response"), ("WARC-Record-ID", own_id), *common]
    if word := TRUNCATED.get(fetched.body_state):
        fields.append(("WARC-Truncated", word))
    fields += [
        ("WARC-Payload-Digest", digest(fetched.body)),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    return composed(fields, response_head(fetched) + fetched.body)


def _revisit(fetched: Fetched, own_id: str, common: _Fields, repeat: Repeat) -> bytes:
    earlier = repeat.earlier
    fields = (
        ("WARC-Type", "revisit"),
        ("WARC-Record-ID", own_id),
        *common,
        ("WARC-Profile", repeat.profile),
        ("WARC-Refers-To", earlier.record_id),
        ("WARC-Refers-To-Target-URI", earlier.url),
        ("WARC-Refers-To-Date", warc_date(earlier.at)),
        ("WARC-Payload-Digest", earlier.payload_digest),
        ("Content-Type", "application/http; msgtype=response"),
    )
    return composed(fields, response_head(fetched))


def archived(record: Record) -> Archived:
    """The answer that a record holds; `ValueError` where it holds none."""
    fields, revisit = record.fields, None
    if record.kind == "revisit":
        revisit = Revisit(
            Profile(fields["warc-profile"]),
            Url(fields["warc-refers-to-target-uri"]),
            datetime.fromisoformat(fields["warc-refers-to-date"]),
        )
    elif record.kind != "response":
        raise ValueError(f"a {record.kind or 'nameless'} record holds no answer")
    version, status, headers, body = parsed_response(record.block)
    return Archived(
        url=Url(fields["warc-target-uri"]),
        status=status,
        headers=headers,
        body=body,
        body_state=_STATES.get(fields.get("warc-truncated", ""), BodyState.WHOLE),
        http_version="2" if fields.get("warc-protocol") == "h2" else version,
        address=fields.get("warc-ip-address"),
        at=datetime.fromisoformat(fields["warc-date"]),
        record_id=record.record_id,
        payload_digest=fields.get("warc-payload-digest", ""),
        revisit=revisit,
    )


def request_block(fetched: Fetched) -> bytes:
    """The request, as an HTTP/1 server would have seen it."""
    return _head(f"GET {path_of(fetched.url)} HTTP/1.1", fetched.request_headers)


def response_head(fetched: Fetched) -> bytes:
    """The answer up to its body."""
    # Readers stumble over `HTTP/2` here; the record's WARC-Protocol tells it instead.
    version = fetched.http_version if fetched.http_version in _VERSIONS else "1.1"
    line = f"HTTP/{version} {fetched.status:03} {_REASONS.get(fetched.status, '')}"
    return _head(line, masked(fetched.headers, fetched.status, len(fetched.body)))


def parsed_response(block: bytes) -> tuple[str, int, tuple[tuple[str, str], ...], bytes]:
    """Version, status, headers as they were sent, and body of an answer."""
    head, _, body = block.partition(b"\r\n\r\n")
    line, *fields = head.decode("latin-1").split("\r\n")
    version, status, *_ = line.removeprefix("HTTP/").split(" ")
    return version, int(status), unmasked([_field(text) for text in fields]), body


def masked(headers: Headers, status: int, length: int) -> Headers:
    """The headers of an answer, true of a body of this length without transfer coding."""
    wrong = any(_is_wrong(name, value, status, length) for name, value in headers)
    kept = [
        (MASK + name if _is_masked(name) or (wrong and _is_framing(name)) else name, value)
        for name, value in headers
    ]
    return [*kept, ("Content-Length", str(length))] if wrong else kept


def unmasked(headers: Headers) -> tuple[tuple[str, str], ...]:
    """The headers before they were masked."""
    was_wrong = any(
        name.startswith(MASK) and _is_framing(name.removeprefix(MASK)) for name, _ in headers
    )
    kept = headers[:-1] if was_wrong else headers  # the last one is the length we added
    return tuple((name.removeprefix(MASK), value) for name, value in kept)


def _is_wrong(name: str, value: str, status: int, length: int) -> bool:
    name = name.lower()
    return name == _CODING or (name == _LENGTH and status not in _BODILESS and value != str(length))


def _is_framing(name: str) -> bool:
    return name.lower() in (_CODING, _LENGTH)


def _is_masked(name: str) -> bool:
    """Whether a server itself sent a header that looks like one of ours."""
    return name.lower().startswith(MASK.lower())


def _head(line: str, headers: Headers) -> bytes:
    lines = [line, *(f"{name}: {value}" for name, value in headers)]
    safe = [each.encode("latin-1", errors="replace").translate(_UNSAFE) for each in lines]
    return b"\r\n".join(safe) + b"\r\n\r\n"


def _field(text: str) -> tuple[str, str]:
    name, _, value = text.partition(":")
    return name, value.removeprefix(" ")
