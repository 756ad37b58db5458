"""Downloads: formats and file names of results, and CSV that is safe in spreadsheets.

What is crawled may begin with `=`, `+`, `-`, `@`, a tab or a CR; spreadsheets run that when the file is
opened. An apostrophe before it makes it text. The SPARQL endpoint's own CSV stays by the letter.
"""

import codecs
import csv
import io
import re
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Final

from starlette.responses import Response, StreamingResponse

from gossamer.service.answers import ROWS, TRIPLES, Wanted

ROW_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {"csv": "CSV", "tsv": "TSV", "json": "JSON", "xml": "XML"}
)
TRIPLE_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "turtle": "Turtle",
        "jsonld": "JSON-LD",
        "ntriples": "N-Triples",
        "rdfxml": "RDF/XML",
        "trig": "TriG",
        "nquads": "N-Quads",
    }
)
_SUFFIXES: Final = {"turtle": "ttl", "ntriples": "nt", "rdfxml": "rdf", "nquads": "nq"}
_BOTH: Final = [*TRIPLES.items(), *ROWS.items()]
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def wanted_file(name: str) -> Wanted:
    """The format of a name, with its media type."""
    return Wanted(next(media for media, each in _BOTH if each == name), name)


def as_file(answer: Response, stem: str, wanted: Wanted) -> Response:
    """Turn a response into a download."""
    suffix = _SUFFIXES.get(wanted.format, wanted.format)
    answer.headers["Content-Disposition"] = f'attachment; filename="{stem}.{suffix}"'
    return answer


def safe_cell(cell: str) -> str:
    """The cell as text, unless it is a number."""
    is_formula = cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


class SafeCsv:
    """A streaming filter that makes the rows of a CSV safe."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""  # the beginning of a row

    def feed(self, data: bytes, *, is_last: bool = False) -> bytes:
        """The complete rows in the bytes so far, made safe."""
        self._held += self._decoder.decode(data, is_last)
        end = len(self._held) if is_last else self._held.rfind("\n") + 1
        # A line end inside quotation marks ends no row.
        while end and not is_last and self._held.count('"', 0, end) % 2:
            end = self._held.rfind("\n", 0, end - 1) + 1
        rows, self._held = self._held[:end], self._held[end:]
        told = io.StringIO(newline="")
        writer = csv.writer(told)
        for row in csv.reader(io.StringIO(rows, newline="")):
            writer.writerow([safe_cell(cell) for cell in row])
        return told.getvalue().encode()


def safe_answer(answer: Response) -> Response:
    """A CSV response that is safe to open in a spreadsheet."""
    if isinstance(answer, StreamingResponse):
        answer.body_iterator = _safe(answer)
        return answer
    headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
    body = SafeCsv().feed(bytes(answer.body), is_last=True)
    return Response(body, answer.status_code, headers)


async def _safe(answer: StreamingResponse) -> AsyncIterator[bytes]:
    rows, pieces = SafeCsv(), answer.body_iterator
    async for piece in pieces:
        yield rows.feed(piece.encode() if isinstance(piece, str) else bytes(piece))
    yield rows.feed(b"", is_last=True)
