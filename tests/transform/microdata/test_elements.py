from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.microdata.elements import marked_elements

MARKUP = """<p id=1 itemscope itemprop=a itemprop-reverse=b><b id=2>x</b><b id=3 itemprop>y</b></p>
    <p id=4 itemscope></p><p id=5 itemtype=http://a.test/T></p><svg><a id=6 itemprop=c></a></svg>"""


def ids(*, or_named: bool) -> str:
    found = marked_elements(LexborHTMLParser(MARKUP), or_named=or_named)
    return "".join(node.attributes["id"] or "" for node in found)


def test_marked_elements_come_once_each_in_document_order() -> None:
    assert ids(or_named=False) == "1346"
    assert ids(or_named=True) == "123456"
