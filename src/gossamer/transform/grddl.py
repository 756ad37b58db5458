"""GRDDL: documents that name the stylesheet that turns them into RDF.

A stylesheet runs only if the user allows its address (`transform.grddl`), and only if somebody
fetched it before (`Document.contexts`): the transform itself asks nobody.
"""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.iris import join
from gossamer.transform.safe_xml import parsed
from gossamer.transform.xslt import transformed
from gossamer.wording import quoted

_GRDDL: Final = "http://www.w3.org/2003/g/data-view"
_TRANSFORMATION: Final = f"{{{_GRDDL}#}}transformation"
_XHTML: Final = "{http://www.w3.org/1999/xhtml}"
_XML_BASE: Final = "{http://www.w3.org/XML/1998/namespace}base"
_SIGN: Final = _GRDDL.encode()
_MOST: Final = 8  # transformations of one document; few name more than one
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")


def grddl_statements(document: Document) -> Iterator[Item]:
    """The statements of a document's GRDDL transformations that are allowed."""
    if _SIGN not in document.body:
        return
    root = parsed(document, Syntax.RDF_XML, keep_comments=True).root
    if root is None:
        return
    addresses = dict.fromkeys((*_of_root(document, root), *_of_head(document, root)))
    for number, address in enumerate([*addresses][:_MOST]):
        yield from _run(document, root, address, f"g{number}t")


def _run(document: Document, root: etree._Element, address: str, label: str) -> Iterator[Item]:
    if address not in document.options.grddl:
        message = f"The transformation {quoted(address)} is not in `transform.grddl`; not run."
        yield Problem(message, Syntax.RDF_XML)
    elif (source := document.contexts.get(address)) is None:
        message = f"The transformation {quoted(address)} is not at hand; not run."
        yield Problem(message, Syntax.RDF_XML, wants=address)
    else:
        yield from transformed(document, root, source, address, label)


def _of_root(document: Document, root: etree._Element) -> Iterator[str]:
    """Section 2 of GRDDL: an attribute of the root of any XML."""
    base = join(document.url, root.get(_XML_BASE) or "")
    for reference in _words(root.get(_TRANSFORMATION)):
        yield join(base, reference)


def _of_head(document: Document, root: etree._Element) -> Iterator[str]:
    """Section 4: links of XHTML whose head has the profile."""
    head = root.find(f"{_XHTML}head")
    if head is None or _GRDDL not in _words(head.get("profile")):
        return
    bases = (element.get("href") for element in head.iter(f"{_XHTML}base"))
    base = join(document.url, next(filter(None, bases), ""))
    for link in root.iter(f"{_XHTML}link", f"{_XHTML}a"):
        if "transformation" in _words((link.get("rel") or "").lower()) and link.get("href"):
            yield join(base, link.get("href") or "")


def _words(value: str | None) -> list[str]:
    return [word for word in _SPACES.split(value or "") if word]
