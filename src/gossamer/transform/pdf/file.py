"""An open PDF document, as pypdf reads it: information, XMP packet, and the text of its pages.

Documents come from strangers: pypdf raises whatever its own code runs into, so every exception is the
document's fault here, but for a lack of memory. What never ends is ended from outside, with its worker.
"""

import io
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self

from gossamer.transform.text.languages import language_of
from gossamer.transform.text.page_text import (
    FULL_CHARACTERS,
    LEAD_CHARACTERS,
    TITLE_CHARACTERS,
    PageText,
    one_spaced,
    shorten,
)

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_PAGES: Final = 2_000
MOST_XMP_BYTES: Final = 1024 * 1024
MOST_OF_A_VALUE: Final = 4_000  # characters
_INFORMATION: Final = ("Title", "Author", "Subject", "Keywords", "CreationDate", "ModDate")
_MOMENT: Final = re.compile(
    r"D?:?(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d\d)(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?)?)?)?.*",
    re.ASCII | re.DOTALL,
)


class BrokenPdfError(Exception):
    """A document that cannot be read; the text is a sentence."""


class PdfFile:
    """A document that was opened."""

    def __init__(self, reader: "PdfReader") -> None:
        self._reader = reader

    @classmethod
    def open(cls, body: bytes) -> Self:
        """The document in these bytes; raises `BrokenPdfError`, or `ImportError` without the library."""
        from pypdf import PdfReader  # 0.3 s of CPU: on request

        # Told as a problem, once; its modules' loggers have no level of their own.
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
        with _broken():
            reader = PdfReader(io.BytesIO(body), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise BrokenPdfError("This PDF is encrypted; a password opens it.")
            return cls(reader)

    def information(self) -> Mapping[str, str]:
        """Entries of the information dictionary: by PDF's names, moments in the form of XML Schema."""
        with _broken():
            found: Mapping[str, object] = self._reader.metadata or {}
            values = {name: found.get(f"/{name}") for name in _INFORMATION}
            said = {
                name: one_spaced(str(each))[:MOST_OF_A_VALUE]
                for name, each in values.items()
                if each
            }
        return {
            name: moment(text) if name.endswith("Date") else text
            for name, text in said.items()
            if text
        }

    def language(self) -> str:
        """The language that the document states; empty: none."""
        with _broken():
            return one_spaced(str(self._reader.root_object.get("/Lang", "")))[:MOST_OF_A_VALUE]

    def xmp(self) -> bytes:
        """The XMP packet; empty where there is none, or one that is too long."""
        with _broken():
            metadata = self._reader.root_object.get("/Metadata")
            packet = b"" if metadata is None else bytes(metadata.get_object().get_data())
            return packet if len(packet) <= MOST_XMP_BYTES else b""

    def text(self, title: str, *, is_full: bool) -> PageText:
        """The text of its pages, of which the lead or all is kept."""
        most = FULL_CHARACTERS if is_full else LEAD_CHARACTERS
        parts, size = list[str](), 0
        for part in self._texts():
            parts.append(part)
            size += len(part) + 1
            if size > most:
                break
        text = " ".join(parts)
        main = shorten(text, most)
        return PageText(
            shorten(title, TITLE_CHARACTERS),
            main=main,
            language=language_of(main),
            is_cut=len(main) < len(text) or size > most,
        )

    def _texts(self) -> Iterator[str]:
        """The text of each page, as far as they can be read."""
        for number in range(MOST_PAGES):
            try:
                with _broken():
                    page = self._reader.pages[number]
                    yield one_spaced(page.extract_text())
            except BrokenPdfError:
                return


def moment(text: str) -> str:
    """A moment of PDF (`D:20240517120000+02'00'`) as XML Schema writes it; other text as it is."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return text
    year, month, day, hour, minute, second, sign, hours, minutes = found.groups()
    date = "-".join(filter(None, (year, month, day)))
    if hour is None:
        return date
    zone = f"{sign}{hours}:{minutes or '00'}" if sign else "Z" if "Z" in text else ""
    return f"{date}T{hour}:{minute}:{second or '00'}{zone}"


@contextmanager
def _broken() -> Iterator[None]:
    try:
        yield
    except (MemoryError, BrokenPdfError):
        raise
    except Exception as error:
        if type(error).__name__ == "DependencyError":
            raise BrokenPdfError(
                "This PDF is encrypted in a way that needs another library."
            ) from None
        raise BrokenPdfError(
            f"This PDF is broken ({type(error).__name__}: {str(error)[:200]})."
        ) from None
