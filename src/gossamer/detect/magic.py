"""Recognises binary documents by their first bytes."""

import re
from typing import Final

from gossamer.detect.claims import Claim
from gossamer.detect.kinds import BINARY, Family

_HEAD: Final = 1024
_STARTS: Final = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-", "application/postscript"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\1\0", "image/x-icon"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"(\xb5/\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"OggS\0", "application/ogg"),
    (b"\x1aE\xdf\xa3", "application/x-matroska"),
    (b"FLV\1", "video/x-flv"),
    (b"\0\1\0\0\0", "font/ttf"),
    (b"\x7fELF", "application/x-executable"),
    (b"\0asm", "application/wasm"),
    (b"\xca\xfe\xba\xbe", "application/x-java-vm"),
    (b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
)
# These could begin a text as well: they count where a zero byte follows soon, as in no text.
_STARTS_WITH_ZEROS: Final = (
    (b"BM", "image/bmp"),
    (b"MZ", "application/x-msdownload"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO", "font/otf"),
    (b"ttcf", "font/collection"),
)
_SOON: Final = 64
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_BRANDS: Final = {b"avif": "image/avif", b"heic": "image/heic", b"M4A ": "audio/mp4"}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_IN_ZIP: Final = (
    (b"word/", f"{_OFFICE}wordprocessingml.document"),
    (b"xl/", f"{_OFFICE}spreadsheetml.sheet"),
    (b"ppt/", f"{_OFFICE}presentationml.presentation"),
)
_ZIPPED_TYPE: Final = re.compile(rb"mimetype(application/[a-z0-9.+-]{1,80})")
# What holds documents of many types: whoever names one of them may well be right.
_CONTAINERS: Final = frozenset(
    (
        *("application/zip", "application/gzip", "application/x-ole-storage", "application/ogg"),
        *("application/x-matroska", "video/mp4", BINARY),
    )
)
# Control characters that no text has; escape is left out, since Japanese text has it.
_CONTROLS: Final = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")


def binary_type(body: bytes, claim: Claim) -> str | None:
    """The media type of a document with a known file signature."""
    if body.startswith(b"<"):
        return None  # no need to try them all on nearly every page there is
    found = _start_type(body) or _inner_type(body)
    if found in _CONTAINERS and claim.family is Family.OPAQUE:
        return claim.media_type
    return found


def looks_binary(text: bytes) -> bool:
    """Whether an unknown document is unlikely to be text."""
    return _CONTROLS.search(text, 0, _HEAD) is not None


def _start_type(body: bytes) -> str | None:
    for start, media_type in _STARTS:
        if body.startswith(start):
            return media_type
    for start, media_type in _STARTS_WITH_ZEROS:
        if body.startswith(start) and b"\0" in body[:_SOON]:
            return media_type
    return None


def _inner_type(body: bytes) -> str | None:
    if body.startswith((b"PK\3\4", b"PK\5\6")):
        return _zipped_type(body[: 4 * _HEAD])
    if body.startswith(b"RIFF"):
        return _RIFF.get(body[8:12])
    if body[4:8] == b"ftyp":
        return _BRANDS.get(body[8:12], "video/mp4")
    if body[257:262] == b"ustar":
        return "application/x-tar"
    # MPEG audio without a tag: eleven ones, then a layer, a rate and a frequency that exist.
    if body[:1] == b"\xff" and len(body) > 2 and body[1] & 0xE6 == 0xE2 and body[2] & 0x0C != 0x0C:
        return "audio/mpeg"
    return None


def _zipped_type(head: bytes) -> str:
    if named := _ZIPPED_TYPE.match(head, 30):
        return named[1].decode("ascii")
    if head.startswith((b"[Content_Types].xml", b"_rels/", b"word/", b"xl/", b"ppt/"), 30):
        for folder, media_type in _IN_ZIP:
            if folder in head:
                return media_type
    return "application/zip"
