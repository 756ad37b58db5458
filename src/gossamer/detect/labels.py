"""Names of character encodings as the web uses them, and the Python codecs that read them."""

import codecs
from functools import lru_cache
from typing import Final

from webencodings import LABELS

UTF_8: Final = "utf-8"
WINDOWS_1252: Final = "cp1252"
WIDE: Final = frozenset(("utf-16-le", "utf-16-be"))
REPLACEMENT: Final = "replacement"
"""Stands for encodings that by the standard nobody reads any more; it is no codec."""

_WHITE: Final = "\t\n\f\r "
_MAX_LENGTH: Final = 40  # the longest label has 19 letters

# Where Python has no codec of that name, or one that reads less than browsers do.
_CODECS: Final = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",  # one decoder for both, by the standard
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    # Bytes past ASCII become private characters there; as letters they say more.
    "x-user-defined": WINDOWS_1252,
}


def codec_of(label: str) -> str | None:
    """The codec of an encoding label: `latin1` is `cp1252`. None if it is not a label.

    May be `REPLACEMENT`.
    """
    label = label.strip(_WHITE).lower()
    return _codec_of(label) if len(label) <= _MAX_LENGTH else None


@lru_cache(maxsize=512)
def _codec_of(label: str) -> str | None:
    name: str | None = LABELS.get(label)
    if name is None or name == REPLACEMENT:
        return name
    return codecs.lookup(_CODECS.get(name, name)).name
