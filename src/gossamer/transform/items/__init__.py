"""Items: what a page says as nested dictionaries, by syntax. Pure.

For people who want the objects that authors wrote, with their order and repetitions, and no RDF: the values of
`page.items`, in the shape that extruct made usual. All of it can be written as JSON, and nothing here recurses into
what a page nests.

json_ld         script blocks, mended and not expanded
microdata       `{"type": …, "id": …, "properties": {…}}`
meta_elements   Open Graph and Dublin Core
rdfa            statements by subject, as expanded JSON-LD
readers         one function for each syntax, in a table; microformats have their own JSON model
sizes           what items may come to, written out
uniform         all of them as flat objects with `@context` and `@type`
"""
