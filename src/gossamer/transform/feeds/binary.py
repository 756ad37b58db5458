"""Text that Atom carries in Base64."""

import binascii
import re
from base64 import b64decode
from typing import Final

from lxml import etree

from gossamer.transform.feeds import values
from gossamer.transform.feeds.values import Kind, Scope
from gossamer.transform.terms import XSD, Term, literal

_NO_TEXT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def text_or_binary(element: etree._Element) -> Kind:
    """The kind of an Atom construct's value: text, unless it says that it is Base64."""
    return _decoded if _is_base64(element) else values.text


def _is_base64(element: etree._Element) -> bool:
    """Whether an element is Base64, by its `mode` in Atom 0.3 or its `type` in Atom 1.0."""
    if mode := (element.get("mode") or "").strip().lower():
        return mode == "base64"
    media_type = (element.get("type") or "").partition(";")[0].strip().lower()
    major, slash, minor = media_type.partition("/")
    return bool(slash) and not (
        major == "text" or minor == "xml" or minor.endswith("+xml") or len(element)
    )


def _decoded(value: str, scope: Scope) -> Term:
    packed = "".join(value.split())
    try:
        content = b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        return values.text(value, scope)
    try:
        text = content.decode().strip()
    except UnicodeDecodeError:
        text = ""
    if not text or _NO_TEXT.search(text):
        return literal(packed, datatype=f"{XSD}base64Binary")
    return values.text(text, scope)
