"""JSON-LD 1.1: documents, and script elements of HTML pages.

blocks      where it is found
reading     text to JSON values; `repair` for what is no JSON
contexts    known contexts put in place (`schema_org`), others named
fast, full  JSON values to quads: by pyoxigraph, or by PyLD where that cannot serve
writing     quads to statements
"""

from gossamer.transform.jsonld.processing import Processing
from gossamer.transform.jsonld.statements import json_ld_statements

__all__ = ["Processing", "json_ld_statements"]
