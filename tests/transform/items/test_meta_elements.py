"""Open Graph and Dublin Core as items."""

from gossamer.transform.document import Document
from gossamer.transform.items.meta_elements import dublin_core_items, open_graph_items


def page(markup: str) -> Document:
    return Document("http://a.test/", markup.encode())


def test_open_graph_has_namespaces_and_pairs_in_order() -> None:
    document = page(
        "<html prefix='fb: http://ogp.me/ns/fb#'><meta property=og:image content=1><meta name=og:title content=t>"
        "<meta property=og:image content=1><meta property=fb:app_id content=9><meta property=x:y content=z>"
        "<meta name=description content=d>"
    )
    assert open_graph_items(document) == [
        {
            "namespace": {"fb": "http://ogp.me/ns/fb#", "og": "http://ogp.me/ns#"},
            "properties": [
                ["og:image", "1"],
                ["og:title", "t"],
                ["og:image", "1"],
                ["fb:app_id", "9"],
            ],
        }
    ]
    assert open_graph_items(page("<meta name=description content=d>")) == []


def test_dublin_core_has_elements_and_terms_with_their_attributes() -> None:
    document = page(
        "<link rel=schema.DC href='http://purl.org/dc/elements/1.1/'><meta name=DC.title content=T lang=en>"
        "<meta name=DCTERMS.created content=2020><link rel=DC.relation href=/x><meta name=title content=no>"
    )
    elements = "http://purl.org/dc/elements/1.1/"
    assert dublin_core_items(document) == [
        {
            "namespaces": {"DC": elements},
            "elements": [
                {"name": "DC.title", "content": "T", "lang": "en", "URI": f"{elements}title"},
                {"rel": "DC.relation", "href": "/x", "URI": f"{elements}relation"},
            ],
            "terms": [
                {
                    "name": "DCTERMS.created",
                    "content": "2020",
                    "URI": "http://purl.org/dc/terms/created",
                }
            ],
        }
    ]
    assert dublin_core_items(page("<meta name=description content=d>")) == []
