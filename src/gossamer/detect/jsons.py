"""Recognises JSON: linked data, a feed, or neither."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.detect import kinds
from gossamer.detect.claims import Claim
from gossamer.detect.kinds import Family, Kind
from gossamer.model import Evidence, Syntax

# Turtle and TriG can begin with these brackets, too, but not go on like this.
_BEGINS: Final = re.compile(rb"""(?:[\x00-\x20]|\xef\xbb\xbf)*+(?:\{\s*+["}]|\[\s*+[\[{"])""")
_ENDS: Final = re.compile(rb"[\]}][\x00-\x20]*+\Z")
_TAIL: Final = 256
# Slashes may be escaped, and an at sign may be.
_CONTEXT: Final = re.compile(rb'"(?:@|\\u0040)context"')
_FEED: Final = re.compile(rb"jsonfeed\.org\\?/version\\?/")
_KEYWORD: Final = re.compile(rb'"@(?:id|type|value|graph|list)"')
_IRI_AS_KEY: Final = re.compile(rb'"https?:\\?/\\?/[^"\s]*+"\s*+:')


def looks_like_json(text: bytes, claim: Claim) -> bool:
    """Whether a document begins like JSON and like no other known format."""
    if not _BEGINS.match(text):
        return False
    if claim.family is Family.HTML:  # a page may begin with a forgotten bit of its template
        return _ENDS.search(text, max(0, len(text) - _TAIL)) is not None
    return claim.family is not Family.OPAQUE or _CONTEXT.search(text) is not None


def json_kind(text: bytes, claim: Claim) -> Kind:
    """The kind of a JSON document."""
    evidence = tuple(_evidence(text, claim))
    if evidence:
        is_feed = evidence[0].syntax is Syntax.JSON_FEED
        return Kind(kinds.JSON_FEED if is_feed else kinds.JSON_LD, Family.JSON, evidence)
    media_type = claim.media_type if claim.family is Family.JSON else kinds.JSON
    return Kind(media_type, Family.JSON, skipped="JSON that is neither JSON-LD nor a JSON Feed.")


def _evidence(text: bytes, claim: Claim) -> Iterator[Evidence]:
    if claim.media_type == kinds.JSON_FEED:
        yield Evidence(Syntax.JSON_FEED, f"{claim.source} {kinds.JSON_FEED}")
    elif _FEED.search(text) and b'"version"' in text:
        yield Evidence(Syntax.JSON_FEED, "a version of JSON Feed")
    if claim.media_type.endswith("ld+json"):
        yield Evidence(Syntax.JSON_LD, f"{claim.source} {claim.media_type}")
    elif _CONTEXT.search(text):
        yield Evidence(Syntax.JSON_LD, "a key @context")
    elif _KEYWORD.search(text) and _IRI_AS_KEY.search(text):
        yield Evidence(Syntax.JSON_LD, "IRIs as keys, beside keywords of JSON-LD")
