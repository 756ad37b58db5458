from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.microdata.elements import MARKED, elements

MARKUP = """<p id=1 itemscope itemprop=a itemprop-reverse=b><b id=2>x</b><b id=3 itemprop>y</b></p>
    <p id=4 itemscope></p><p id=5 itemtype=http://a.test/T></p><svg><a id=6 itemprop=c></a></svg>"""


def ids(selector: str) -> str:
    html = LexborHTMLParser(MARKUP)
    return "".join(attributes["id"] or "" for _, attributes in elements(html, selector))


def test_marked_elements_come_once_each_in_document_order() -> None:
    assert ids(MARKED) == "1346"
    assert ids(f"[id],{MARKED}") == "123456"


def test_an_empty_attribute_is_there() -> None:
    found = {node.id: attributes for node, attributes in elements(LexborHTMLParser(MARKUP))}
    assert found["3"] == {"id": "3", "itemprop": None}
