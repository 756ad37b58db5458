"""One request as the server reads it, and the bytes that answer it."""

from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus

from gossamer.demo.answers import Headers, Served


@dataclass(slots=True)
class Request:
    """A request while it is read: the parser fills it in."""

    arrived: float
    method: str = ""
    target: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)  # names in lower case
    keep_alive: bool = True

    @property
    def host(self) -> str:
        """The host that is meant, in lower case and without a port."""
        authority = self._absolute[0] if self._absolute else self.headers.get("host", "")
        return authority.rpartition("@")[2].partition(":")[0].rstrip(".").lower()

    @property
    def path(self) -> str:
        """Path and query, whichever form the request had."""
        return self._absolute[1] if self._absolute else self.target.decode("latin-1")

    @property
    def agent(self) -> str:
        """The client's user agent."""
        return self.headers.get("user-agent", "")

    @property
    def _absolute(self) -> tuple[str, str] | None:
        scheme, mark, rest = self.target.decode("latin-1").partition("://")
        if not mark or scheme.lower() not in ("http", "https"):
            return None
        authority, slash, path = rest.partition("/")
        return authority, slash + path or "/"


def response(request: Request, answer: Served) -> tuple[int, bytes, bytes]:
    """Status, head and body as they go over the wire."""
    status, body, headers = answer.status, answer.body, answer.headers
    if answer.same_as(request.headers.get("if-none-match"), _since(request)):
        status, body = 304, b""
    elif answer.zipped is not None and _accepts_gzip(request):
        body, headers = answer.zipped, (*headers, ("Content-Encoding", "gzip"))
    head = _head(status, (*headers, *_validators(answer)), body, keep_alive=request.keep_alive)
    return status, head, b"" if request.method == "HEAD" else body


def _head(status: int, headers: Headers, body: bytes, *, keep_alive: bool) -> bytes:
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers]
    if status != 304:
        lines.append(f"Content-Length: {len(body)}")
    if not keep_alive:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _validators(answer: Served) -> Headers:
    tag: Headers = (("ETag", answer.etag),) if answer.etag else ()
    if answer.modified is None:
        return tag
    return (*tag, ("Last-Modified", format_datetime(answer.modified, usegmt=True)))


def _since(request: Request) -> datetime | None:
    value = request.headers.get("if-modified-since")
    if value is None:
        return None
    try:
        return parsedate_to_datetime(value)
    except ValueError:
        return None


def _accepts_gzip(request: Request) -> bool:
    for coding in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = coding.partition(";")
        if name.strip() in ("gzip", "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
