"""JSON-LD 1.1: documents, and script elements of HTML pages.

blocks      where it is found
reading     text to JSON values; `repair` for what is no JSON
plain       blocks under schema.org alone, straight to statements: most there are
contexts    for all others: known contexts put in place (`schema_org`), the rest named
processors  JSON values to quads: `fast` by pyoxigraph, `full` by PyLD
writing     quads to statements
statements  all this in a row
"""

from gossamer.transform.jsonld.processing import Processing
from gossamer.transform.jsonld.statements import json_ld_statements

__all__ = ["Processing", "json_ld_statements"]
