"""Pieces of XML markup for literals of the type rdf:XMLLiteral."""

import re
from collections.abc import Iterable, Mapping
from html import escape  # that of `xml.sax.saxutils` brings HTTP, TLS and mail along
from typing import Final

XHTML: Final = "http://www.w3.org/1999/xhtml"

_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_START: Final = re.compile(r'<([^\s/>]+)((?:\s+[^\s=>]+="[^"]*")*)\s*(/?)>')
_ATTRIBUTE: Final = re.compile(r'(?<!\s)\s++([^\s=>]++)="([^"]*+)"')
_NAME: Final = re.compile(r"(?:xml:)?[A-Za-z_][\w.-]*", re.ASCII)


def xml_text(text: str) -> str:
    """The text with what XML would take for markup escaped, and what it forbids left out."""
    return escape(_NOT_XML.sub("", text), quote=False)


def start_tag(
    name: str, attributes: Mapping[str, str], namespaces: Mapping[str, str], *, empty: bool
) -> str:
    """A start tag: its attributes as they come, then the namespaces in force."""
    pieces = [
        (each, _value(value))
        for each, value in attributes.items()
        if _NAME.fullmatch(each) and each.partition(":")[0] != "xmlns"
    ]
    pieces += [
        (f"xmlns:{prefix}" if prefix else "xmlns", _value(namespace))
        for prefix, namespace in sorted(namespaces.items())
    ]
    return f"<{name}{_written(pieces)}{'/' if empty else ''}>"


def with_namespaces(markup: str, prefixes: Mapping[str, str]) -> str:
    """Serialised XML with these prefixes declared too; declarations stand last, in order."""
    match = _START.match(markup)
    assert match is not None  # a serialiser wrote it
    others, declared = _attributes(match[2])
    declared |= {
        f"xmlns:{prefix}": _value(namespace)
        for prefix, namespace in prefixes.items()
        if f"xmlns:{prefix}" not in declared
    }
    pieces = [*others.items(), *sorted(declared.items())]
    return f"<{match[1]}{_written(pieces)}{match[3]}>{markup[match.end() :]}"


def without_namespaces(markup: str) -> str:
    """Serialised XML without the declarations of its first element."""
    match = _START.match(markup)
    assert match is not None  # a serialiser wrote it
    others, _ = _attributes(match[2])
    return f"<{match[1]}{_written(others.items())}{match[3]}>{markup[match.end() :]}"


def _attributes(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The attributes of a start tag, and the namespaces that it declares."""
    others: dict[str, str] = {}
    declared: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(text):
        (declared if name.partition(":")[0] == "xmlns" else others)[name] = value
    return others, declared


def _written(attributes: Iterable[tuple[str, str]]) -> str:
    return "".join(f' {name}="{value}"' for name, value in attributes)


def _value(text: str) -> str:
    return xml_text(text).replace('"', "&quot;")
