"""JSON-LD 1.1 to statements: the entry point of this package."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import mended, unusable
from gossamer.transform.jsonld.blocks import Lines, NotFound, is_json, script_texts
from gossamer.transform.jsonld.contexts import Prepared, prepare
from gossamer.transform.jsonld.directions import WITHOUT_LANGUAGE, directed, has_directions
from gossamer.transform.jsonld.habits import Meant, as_meant, bare_classes
from gossamer.transform.jsonld.limits import check_contexts
from gossamer.transform.jsonld.plain import NotPlainError, plain_items
from gossamer.transform.jsonld.processing import (
    Found,
    Json,
    JsonLdError,
    Quad,
)
from gossamer.transform.jsonld.processors import Processors
from gossamer.transform.jsonld.reading import Parsed, read
from gossamer.transform.jsonld.writing import Writer
from gossamer.transform.terms import A
from gossamer.wording import quoted

MOST_PARTS: Final = 200  # each costs its context again


def json_ld_statements(document: Document) -> Iterator[Item]:
    """The statements of a JSON-LD document, or of every JSON-LD block of an HTML page."""
    if is_json(document):
        return _Reader(document, document.json_ld.base or document.url).items(document.text)
    return _html_statements(document)


def _html_statements(document: Document) -> Iterator[Item]:
    all_scripts = document.json_ld.extract_all_scripts
    count = 1 if all_scripts is False else None
    texts = list(islice(script_texts(document), count))
    if not texts:
        return
    reader = _Reader(document, document.html_base_from(document.json_ld.base or document.url))
    blocks = [text for text in texts if isinstance(text, str)]
    if all_scripts:
        yield from reader.merged_items(blocks)
    else:
        for block in blocks:
            yield from reader.items(block)
    for text in texts:
        if isinstance(text, NotFound):
            yield Problem(text.message, Syntax.JSON_LD)


class _Reader:
    """Reads the blocks of one document, whose blank nodes have one set of names."""

    def __init__(self, document: Document, base: str) -> None:
        processing = document.json_ld
        self._document = document
        self._base = _usable_base(base, document.url)
        self._is_default = processing.is_plain
        self._is_strict = document.options.strict or not processing.is_plain
        self._in_html = not is_json(document)
        # Whoever asks for the API's rules about scripts gets its error code with each repair.
        by_the_api = self._in_html and processing.extract_all_scripts is not None
        self._odd = "Invalid script element: {}" if by_the_api else "{}"
        self._processors = Processors(self._base, document.contexts, processing)
        self._meaningless: dict[str, str] = {}  # classes to which no context gives a meaning
        self._keeps_directions = False  # of the texts of the value in hand
        self._lines = Lines(document)
        self._writer = Writer(document)

    def items(self, block: str) -> Iterator[Item]:
        """The statements of one block."""
        reading = read(block, self._document.options.max_depth)
        for oddity in reading.oddities:
            yield self._problem(self._odd.format(oddity.message), block, oddity.line)
        for parsed in reading.values:
            meant, notes = self._as_meant(parsed)
            for note in notes:
                yield self._problem(note, block)
            yield from self._of_value(meant, block)

    def merged_items(self, blocks: list[str]) -> Iterator[Item]:
        """The statements of several blocks as members of one array."""
        members: list[Json] = []
        texts: list[str] = []
        for block in blocks:
            reading = read(block, self._document.options.max_depth)
            for oddity in reading.oddities:
                yield self._problem(self._odd.format(oddity.message), block, oddity.line)
            for parsed in reading.values:
                (value, text), notes = self._as_meant(parsed)
                for note in notes:
                    yield self._problem(note, block)
                members += value if isinstance(value, list) else [value]
                texts.append(text)
        if blocks:
            yield from self._of_value(Parsed(members, f"[{','.join(texts)}]"), blocks[0])

    def _as_meant(self, parsed: Parsed) -> Meant:
        if self._is_strict:
            return Meant(parsed, ())
        return as_meant(parsed, self._document.contexts, in_html=self._in_html)

    def _problem(
        self, message: str, block: str, line: int = 0, wants: str | None = None
    ) -> Problem:
        first = self._lines.of(block)
        return Problem(message, Syntax.JSON_LD, None if first is None else first + line, wants)

    def _of_value(self, parsed: Parsed, block: str) -> Iterable[Item]:
        contexts = self._document.contexts
        self._keeps_directions = not self._is_strict and has_directions(parsed.text, contexts)
        try:
            return self._plain_items(parsed)
        except NotPlainError:
            return self._of_any(parsed, block)

    def _plain_items(self, parsed: Parsed, *, forgiving: bool = False) -> list[Item]:
        if not self._is_default or self._base is None or self._keeps_directions:
            raise NotPlainError("asked for otherwise")
        given = self._document.contexts
        return plain_items(*parsed, self._base, given, self._writer, forgiving=forgiving)

    def _of_any(self, parsed: Parsed, block: str) -> Iterator[Item]:
        yield from self._writer.problems()
        if not isinstance(parsed.value, dict | list):
            yield self._problem("Loading document failed: no JSON object or array.", block)
            return
        try:
            check_contexts(*parsed, self._document.contexts)
        except JsonLdError as error:
            yield self._error(error, block)
            return
        prepared = prepare(*parsed, self._base or "", self._document.contexts)
        for address in prepared.unknown:
            yield self._unknown(address, block)
        needs_none = self._is_strict or prepared.is_covered
        self._meaningless = {} if needs_none else bare_classes(prepared.value, self._base or "")
        try:
            yield from self._of_found(self._found(prepared, prepared.value), block)
        except JsonLdError as error:
            yield from self._salvaged(prepared, parsed.text, error, block)

    def _found(self, prepared: Prepared, value: Json) -> Found:
        if self._keeps_directions:
            with suppress(JsonLdError):  # the other processor may know better
                return self._processors.found(prepared, value, directions=True)
        return self._processors.found(prepared, value)

    def _unknown(self, address: str, block: str) -> Problem:
        message = f"Loading remote context failed: {quoted(address)} is not known here."
        can_be_fetched = address.startswith(("http://", "https://"))
        return self._problem(message, block, wants=address if can_be_fetched else None)

    def _of_found(self, found: Found, block: str) -> Iterator[Item]:
        quads = found.quads
        if self._keeps_directions:
            quads, is_left_out = directed(quads)
            if is_left_out:
                yield self._problem(WITHOUT_LANGUAGE, block)
        if self._meaningless:
            dropped = dict.fromkeys(quad[2] for quad in quads if self._is_meaningless(quad))
            quads = [quad for quad in quads if not self._is_meaningless(quad)]
            for name in dropped:
                word = quoted(self._meaningless[name])
                yield self._problem(
                    f"No context gives the class {word} a meaning; left out.", block
                )
        yield from self._writer.items(quads)
        for iri in found.ill_formed:
            yield self._problem(unusable(iri), block)
        for address in found.unknown:
            yield self._unknown(address, block)

    def _is_meaningless(self, quad: Quad) -> bool:
        return quad[1] == A and quad[2] in self._meaningless

    def _salvaged(
        self, prepared: Prepared, text: str, error: JsonLdError, block: str
    ) -> Iterator[Item]:
        """What can be had of a value that JSON-LD does not allow."""
        (again,) = read(text, self._document.options.max_depth).values  # as before any change
        try:
            items = self._plain_items(again, forgiving=True)
        except NotPlainError:
            yield from self._of_parts(prepared, error, block)
        else:
            yield self._error(error, block)
            yield from items

    def _of_parts(self, prepared: Prepared, error: JsonLdError, block: str) -> Iterator[Item]:
        parts = _parts(prepared.value)
        if not parts:
            yield self._error(error, block)
        for part in parts:
            try:
                yield from self._of_found(self._found(prepared, part), block)
            except JsonLdError as part_error:
                yield self._error(part_error, block)

    def _error(self, error: JsonLdError, block: str) -> Problem:
        return self._problem(f"{error.code[:1].upper()}{error.code[1:]}: {error}", block)


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
