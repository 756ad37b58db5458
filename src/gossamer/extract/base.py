"""Resolves the links of a page against its base. Pure."""

import re
from typing import Final

from gossamer.model import Refusal, Url
from gossamer.urls import canonical
from gossamer.urls.canonical import PLAIN_LENGTH, PLAIN_PATH

_PLAIN: Final = re.compile(PLAIN_PATH)


class Base:
    """The base of a page, with a fast path for most of its links."""

    def __init__(self, url: Url | None) -> None:
        self._url = url
        self._origin = "" if url is None else url[: url.index("/", len("https://"))]

    def joined(self, reference: str) -> Url | Refusal:
        """The canonical URL of a reference, or the reason why it has none."""
        if self._origin and len(reference) < PLAIN_LENGTH and _PLAIN.fullmatch(reference):
            return Url(f"{self._origin}{reference}")
        return canonical(reference, self._url)
