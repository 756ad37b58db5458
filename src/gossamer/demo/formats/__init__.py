"""The formats that demo pages are written in: one table, one function each.

A new format is one function here and one member of `Format`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from gossamer.demo.content import Format, PageSpec, Rendered
from gossamer.demo.formats.atom import atom
from gossamer.demo.formats.brokenjson import broken_json_ld
from gossamer.demo.formats.jsonld import json_ld, json_ld_in_html
from gossamer.demo.formats.microdata import microdata
from gossamer.demo.formats.microformats import microformats
from gossamer.demo.formats.mixed import mixed
from gossamer.demo.formats.opengraph import open_graph
from gossamer.demo.formats.plain import plain
from gossamer.demo.formats.rdfa import rdfa
from gossamer.demo.formats.rdfxml import rdf_xml
from gossamer.demo.formats.rss import rss
from gossamer.demo.formats.turtle import n_triples, turtle
from gossamer.demo.things import Thing, thing

FORMATS: Final[Mapping[Format, Callable[[PageSpec, Thing], Rendered]]] = {
    Format.HTML: plain,
    Format.RDFA: rdfa,
    Format.JSON_LD_IN_HTML: json_ld_in_html,
    Format.BROKEN_JSON_LD_IN_HTML: broken_json_ld,
    Format.MICRODATA: microdata,
    Format.MICROFORMATS: microformats,
    Format.OPEN_GRAPH: open_graph,
    Format.MIXED: mixed,
    Format.RSS: rss,
    Format.ATOM: atom,
    Format.JSON_LD: json_ld,
    Format.RDF_XML: rdf_xml,
    Format.TURTLE: turtle,
    Format.N_TRIPLES: n_triples,
}


def render(spec: PageSpec) -> Rendered:
    """The page as it is served, and what it says: the same for the same spec, anywhere."""
    return FORMATS[spec.format](spec, thing(spec.number, spec.edition))
