from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from gossamer.transform.rdfa.markup import start_tag, with_namespaces, without_namespaces, xml_text


@given(st.text(), st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=4))
def test_any_text_and_any_attributes_make_well_formed_xml(
    text: str, attributes: dict[str, str]
) -> None:
    markup = f"{start_tag('a', attributes, {}, empty=False)}{xml_text(text)}</a>"
    assert etree.fromstring(markup.encode()).tag == "a"


def test_namespaces_stand_last_in_order() -> None:
    markup = '<b xmlns="http://n.test/" c="&quot;">t<d/></b> tail'
    assert with_namespaces(markup, {"y": "http://y.test/", "x": "http://x.test/"}) == (
        '<b c="&quot;" xmlns="http://n.test/" xmlns:x="http://x.test/" xmlns:y="http://y.test/">'
        "t<d/></b> tail"
    )


def test_what_is_declared_already_stays() -> None:
    assert with_namespaces('<b xmlns:x="http://one.test/"/>', {"x": "http://two.test/"}) == (
        '<b xmlns:x="http://one.test/"/>'
    )


def test_namespaces_can_be_taken_away() -> None:
    assert without_namespaces('<b xmlns="http://n.test/" c="d"/>') == '<b c="d"/>'
