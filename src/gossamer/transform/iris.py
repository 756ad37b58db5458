"""IRIs for RDF: resolved by RFC 3986, repaired as browsers would, otherwise refused. Pure.

Statements keep what a page says to the letter: `http://example.org` stays without the slash
that WHATWG rules would add. Links, which are to be fetched, go through `gossamer.urls`.
"""

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Final

from gossamer.wording import quoted

# RFC 3986 appendix B.
_PARTS: Final = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL
)
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# RFC 3987 `ucschar`: the characters past ASCII that may stand in an IRI.
_UCSCHAR: Final = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane << 16 if plane != 0xE else 0xE1000)}-{chr((plane << 16) + 0xFFFD)}"
    for plane in range(1, 0xF)
)
# What may not, and what browsers percent-encode where they meet it.
_FORBIDDEN: Final = re.compile(rf"[^!#-;=?-Z_a-z~{_UCSCHAR}]")
# What most IRIs look like, and nothing that would need mending.
_PLAIN: Final = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[!$&-;=@-Z_a-z~]*)?(?:\?[!$&-;=?-Z_a-z~]*)?"
    r"(?:#[!$&-;=?-Z_a-z~]*)?"
)
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_HOST: Final = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(:[0-9]*)?")
_STRIPPED: Final = " \t\n\r\f"

Parts = tuple[str, str | None, str, str, str]


def join(base: str, reference: str) -> str:
    """The reference resolved against the base, RFC 3986 section 5.2; nothing is normalised.

    White space around the reference is no part of it, as in every HTML attribute.
    """
    reference = reference.strip(_STRIPPED)
    if _ABSOLUTE.match(reference):
        return _with_dots_removed(reference)
    scheme, authority, path, query, _ = _split(base)
    if not reference:
        return _unsplit((scheme, authority, path, query, ""))
    _, other_authority, other_path, other_query, fragment = _split(reference)
    if other_authority is not None:
        return _unsplit((scheme, other_authority, _without_dots(other_path), other_query, fragment))
    if not other_path:
        return _unsplit((scheme, authority, path, other_query or query, fragment))
    merged = other_path if other_path.startswith("/") else _merged(authority, path, other_path)
    return _unsplit((scheme, authority, _without_dots(merged), other_query, fragment))


def mended(iri: str) -> str | None:
    """An absolute IRI for RDF, forbidden characters percent-encoded; None if it is not one.

    As in browsers, the host cannot be mended: it would be another host.
    """
    if _PLAIN.fullmatch(iri):
        return iri
    if not _ABSOLUTE.match(iri):
        return None
    scheme, authority, path, query, fragment = _split(iri)
    if authority is not None and not _good_authority(authority):
        return None
    rest = f"{path}{query}{fragment[:1]}{fragment[1:].replace('#', '%23')}"
    if _FORBIDDEN.search(rest):
        try:
            rest = _FORBIDDEN.sub(_percent_encoded, rest)
        except UnicodeEncodeError:  # half of a character pair stands for nothing
            return None
    rest = _BAD_ESCAPE.sub("%25", rest)
    return f"{scheme}:{rest}" if authority is None else f"{scheme}://{authority}{rest}"


def unusable(iri: str) -> str:
    """The message of a problem about an IRI that cannot be used."""
    return f"{quoted(iri)} is no IRI; the statement is left out."


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def _good_authority(authority: str) -> bool:
    user, _, host = authority.rpartition("@")
    if "@" in user or _FORBIDDEN.search(user) or _BAD_ESCAPE.search(authority):
        return False
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    name = match[1]
    return _is_ipv6(name[1:-1]) if name.startswith("[") else not _FORBIDDEN.search(name)


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return "%" not in text


@lru_cache(maxsize=256)  # bases, mostly: a page joins many references to one
def _split(iri: str) -> Parts:
    match = _PARTS.fullmatch(iri)
    assert match is not None  # every text matches
    scheme, authority, path, query, fragment = match.groups()
    return scheme or "", authority, path, query or "", fragment or ""


def _unsplit(parts: Parts) -> str:
    scheme, authority, path, query, fragment = parts
    network = "" if authority is None else f"//{authority}"
    return f"{scheme}:{network}{path}{query}{fragment}"


def _with_dots_removed(iri: str) -> str:
    if "/." not in iri:
        return iri
    scheme, authority, path, query, fragment = _split(iri)
    return _unsplit((scheme, authority, _without_dots(path), query, fragment))


def _merged(authority: str | None, base_path: str, path: str) -> str:
    if authority is not None and not base_path:
        return f"/{path}"
    return base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """RFC 3986 section 5.2.4."""
    if "." not in path:
        return path
    segments = path.split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
