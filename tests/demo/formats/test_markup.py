import html

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from gossamer.demo.formats.markup import clean, escaped


@given(st.text())
def test_escaped_text_comes_back_as_it_was_but_for_what_markup_cannot_carry(text: str) -> None:
    assert html.unescape(escaped(text)) == clean(text)


@given(st.text(st.characters()))
def test_xml_takes_any_escaped_text_in_elements_and_attributes(text: str) -> None:
    root = etree.fromstring(f'<a b="{escaped(text)}">{escaped(text)}</a>'.encode())
    assert (root.text or "") == clean(text)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn"))))
def test_clean_text_is_left_alone(text: str) -> None:
    assert clean(text) == text
