"""What the links of a page are joined to. Pure."""

import re
from typing import Final

from gossamer.model import Refusal, Url
from gossamer.urls import canonical

# A path of letters, digits and marks that mean nothing, no segment beginning with a dot, perhaps
# a query of the same: its canonical form is what it is, behind the origin.
_PLAIN: Final = re.compile(
    r"/(?:[A-Za-z0-9_~+,-][A-Za-z0-9_~+,.-]*+(?:/|(?=\?)|\Z))*+(?:\?[A-Za-z0-9_~+,.=&-]*+)?"
)
_LONG: Final = 2_000  # of these the rules for URLs may have more to say


class Base:
    """One base, asked for every link of a page: half of the time most of these would take."""

    def __init__(self, url: Url | None) -> None:
        self._url = url
        self._origin = "" if url is None else url[: url.index("/", len("https://"))]

    def joined(self, reference: str) -> Url | Refusal:
        """The canonical URL of a reference, or why it has none."""
        if self._origin and len(reference) < _LONG and _PLAIN.fullmatch(reference):
            return Url(f"{self._origin}{reference}")
        return canonical(reference, self._url)
