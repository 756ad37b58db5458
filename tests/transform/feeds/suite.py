"""The suite `feeds`: values that feedparser finds, looked for among our statements.

Values are compared, not shapes: text without white space and markup, links as browsers resolve
them, times as moments. A value counts where it stands in a statement about the feed or the entry,
or about an agent or media file of it.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

import gossamer
from gossamer.transform.iris import mended

RSS = "http://purl.org/rss/1.0/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_TYPE = ox.NamedNode(f"{RDF}type")
_ITEMS = ox.NamedNode(f"{RSS}items")
_MEMBER = re.compile(rf"{re.escape(RDF)}_(\d+)")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_AUTHOR = re.compile(r"(.*?)\s*\(([^()\s]+@[^()\s]+)\)")
_MAIL_FIRST = re.compile(r"([^()\s]+@[^()\s]+)\s*\((.*)\)")
_LINKS = frozenset(("link", "enclosures"))
_TIMES = frozenset(("published", "updated"))

Statements = dict[Any, list[tuple[Any, Any]]]


class Value(NamedTuple):
    """One value that feedparser finds: `atom/x`, `entry 1`, `title`, its text, and if we have it."""

    file: str
    place: str
    name: str
    text: str
    found: bool
    ours: tuple[str, ...]

    @property
    def key(self) -> str:
        """The name by which a list of exceptions refers to the value."""
        return f"{self.file} {self.place} {self.name}"


def count(suites: Path) -> tuple[int, int]:
    """How many values of the suite are found, and how many there are."""
    found = [value.found for value in values(suites)]
    return sum(found), len(found)


def values(suites: Path) -> Iterator[Value]:
    """All values of the suite, in its order."""
    folder = suites / "feeds"
    for case in json.loads((folder / "manifest.json").read_text()):
        body = (folder / case["input"]).read_bytes()
        page = gossamer.extract(body, url=case["url"], content_type=case["content_type"])
        feed, entries = _places(page.nquads, case["url"])
        yield from _compared(case["id"], "feed", case["feed"], feed)
        for number, expected in enumerate(case["entries"]):
            ours = entries[number] if number < len(entries) else ()
            yield from _compared(case["id"], f"entry {number + 1}", expected, ours)


def _compared(
    file: str, place: str, expected: dict[str, Any], ours: tuple[str, ...]
) -> Iterator[Value]:
    for name, value in expected.items():
        for text in filter(None, value if isinstance(value, list) else [value]):
            yield Value(file, place, name, text, _is_among(ours, name, text), ours)


def _is_among(ours: tuple[str, ...], name: str, text: str) -> bool:
    if name in _LINKS:
        wanted = mended(text) or text
        return any((mended(each) or each) == wanted for each in ours)
    if name in _TIMES:
        return _moment(text) in {_moment(each) for each in ours}
    plain = {_plain(each) for each in ours}
    if name == "author" and (both := _AUTHOR.fullmatch(text)):
        return {_plain(both[1]), _plain(f"mailto:{both[2]}")} <= plain
    if name == "author" and (both := _MAIL_FIRST.fullmatch(text)):
        return {_plain(f"mailto:{both[1]}"), _plain(both[2])} <= plain
    if name == "author" and _plain(f"mailto:{text}") in plain:
        return True
    return _plain(text) in plain


def _plain(text: str) -> str:
    """Text without white space and markup, escaped or not."""
    for _ in range(2):
        text = unescape(_TAG.sub("", text))
    return "".join(_TAG.sub("", text).split())


def _moment(text: str) -> datetime | None:
    if date := _DATE.fullmatch(text):
        year, month, day = date[1], date[2] or "01", date[3] or "01"
        text = f"{year}-{month}-{day}T00:00:00Z"
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    zone = moment.tzinfo or UTC
    return moment.replace(microsecond=0, tzinfo=zone).astimezone(timezone(timedelta()))


def _places(nquads: bytes, url: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """What is said of the feed, and of each of its entries in order."""
    statements: Statements = defaultdict(list)
    entries: list[Any] = []
    members: list[tuple[int, Any]] = []
    feed: Any = ox.NamedNode(url)
    for quad in ox.parse(nquads, ox.RdfFormat.N_QUADS):
        statements[quad.subject].append((quad.predicate, quad.object))
        if number := _MEMBER.fullmatch(quad.predicate.value):
            members.append((int(number[1]), quad.object))
        elif quad.predicate == _TYPE and quad.object == ox.NamedNode(f"{RSS}item"):
            entries.append(quad.subject)
        elif quad.predicate == _TYPE and quad.object == ox.NamedNode(f"{RSS}channel"):
            feed = quad.subject
    listed = [node for _, node in sorted(members, key=lambda member: member[0])]
    known = {*statements}
    ordered = [node for node in listed if node in known] or entries
    return tuple(_said(statements, feed)), [tuple(_said(statements, node)) for node in ordered]


def _said(statements: Statements, subject: Any, depth: int = 2) -> Iterator[str]:
    for predicate, target in statements.get(subject, ()):
        if predicate in (_TYPE, _ITEMS):
            continue
        if isinstance(target, ox.BlankNode):
            if depth:
                yield from _said(statements, target, depth - 1)
        else:
            yield target.value
