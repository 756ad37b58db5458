"""Decides what a document is, from content, header and URL.

Headers lie, so the content is asked first: file signatures, then markup, JSON and Turtle,
each only where it is sure. What is claimed decides where the content leaves it open.
"""

import re
from collections.abc import Mapping
from typing import Final

from gossamer.detect import kinds
from gossamer.detect.claims import Claim, claim_of
from gossamer.detect.encoding import (
    Encoding,
    certain,
    correct_utf_8,
    html_encoding,
    unicode_encoding,
    xml_encoding,
)
from gossamer.detect.jsons import json_kind, looks_like_json
from gossamer.detect.kinds import MEDIA_TYPES, NOTATIONS, Family, Kind, in_words
from gossamer.detect.labels import REPLACEMENT, UTF_8, WIDE
from gossamer.detect.magic import binary_type, looks_binary
from gossamer.detect.markup import html_kind, junk_kind, markup_kind, xml_kind
from gossamer.detect.notation import begins_with_a_line, notation, plausible
from gossamer.detect.opening import Opening
from gossamer.model import Detection, Evidence, Syntax

_NONE: Final = Encoding(UTF_8, "there is no text in it")
_DECODED: Final = Encoding(UTF_8, "it came as text")
_SAYING_NOTHING: Final = frozenset(("", kinds.BINARY))
_SOMETHING: Final = re.compile(rb"[^\x00-\x20]")
# What each syntax reads beside its own: a document that says so is left under its own name.
_LINES: Final = frozenset({Syntax.N_TRIPLES, Syntax.N_QUADS})
_READS: Final[Mapping[Syntax, frozenset[Syntax]]] = {
    Syntax.N_TRIPLES: frozenset(),
    Syntax.N_QUADS: frozenset((Syntax.N_TRIPLES,)),
    Syntax.TURTLE: frozenset((Syntax.N_TRIPLES,)),
    Syntax.TRIG: frozenset((Syntax.N_TRIPLES, Syntax.TURTLE)),
}


def detect(
    body: bytes,
    url: str,
    content_type: str | None,
    *,
    is_text: bool = False,
    wanted: frozenset[Syntax] | None = None,
) -> Detection:
    """What the document at this URL with this header is. Never raises.

    `is_text` says that the body is the UTF-8 of text that somebody has decoded: no charset is believed.
    With `wanted`, an HTML page is looked through for these syntaxes alone.
    """
    claim = claim_of(url, content_type, wanted)
    if not _SOMETHING.search(body):
        if claim.family is Family.NOTATION:
            # Nothing is said, and nothing is wrong.
            return _detection(_claimed_notation(NOTATIONS[claim.media_type], claim), _NONE)
        empty = Kind(
            claim.media_type or kinds.PLAIN, claim.family, skipped="The document is empty."
        )
        return _detection(empty, _NONE)
    known = _DECODED if is_text else certain(body, claim.charset)
    wide = known.codec if known and known.codec in WIDE else None
    if not wide and (binary := binary_type(body, claim)):
        return _detection(_opaque(binary), _NONE)
    # All that is searched for is ASCII: in any other encoding it can be searched for as it stands.
    text = body.decode(wide, "replace").encode("utf-8", "replace") if wide else body
    kind = _kind(text, claim)
    return _detection(
        kind, known if is_text and known else _encoding(kind.family, body, url, known)
    )


def contradiction(detection: Detection, url: str, content_type: str | None) -> str | None:
    """How the notation of an RDF document differs from what header or URL say, in a sentence."""
    claimed, found = claimed_notation(url, content_type), detection.syntaxes
    if claimed is None or not found or found[0] not in _READS or found[0] is claimed:
        return None
    claim = claim_of(url, content_type)
    said = f"{claim.source} {claim.media_type}"
    return f"{said[0].upper()}{said[1:]}, but the document is {detection.media_type}."


def claimed_notation(url: str, content_type: str | None) -> Syntax | None:
    """The notation of RDF that header or URL name; None where they name none."""
    return NOTATIONS.get(claim_of(url, content_type).media_type)


def _kind(text: bytes, claim: Claim) -> Kind:
    if found := markup_kind(text, claim):
        return found
    if looks_like_json(text, claim):
        return json_kind(text, claim)
    if NOTATIONS.get(claim.media_type) in _LINES and begins_with_a_line(text):
        sure = notation(text)
        if sure is None or sure.syntax not in _LINES:
            # However many lines are broken, the others are as it says.
            return _claimed_notation(NOTATIONS[claim.media_type], claim)
    if claim.family is not Family.OPAQUE and (sure := notation(text)):
        return _notation_kind(sure, claim)
    return junk_kind(text, claim) or _claimed_kind(text, claim)


def _notation_kind(sure: Evidence, claim: Claim) -> Kind:
    claimed = NOTATIONS.get(claim.media_type)
    if claimed and (sure.syntax is claimed or sure.syntax in _READS[claimed]):
        return _claimed_notation(claimed, claim)
    return Kind(MEDIA_TYPES[sure.syntax], Family.NOTATION, (sure,))


def _claimed_notation(syntax: Syntax, claim: Claim) -> Kind:
    evidence = Evidence(syntax, f"{claim.source} {claim.media_type}")
    return Kind(MEDIA_TYPES[syntax], Family.NOTATION, (evidence,))


def _claimed_kind(text: bytes, claim: Claim) -> Kind:
    """The kind that a document is said to be, where it looks like nothing in particular."""
    match claim.family:
        case Family.HTML:
            return html_kind(text, claim)
        case Family.XML:
            return xml_kind(text, claim, Opening(False, "", "", None))
        case Family.JSON if claim.by_header or b"{" in text:
            return json_kind(text, claim)
        case Family.NOTATION if claim.by_header or plausible(text):
            return _claimed_notation(NOTATIONS[claim.media_type], claim)
        case Family.OPAQUE:
            return _opaque(claim.media_type)
        case _:
            return _unknown(text, claim)


def _opaque(media_type: str) -> Kind:
    if media_type in kinds.PDF:
        evidence = (Evidence(Syntax.PDF, "it is a PDF"),)
        return Kind("application/pdf", Family.OPAQUE, evidence)
    what = in_words(media_type) or "a file"
    return Kind(media_type, Family.OPAQUE, skipped=f"This is {what}, {media_type}.")


def _unknown(text: bytes, claim: Claim) -> Kind:
    if looks_binary(text):
        media_type = claim.media_type or kinds.BINARY
        return Kind(media_type, Family.OPAQUE, skipped="Binary data of a kind that we do not know.")
    media_type = claim.media_type if claim.media_type not in _SAYING_NOTHING else kinds.PLAIN
    return Kind(media_type, Family.UNKNOWN, skipped=f"Text, {media_type}, with no RDF that we see.")


def _encoding(family: Family, body: bytes, url: str, known: Encoding | None) -> Encoding:
    match family:
        case Family.JSON | Family.NOTATION:
            return unicode_encoding(body)
        case Family.OPAQUE:
            return _NONE
        case _ if known:
            return correct_utf_8(known, body)
        case Family.HTML:
            return html_encoding(body, url)
        case _:
            return xml_encoding(body, url)


def _detection(kind: Kind, encoding: Encoding) -> Detection:
    codec, why = encoding
    evidence, skipped = kind.evidence, kind.skipped
    if codec == REPLACEMENT:
        # Browsers show one replacement character for the whole page.
        evidence, skipped, codec = (), f"Nobody reads its encoding any more: {why}.", UTF_8
    return Detection(kind.media_type, evidence, codec, why, kind.root, skipped)
