"""JSON-LD 1.1: documents, and script elements of HTML pages.

blocks      where it is found
reading     text to JSON values; `repair` for what is no JSON
habits      what authors plainly mean: escaped strings, contexts, names; not in strict mode
plain       blocks under schema.org alone, straight to statements: most there are
contexts    for all others: known contexts put in place (`schema_org`), the rest named
processors  JSON values to quads: `fast` by pyoxigraph, `full` by PyLD
writing     quads to statements
statements  all this in a row

Nothing is imported here: `schema_org` is asked by processes that load no parser.
"""
