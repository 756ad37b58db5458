"""CSV for spreadsheets: cells that a program would take for a formula are text. Pure.

What is crawled may begin with `=`, `+`, `-`, `@`, a tab or a CR; spreadsheets run that when the file is
opened. An apostrophe before it makes it text. The SPARQL endpoint's own CSV stays by the letter.
"""

import codecs
import csv
import io
import re
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response, StreamingResponse

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def safe_cell(cell: str) -> str:
    """The cell as text, unless it is a number."""
    is_formula = cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


class SafeCsv:
    """Takes CSV as it comes, and gives whole rows of it back."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""  # the beginning of a row

    def feed(self, data: bytes, *, is_last: bool = False) -> bytes:
        """The rows that end in these bytes, or with them."""
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
    """An answer of CSV that can be opened in a spreadsheet."""
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
