"""The table of syntaxes: which function reads which.

A new syntax has a line here, a module or folder beside this one, a member of `model.Syntax`, and is
told from others in `detect/`; where servers should offer it, `fetch/agent.py` asks for it. Importing
this module loads every reader.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gossamer.model import Syntax
from gossamer.transform.document import Transform
from gossamer.transform.feeds.atom import atom_statements
from gossamer.transform.feeds.json_feed import json_feed_statements
from gossamer.transform.feeds.rss import rss_statements
from gossamer.transform.grddl import grddl_statements
from gossamer.transform.jsonld.statements import json_ld_statements
from gossamer.transform.microdata import microdata_statements
from gossamer.transform.microformats.statements import microformats_statements
from gossamer.transform.opengraph import open_graph_statements
from gossamer.transform.page import page_statements
from gossamer.transform.pdf.statements import pdf_statements
from gossamer.transform.plugins import plugin_statements
from gossamer.transform.rdf import RDF_TRANSFORMS
from gossamer.transform.rdfa import rdfa_statements
from gossamer.transform.services import service_statements
from gossamer.transform.xslt import xslt_statements

TRANSFORMS: Final[Mapping[Syntax, Transform]] = MappingProxyType(
    {
        Syntax.RDFA: rdfa_statements,
        Syntax.JSON_LD: json_ld_statements,
        Syntax.MICRODATA: microdata_statements,
        Syntax.MICROFORMATS: microformats_statements,
        Syntax.OPEN_GRAPH: open_graph_statements,
        Syntax.PAGE: page_statements,
        Syntax.RSS: rss_statements,
        Syntax.ATOM: atom_statements,
        Syntax.JSON_FEED: json_feed_statements,
        **RDF_TRANSFORMS,
        Syntax.PDF: pdf_statements,
    }
)
"""How each syntax is read. A new one is a file, a line here, and a folder of tests."""

BEYOND: Final[Mapping[str, Transform]] = MappingProxyType(
    {
        "xslt": xslt_statements,
        "grddl": grddl_statements,
        "plug-in": plugin_statements,
        "service": service_statements,
    }
)
"""What reads documents by the user's leave: stylesheets, plug-ins, services of their own."""
