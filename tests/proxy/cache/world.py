"""A cache, an origin that says what it is told to, and a clock that can be set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gossamer.config import Proxy
from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.cache import HttpCache
from gossamer.proxy.cache.fields import date_text, end_to_end
from gossamer.proxy.cache.protocol import CacheAnswer, Flight, Request

URL = "http://a.test/page"
START = 1_800_000_000.0
PIECE = 65_536

Said = Mapping[str, str | list[str]] | list[tuple[str, str]]


def fields(said: Said, now: float = START) -> Fields:
    """Header fields as bytes; a value `@-60` is the HTTP date of a minute ago."""
    pairs = said.items() if isinstance(said, Mapping) else said
    lines = [
        (name, each)
        for name, value in pairs
        for each in ([value] if isinstance(value, str) else value)
    ]
    return tuple((name.encode(), _value(value, now)) for name, value in lines)


def _value(value: str, now: float) -> bytes:
    return date_text(now + float(value[1:])) if value.startswith("@") else value.encode("latin-1")


@dataclass
class Got:
    """What a client got."""

    status: int
    fields: Fields
    body: bytes
    sent: Fields | None  # what the origin was asked, if it was

    @property
    def is_hit(self) -> bool:
        return self.sent is None

    @property
    def is_validated(self) -> bool:
        """The origin was asked about what is stored, and that is what the client got."""
        return self.sent is not None and "fwd-status=304" in self["cache-status"]

    def __getitem__(self, name: str) -> str:
        found = [value for key, value in self.fields if key.lower() == name.encode()]
        return b", ".join(found).decode("latin-1")

    def __contains__(self, name: str) -> bool:
        return any(key.lower() == name.encode() for key, _ in self.fields)


@dataclass
class Origin:
    """What the origin says next."""

    status: int = 200
    said: Said = field(default_factory=dict)
    body: bytes = b"hello"
    breaks_off: bool = False


class World:
    """One cache and its clients."""

    def __init__(self, path: Path, settings: Proxy | None = None) -> None:
        self.now = START
        self.cache = HttpCache(path / "proxy-cache.db", settings or Proxy(), now=lambda: self.now)
        self.answers = 0

    def close(self) -> None:
        self.cache.store.close()

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def request(
        self,
        said: Said | None = None,
        *,
        method: str = "GET",
        url: str = URL,
        has_body: bool = False,
    ) -> Request:
        return Request(method, url, fields(said or {}, self.now), has_body)

    def ask(
        self,
        said: Said | None = None,
        origin: Origin | None = None,
        *,
        method: str = "GET",
        url: str = URL,
        fails: bool = False,
        has_body: bool = False,
    ) -> Got:
        """Ask for a page; the origin answers as it is told, if it is asked."""
        asked = self.cache.ask(self.request(said, method=method, url=url, has_body=has_body))
        assert not isinstance(asked, Flight)
        if isinstance(asked, CacheAnswer):
            return got(asked)
        with asked as forward:
            forward.mark_sent()
            if fails:
                answer = forward.failed("timeout")
                return Got(502, (), b"", forward.fields) if answer is None else got(answer)
            origin = origin or Origin()
            self.answers += 1
            numbered = (*fields(origin.said, self.now), (b"Answer", b"%d" % self.answers))
            taken = forward.answered(origin.status, numbered)
            if isinstance(taken, CacheAnswer):
                return got(taken, forward.fields)
            for start in range(0, len(origin.body), PIECE):
                taken.write(origin.body[start : start + PIECE])
            if not origin.breaks_off:
                taken.done()
            passed = (*end_to_end(numbered), *taken.added)
            return Got(taken.status, passed, origin.body, forward.fields)


def got(answer: CacheAnswer, sent: Fields | None = None) -> Got:
    """An answer, read as a client would."""
    lines = answer.block.split(b"\r\n")
    assert lines.pop() == b""
    pairs = [line.partition(b": ") for line in lines]
    body = answer.body + b"".join(answer.rest)
    answer.close()
    return Got(answer.status, tuple((name, value) for name, _, value in pairs), body, sent)
