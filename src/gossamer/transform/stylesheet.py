"""XSLT without access to files, network, other stylesheets or extensions. Pure.

libxslt's own access control covers what runs, not what is compiled: it reads `xsl:include` and
`xsl:import` freely. So these are refused beforehand, and a resolver that gives nothing stands
behind that. Time and memory of a run are bounded by the process that it runs in.
"""

from functools import lru_cache
from typing import Any, Final

from lxml import etree

from gossamer.errors import GossamerError
from gossamer.transform.xml_mend import mended

MOST_BYTES: Final = 1024 * 1024  # of a stylesheet
MOST_NAMESPACES: Final = 200  # declarations; libxslt's work grows with their cube
MOST_OUTPUT: Final = 64 * 1024 * 1024  # characters; as much as a decoded body may have bytes
_XSL: Final = "{http://www.w3.org/1999/XSL/Transform}"
# Functions and elements that libxslt has beyond XSLT: files, clocks, evaluation of text.
_EXTENSIONS: Final = (
    "http://exslt.org/",
    "http://xmlsoft.org/XSLT/",
    "http://icl.com/saxon",
    "http://www.jclark.com/xt",
    "org.apache.xalan.",
)


_ACCESS: Any = etree.XSLTAccessControl  # the stubs know nothing of what is in it


class StylesheetError(GossamerError):
    """The reason why a stylesheet cannot be used or failed: a clause for a sentence."""


class Stylesheet:
    """A compiled stylesheet."""

    def __init__(self, source: bytes) -> None:
        root = _read(source)
        _refuse_what_reaches_out(root)
        try:
            self._run = etree.XSLT(root, access_control=_ACCESS.DENY_ALL)
        except (etree.LxmlError, PermissionError) as error:
            raise StylesheetError(f"it is no stylesheet: {_clause(error)}") from None

    def apply(self, root: etree._Element) -> str:
        """Apply the stylesheet to a document; the result as text."""
        try:
            result = self._run(root)
        except etree.LxmlError as error:
            raise StylesheetError(f"it failed: {_clause(error)}") from None
        written = str(result)
        if len(written) > MOST_OUTPUT:
            raise StylesheetError(f"it made more than {MOST_OUTPUT:,} characters")
        return written


@lru_cache(maxsize=32)
def compiled(source: bytes) -> Stylesheet:
    """Compile a stylesheet, once per process."""
    return Stylesheet(source)


class _Nothing(etree.Resolver):
    """Answers every request for another file with a refusal."""

    def resolve(self, system_url: str, public_id: str, *_context: object) -> None:
        """Refuse to load anything."""
        raise PermissionError(f"{system_url} is never read")


def _read(source: bytes) -> etree._Element:
    if len(source) > MOST_BYTES:
        raise StylesheetError(f"it is longer than {MOST_BYTES:,} bytes")
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    parser.resolvers.add(_Nothing())
    try:
        return etree.fromstring(mended(_decoded(source))[0].encode(), parser)
    except etree.XMLSyntaxError as error:
        raise StylesheetError(f"it is no XML: {_clause(error)}") from None


def _decoded(source: bytes) -> str:
    encoding = "utf-16" if source.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return source.decode(encoding, errors="replace")


def _refuse_what_reaches_out(root: etree._Element) -> None:
    for element in root.iter(f"{_XSL}include", f"{_XSL}import"):
        raise StylesheetError(
            f"its line {element.sourceline} asks for another, which is never read"
        )
    walk: Any = etree.iterwalk(root, events=("start-ns",))
    for count, (_, (_, namespace)) in enumerate(walk):
        if count > MOST_NAMESPACES:
            raise StylesheetError(f"it declares more than {MOST_NAMESPACES} namespaces")
        if namespace.startswith(_EXTENSIONS):
            raise StylesheetError(f"it declares extensions ({namespace}), which are off")


def _clause(error: Exception) -> str:
    return str(error).partition("\n")[0][:160].rstrip(".")
