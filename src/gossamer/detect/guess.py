"""Guesses the encoding of a page that names none and is not UTF-8.

As in browsers: the language of the page, else the domain it lives in, tells which encoding its
authors used before UTF-8. Languages are from the table of the HTML standard (section 13.2.3.2).
"""

import re
from typing import Final

from gossamer.detect.labels import WINDOWS_1252

_CYRILLIC: Final = ("cp1251",)
_CENTRAL: Final = ("cp1250",)
_BALTIC: Final = ("cp1257",)
_TURKIC: Final = ("cp1254",)
_ARABIC: Final = ("cp1256",)
# The stricter one first: hardly a Shift_JIS text is EUC by chance.
_JAPANESE: Final = ("euc_jp", "cp932")
_SIMPLIFIED: Final = ("gb18030",)
_TRADITIONAL: Final = ("big5hkscs",)

_BY_LANGUAGE: Final = {
    **dict.fromkeys(("be", "bg", "ba", "kk", "ky", "mk", "ru", "sah"), _CYRILLIC),
    **dict.fromkeys(("sr", "tg", "tt", "uk"), _CYRILLIC),
    **dict.fromkeys(("cs", "hr", "sk", "bs", "ro", "sq"), _CENTRAL),
    **dict.fromkeys(("hu", "pl", "sl"), ("iso8859-2",)),
    **dict.fromkeys(("et", "lt", "lv"), _BALTIC),
    **dict.fromkeys(("az", "ku", "tr"), _TURKIC),
    **dict.fromkeys(("ar", "fa", "ur", "ps"), _ARABIC),
    "el": ("iso8859-7",),
    "he": ("cp1255",),
    "th": ("cp874",),
    "vi": ("cp1258",),
    "ja": _JAPANESE,
    "ko": ("cp949",),
    "zh": _SIMPLIFIED,
    **dict.fromkeys(("zh-tw", "zh-hk", "zh-mo", "zh-hant"), _TRADITIONAL),
}
_LANGUAGE_OF_DOMAIN: Final = {
    **dict.fromkeys(("ru", "su", "by", "bg", "kz", "kg", "mk", "rs", "tj", "ua", "mn"), "ru"),
    **dict.fromkeys(("xn--p1ai", "xn--90ais", "xn--j1amh", "xn--90ae"), "ru"),
    **dict.fromkeys(("cz", "sk", "hr", "ba", "ro", "al"), "cs"),
    **dict.fromkeys(("hu", "pl", "si"), "pl"),
    **dict.fromkeys(("ee", "lt", "lv"), "lt"),
    **dict.fromkeys(("tr", "az"), "tr"),
    **dict.fromkeys(("sa", "ae", "eg", "ir", "iq", "jo", "kw", "sy", "ye", "pk"), "ar"),
    **dict.fromkeys(("gr", "cy"), "el"),
    **dict.fromkeys(("tw", "hk", "mo"), "zh-tw"),
    **dict.fromkeys(("kr", "kp"), "ko"),
    "il": "he",
    "th": "th",
    "vn": "vi",
    "jp": "ja",
    "cn": "zh",
}
_LANGUAGE: Final = re.compile(
    rb"""<html\b[^>]*?\blang\s*+=\s*+["']?([A-Za-z]{2,8}(?:-[A-Za-z]{2,8})?)""", re.IGNORECASE
)
_HOST: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]*)", re.IGNORECASE)


def guessed(body: bytes, url: str) -> tuple[str, str]:
    """A codec for a page without a declared encoding, and why."""
    codecs, why = _candidates(body, url)
    for codec in codecs:
        if _reads(codec, body):
            return codec, why
    return WINDOWS_1252, "it names none and is not UTF-8"


def _candidates(body: bytes, url: str) -> tuple[tuple[str, ...], str]:
    if found := _LANGUAGE.search(body, 0, 4096):
        language = found[1].decode("ascii").lower()
        codecs = _BY_LANGUAGE.get(language) or _BY_LANGUAGE.get(language.partition("-")[0]) or ()
        return codecs, f"usual for the language {language}"
    host = _HOST.match(url)
    domain = host[1].rstrip(".").rpartition(".")[2].lower() if host else ""
    return _BY_LANGUAGE.get(_LANGUAGE_OF_DOMAIN.get(domain, ""), ()), f"usual in .{domain}"


def _reads(codec: str, body: bytes) -> bool:
    try:
        body.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
