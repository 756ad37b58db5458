"""All items of a page, by syntax, and in one form."""

import json

from gossamer.model import Syntax
from gossamer.transform.document import Document
from gossamer.transform.items.readers import read_items
from gossamer.transform.items.uniform import uniform_items

PAGE = b"""<html lang=en><meta property=og:type content=article><meta property=og:image content=1>
<meta property=og:image content=2><meta name=DC.type content=Text>
<div itemscope itemtype="https://schema.org/Product"><p itemprop=name>N
<p itemprop=offers itemscope itemtype="http://rdf.data-vocabulary.org/#Offer"><b itemprop=price>1</b></div>
<div class="h-entry"><p class=p-name>E<p class="p-author h-card">A</div>
<p vocab="http://schema.org/" typeof=Thing><b property=name>x</b><b property=name>x</b></p>"""
URL = "http://a.test/"


def test_each_syntax_has_its_list_and_those_that_nobody_wants_have_none() -> None:
    document = Document(URL, PAGE)
    found = read_items(document, frozenset(Syntax))
    assert json.loads(json.dumps(found)) == found
    counts = {name: len(items) for name, items in found.items()}
    assert counts == {
        "microdata": 1,
        "json-ld": 0,
        "opengraph": 1,
        "microformat": 1,
        "rdfa": 2,
        "dublincore": 1,
    }
    thing = found["rdfa"][1]
    assert thing["@type"] == ["http://schema.org/Thing"]
    assert thing["http://schema.org/name"] == [{"@value": "x", "@language": "en"}] * 2
    assert read_items(document, frozenset(Syntax), ["json-ld"]) == {"json-ld": []}
    assert read_items(document, [], ["rdfa"]) == {"rdfa": []}


def test_uniform_items_have_a_context_and_a_type() -> None:
    found = read_items(Document(URL, PAGE), frozenset(Syntax))
    flat = uniform_items(found)
    assert flat["microdata"] == [
        {
            "@type": "Product",
            "name": "N",
            "offers": {"@type": "Offer", "price": "1"},
            "@context": "https://schema.org",
        }
    ]
    (entry,) = flat["microformat"]
    assert entry["@type"] == ["h-entry"]
    assert entry["author"][0]["name"] == ["A"]
    assert flat["opengraph"] == [
        {"@type": "article", "og:image": ["1", "2"], "@context": {"og": "http://ogp.me/ns#"}}
    ]
    assert flat["dublincore"][0]["@type"] == "Text"
    assert found["microdata"][0]["properties"]["offers"]["properties"] == {"price": "1"}


def test_microformats_that_double_at_each_level_are_left_out() -> None:
    deep = Document(URL, b"<div class='h-card p-a p-b'>" * 47)
    assert read_items(deep, frozenset(Syntax))["microformat"] == []
