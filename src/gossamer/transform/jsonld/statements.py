"""JSON-LD 1.1 to statements: what the whole is made of."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import mended, unusable
from gossamer.transform.jsonld.blocks import Lines, NotFound, is_json, script_texts
from gossamer.transform.jsonld.contexts import Prepared, prepare
from gossamer.transform.jsonld.fast import fast_quads
from gossamer.transform.jsonld.full import full_quads
from gossamer.transform.jsonld.processing import Found, Json, JsonLdError, Processing, Scripts
from gossamer.transform.jsonld.reading import read
from gossamer.transform.jsonld.writing import Writer
from gossamer.wording import quoted

PLAIN: Final = Processing()
MOST_PARTS: Final = 200  # each costs its context again


def json_ld_statements(document: Document, processing: Processing = PLAIN) -> Iterator[Item]:
    """The statements of a JSON-LD document, or of every JSON-LD block of an HTML page."""
    if is_json(document):
        yield from _Reader(document, document.url, processing).items(document.text)
    else:
        yield from _html_statements(document, processing)


def _html_statements(document: Document, processing: Processing) -> Iterator[Item]:
    reader = _Reader(document, document.html_base, processing)
    texts: list[str] = []
    for text in islice(script_texts(document), 1 if processing.scripts is Scripts.FIRST else None):
        if isinstance(text, NotFound):
            yield Problem(text.message, Syntax.JSON_LD)
        elif processing.scripts is Scripts.MERGED:
            texts.append(text)
        else:
            yield from reader.items(text)
    if texts:
        yield from reader.merged_items(texts)


class _Reader:
    """Reads the blocks of one document, whose blank nodes have one set of names."""

    def __init__(self, document: Document, base: str, processing: Processing) -> None:
        self._document = document
        self._base = _usable_base(base, document.url)
        self._processing = processing
        self._lines = Lines(document)
        self._writer = Writer(document)
        self._scopes = 0

    def items(self, text: str) -> Iterator[Item]:
        """What one block says."""
        reading = read(text, self._document.options.max_depth)
        for oddity in reading.oddities:
            yield self._problem(oddity.message, text, oddity.line)
        for value, json in reading.values:
            yield from self._of_value(value, json, text)

    def merged_items(self, texts: list[str]) -> Iterator[Item]:
        """What several blocks say as members of one array."""
        members: list[Json] = []
        jsons: list[str] = []
        for text in texts:
            reading = read(text, self._document.options.max_depth)
            for oddity in reading.oddities:
                yield self._problem(oddity.message, text, oddity.line)
            for value, json in reading.values:
                members += value if isinstance(value, list) else [value]
                jsons.append(json)
        yield from self._of_value(members, "\n".join(jsons), texts[0])

    def _problem(self, message: str, text: str, line: int = 0, wants: str | None = None) -> Problem:
        first = self._lines.of(text)
        return Problem(message, Syntax.JSON_LD, None if first is None else first + line, wants)

    def _of_value(self, value: Json, json: str, text: str) -> Iterator[Item]:
        if not isinstance(value, dict | list):
            yield self._problem("Loading document failed: no JSON object or array.", text)
            return
        prepared = prepare(value, json, self._base or "", self._document.contexts)
        for address in prepared.unknown:
            yield self._unknown(address, text)
        try:
            yield from self._of_found(self._found(prepared, value), text)
        except JsonLdError as error:
            yield from self._of_parts(prepared, error, text)

    def _unknown(self, address: str, text: str) -> Problem:
        message = f"Loading remote context failed: {quoted(address)} is not known here."
        can_be_fetched = address.startswith(("http://", "https://"))
        return self._problem(message, text, wants=address if can_be_fetched else None)

    def _of_found(self, found: Found, text: str) -> Iterator[Item]:
        yield from self._writer.items(found.quads)
        for iri in found.ill_formed:
            yield self._problem(unusable(iri), text)
        for address in found.unknown:
            yield self._unknown(address, text)

    def _of_parts(self, prepared: Prepared, error: JsonLdError, text: str) -> Iterator[Item]:
        parts = _parts(prepared.value)
        if not parts:
            yield from self._of_error(error, text)
        for part in parts:
            try:
                yield from self._of_found(self._found(prepared, part), text)
            except JsonLdError as part_error:
                yield from self._of_error(part_error, text)

    def _of_error(self, error: JsonLdError, text: str) -> Iterator[Item]:
        yield self._problem(f"{error.code[:1].upper()}{error.code[1:]}: {error}", text)
        yield from self._writer.items(error.kept)

    def _found(self, prepared: Prepared, value: Json) -> Found:
        if not self._processing.is_plain:
            return self._full(value)

        def fast(value: Json) -> Found:
            return fast_quads(value, self._base, is_covered=prepared.is_covered)

        first, second = (self._full, fast) if prepared.needs_full else (fast, self._full)
        try:
            return first(value)
        except JsonLdError as error:
            try:  # a second opinion: each sees errors that the other does not
                return second(value)
            except JsonLdError as other:
                raise error.beside(other) from error

    def _full(self, value: Json) -> Found:
        self._scopes += 1
        load = self._document.contexts.get
        return full_quads(value, self._base, load, self._processing, f"{self._scopes}-")


def _usable_base(base: str, url: str) -> str | None:
    good = mended(base) or mended(url)
    return None if good is None else good.partition("#")[0]


def _parts(value: Json) -> list[Json]:
    """The members of an array or a `@graph`, as documents of their own; none if there is but one.

    One mistake then costs one node of the graph, and not the others.
    """
    members, shared = value, {}
    if isinstance(value, dict) and value.keys() <= {"@context", "@graph"}:
        members, shared = value.get("@graph"), {"@context": value.get("@context", {})}
    if not isinstance(members, list) or not 1 < len(members) <= MOST_PARTS:
        return []
    return [{**shared, "@graph": [member]} for member in members]
