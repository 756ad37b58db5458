"""Guesses the encoding of a page that names none and is not UTF-8.

As in browsers: statistics of its bytes tell (chardetng, which Firefox uses too), and the language of
the page, or else the domain it lives in, decides what looks alike. Where there is no such library,
language or domain name the encoding that authors used before UTF-8: languages are from the table of
the HTML standard (section 13.2.3.2).
"""

import codecs
import re
from collections.abc import Mapping
from typing import Final, TypeVar

from gossamer.detect.labels import WINDOWS_1252, codec_of

SAMPLE_BYTES: Final = 32 * 1024  # from the first letter past ASCII: some hundreds are enough
_BEFORE_BYTES: Final = 64  # the rest of its word, which tells as much
# "naïve" and "20 °C" look Baltic and Polish; so few letters are no reason to think of either.
_FEW: Final = 4
_LATIN: Final = frozenset(
    ("cp1250", "cp1254", "cp1257", "cp1258", "iso8859-2", "iso8859-4", "iso8859-10", "iso8859-13")
)

T = TypeVar("T")

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
# The domain that stands for a language, where it is not spelled as the language is: `.be` is no
# more Belarusian than `.ar` is Arabic.
_DOMAIN_OF_LANGUAGE: Final = {
    "be": "by",
    "kk": "kz",
    "ky": "kg",
    "sr": "rs",
    "tg": "tj",
    "uk": "ua",
    **dict.fromkeys(("ba", "sah", "tt"), "ru"),
    "cs": "cz",
    "bs": "ba",
    "sq": "al",
    "sl": "si",
    "et": "ee",
    "ku": "tr",
    "ar": "eg",
    "fa": "ir",
    "ur": "pk",
    "ps": "af",
    "el": "gr",
    "he": "il",
    "vi": "vn",
    "ja": "jp",
    "ko": "kr",
    "zh": "cn",
    "zh-tw": "tw",
    "zh-hk": "hk",
    "zh-mo": "mo",
    "zh-hant": "tw",
    "da": "dk",
    "sv": "se",
    "en": "uk",
}
_NOT_ASCII: Final = bytes(range(128, 256))
_PAST_ASCII: Final = re.compile(rb"[\x80-\xff]")
_DOMAIN: Final = re.compile(r"[a-z0-9-]{2,63}")
_LANGUAGE: Final = re.compile(
    rb"""<html\b[^>]*?\blang\s*+=\s*+["']?([A-Za-z]{2,8}(?:-[A-Za-z]{2,8})?)""", re.IGNORECASE
)
_HOST: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]*)", re.IGNORECASE)


def guessed(body: bytes, url: str) -> tuple[str, str]:
    """A codec for a page without a declared encoding, and why."""
    found = _LANGUAGE.search(body, 0, 4096)
    language = found[1].decode("ascii").lower() if found else ""
    host = _HOST.match(url)
    domain = host[1].rstrip(".").rpartition(".")[2].lower() if host else ""
    return by_bytes(body, language, domain) or by_custom(body, language, domain)


def by_bytes(body: bytes, language: str, domain: str) -> tuple[str, str] | None:
    """The codec that the bytes look like, and why; None where there is no library for it."""
    try:
        # Not at the top: hardly a page needs it, and it need not be there.
        from chardetng_py import EncodingDetector
    except ImportError:
        return None
    first = _PAST_ASCII.search(body)
    start = max(0, first.start() - _BEFORE_BYTES) if first else 0
    sample = body[start : start + SAMPLE_BYTES]
    detector = EncodingDetector()
    # A character that the end of the sample splits is no fault, so that end is not the last.
    detector.feed(sample, last=start + SAMPLE_BYTES >= len(body))
    home = _home(language, domain)
    # Anything but a domain in small ASCII letters is an error there.
    told = home.encode() if _DOMAIN.fullmatch(home) else None
    label: str = detector.guess(tld=told, allow_utf8=False)
    codec = codec_of(label) or codecs.lookup(label).name  # `cp874` is a name in Python alone
    if codec in _LATIN and home not in _LANGUAGE_OF_DOMAIN and len(sample) - _FEW < _ascii(sample):
        return WINDOWS_1252, "too few letters tell what its bytes look like"
    return codec, f"its bytes look like {label.lower()}"


def by_custom(body: bytes, language: str, domain: str) -> tuple[str, str]:
    """The codec that authors of a language, or in a domain, used before UTF-8, and why."""
    if language:
        usual, why = _lookup(_BY_LANGUAGE, language, ()), f"usual for the language {language}"
    else:
        usual = _BY_LANGUAGE.get(_LANGUAGE_OF_DOMAIN.get(domain, ""), ())
        why = f"usual in .{domain}"
    for codec in usual:
        if _reads(codec, body):
            return codec, why
    return WINDOWS_1252, "it names none and is not UTF-8"


def _home(language: str, domain: str) -> str:
    """The domain that pages in this language are usual in."""
    spoken = language.partition("-")[0]
    # Templates that nobody translated say that a page is English.
    if not language or (spoken == "en" and domain in _LANGUAGE_OF_DOMAIN):
        return domain
    return _lookup(_DOMAIN_OF_LANGUAGE, language, spoken)


def _lookup(table: Mapping[str, T], language: str, otherwise: T) -> T:
    """What a table has for a language with its region, or for the language alone."""
    return table.get(language, table.get(language.partition("-")[0], otherwise))


def _ascii(sample: bytes) -> int:
    return len(sample.translate(None, _NOT_ASCII))


def _reads(codec: str, body: bytes) -> bool:
    try:
        body.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
