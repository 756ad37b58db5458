"""RSL 1.0 documents: what a licence permits, prohibits and wants for it, by path. Pure.

A document is read by expat alone, without document types: there is nothing to expand and nothing to fetch. Of the `content`
elements whose path matches a page, those with the longest one count; of several licences there, one that grants a use
without payment is enough, unless another prohibits it. A licence that names the uses it permits permits no others
(section 3.4). Where a use is granted for a payment, to some users or places only, or for a token, it is disallowed to us.
"""

import xml.parsers.expat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Self

from gossamer.model import Url
from gossamer.politeness.consent import CATEGORIES, Purpose
from gossamer.politeness.robots.matcher import NO_RULE, PathPattern, compared_places
from gossamer.politeness.usage import UsageStatement
from gossamer.urls.parts import path_of

MAX_RSL_BYTES: Final = 256 * 1024  # a collective's licence has one or two KiB
MAX_CONTENTS: Final = 256  # each may be compared with every page
MAX_LICENCES: Final = 16  # of one content
MAX_DEPTH: Final = 32
MAX_TEXT: Final = 2_048  # characters of one list of words
NAMESPACE: Final = "https://rslstandard.org/rsl"
# What a payment is for; any other, known or not, is for all uses.
_PAID_USES: Final[Mapping[str, frozenset[Purpose]]] = {
    "training": frozenset({Purpose.TRAIN_AI}),
    "use": frozenset({Purpose.AI_INPUT, Purpose.AI_INDEX}),
    "inference": frozenset({Purpose.AI_INPUT, Purpose.AI_INDEX}),
    "free": frozenset(),
    "attribution": frozenset(),
    "contribution": frozenset(),
}
_EVERY: Final = frozenset(Purpose)


@dataclass(slots=True)
class Licence:
    """One licence of a content."""

    permits: frozenset[Purpose] | None = None  # None: it names no uses
    prohibits: frozenset[Purpose] = frozenset()
    paid: frozenset[Purpose] = frozenset()
    payments: tuple[str, ...] = ()
    is_for_some: bool = False  # users or places

    def grants(self, purpose: Purpose) -> bool:
        """Whether it permits a use, for whatever it wants in return."""
        return purpose not in self.prohibits and (self.permits is None or purpose in self.permits)

    def condition(self, purpose: Purpose) -> str | None:
        """The condition of a use that the licence grants; None where there is none."""
        if purpose in self.paid:
            return f"Payment is demanded ({', '.join(self.payments)})."
        return "It is for some users or places only." if self.is_for_some else None


@dataclass(slots=True)
class LicensedContent:
    """One `content` element: which paths, and on what terms."""

    pattern: PathPattern
    needs_token: bool = False
    licences: list[Licence] = field(default_factory=list)

    def statement(self, purpose: Purpose) -> UsageStatement:
        """Whether a use is allowed to us."""
        if any(purpose in each.prohibits for each in self.licences):
            return _statement(purpose, "n")
        granting = [each for each in self.licences if each.grants(purpose)]
        if not granting:
            return _statement(purpose, "n", "No licence permits it.")
        conditions = [each.condition(purpose) for each in granting]
        if None not in conditions and conditions[0] is not None:
            return _statement(purpose, "n", conditions[0])
        if self.needs_token:
            return _statement(purpose, "n", "A token is demanded.")
        return _statement(purpose, "y")


@dataclass(frozen=True, slots=True)
class RslFile:
    """All contents of a document, in their order."""

    contents: tuple[LicensedContent, ...] = ()

    @classmethod
    def parse(cls, body: bytes, url: Url) -> Self:
        """The contents of the document at a URL; none where it is none, or too large."""
        if len(body) > MAX_RSL_BYTES:
            return cls()
        reader = _Reader()
        try:
            reader.read(body)
        except (xml.parsers.expat.ExpatError, _NoRslError, ValueError):
            return cls()
        found = (each for each in reader.contents if each.licences)
        return cls(tuple(islice(found, MAX_CONTENTS)))

    def usage_of(self, url: Url) -> tuple[UsageStatement, ...]:
        """What the contents with the longest path that matches say about the use of a URL."""
        if not self.contents:
            return ()
        paths = compared_places(path_of(url))
        ranked = [(each.pattern.rank(paths), each) for each in self.contents]
        longest = max(rank for rank, _ in ranked)
        if longest == NO_RULE[0]:
            return ()
        about = [each for rank, each in ranked if rank == longest]
        return tuple(each.statement(purpose) for purpose in Purpose for each in about)


NO_LICENCE: Final = RslFile()


class _NoRslError(Exception):
    """The document is something else, or not meant to be read to its end."""


class _Reader:
    """Reads elements of the namespace of RSL, and passes over all others."""

    def __init__(self) -> None:
        self.contents: list[LicensedContent] = []
        self._path: list[str] = []
        self._type = ""
        self._text: list[str] = []
        parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._said
        self._parser = parser

    def read(self, body: bytes) -> None:
        self._parser.Parse(body, True)

    def _refuse(self, *_: object) -> None:
        raise _NoRslError

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if len(self._path) >= MAX_DEPTH or len(self.contents) > MAX_CONTENTS:
            raise _NoRslError
        namespace, _, local = name.rpartition(" ")
        ours = local if namespace in (NAMESPACE, "") else ""
        if not self._path and ours not in ("rsl", "content"):
            raise _NoRslError
        self._path.append(ours)
        self._text = []
        if ours == "content":
            self.contents.append(_content(attributes))
        elif ours == "license" and self.contents:
            if len(self.contents[-1].licences) < MAX_LICENCES:
                self.contents[-1].licences.append(Licence())
        elif ours == "payment" and (licence := self._licence) is not None:
            kind = attributes.get("type", "free").strip().lower()
            licence.paid |= _PAID_USES.get(kind, _EVERY)
            if _PAID_USES.get(kind, _EVERY):
                licence.payments += (kind,)
        self._type = attributes.get("type", "usage").strip().lower()

    def _said(self, text: str) -> None:
        if self._path[-1] in ("permits", "prohibits") and sum(map(len, self._text)) < MAX_TEXT:
            self._text.append(text[:MAX_TEXT])

    def _end(self, _: str) -> None:
        name = self._path.pop()
        if name not in ("permits", "prohibits") or (licence := self._licence) is None:
            return
        words = "".join(self._text).replace(",", " ").lower().split()
        if self._type != "usage":
            licence.is_for_some |= bool(words)
            return
        uses = frozenset(_uses(words))
        if name == "permits":
            licence.permits = uses if licence.permits is None else licence.permits | uses
        else:
            licence.prohibits |= uses

    @property
    def _licence(self) -> Licence | None:
        licences = self.contents[-1].licences if self.contents else ()
        return licences[-1] if licences and "license" in self._path else None


def _content(attributes: Mapping[str, str]) -> LicensedContent:
    url = attributes.get("url", "/").strip() or "/"
    if "://" in url:  # some write whole addresses
        url = "/" + url.partition("://")[2].partition("/")[2]
    octets = url.encode("utf-8", "replace").decode("latin-1")
    needs_token = "server" in attributes or attributes.get("encrypted", "").strip() == "true"
    return LicensedContent(PathPattern(octets), needs_token)


def _uses(words: Iterable[str]) -> Iterable[Purpose]:
    for word in words:
        yield from CATEGORIES.get(word.replace("_", "-"), frozenset())


def _statement(purpose: Purpose, value: str, note: str = "") -> UsageStatement:
    return UsageStatement("rsl", f"{purpose}={value}", "rsl", None, note)
