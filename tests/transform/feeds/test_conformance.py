"""The suite `feeds`: what feedparser finds in RSS and Atom, found among our statements."""

from pathlib import Path

import pytest
from tests.transform.feeds.suite import count, values

pytestmark = pytest.mark.needs_suites

_AN_ID_IS_A_NAME = "feedparser resolves ids; RFC 4287 compares them letter for letter"
_NAMES_THE_ENTRY = "In RSS 1.0 the id is rdf:about: it names the entry, and is no value"
_DOUBLE_ENCODED = "Text that was encoded twice is repaired by guessing, which we do not"
_CONTROL = "A control character of Unicode, written as it is, is no mark of Windows-1252"
_HTML_5 = "feedparser reads the entity as HTML 4 did; HTML 5 has another character"
_LOST = "Bytes in no encoding: what they mean is a guess, and ours differs"
_GREEK = "A date in Greek"

VALUES = 1_245
EXCEPTIONS = {
    "encoding/bozo_double-encoded-html entry 1 summary": _DOUBLE_ENCODED,
    "encoding/bozo_invalid-bytes-with-bom feed title": _LOST,
    "encoding/bozo_linenoise entry 1 summary": _LOST,
    "encoding/demoronize-1 entry 1 summary": _CONTROL,
    "encoding/double-encoded-html entry 1 summary": _DOUBLE_ENCODED,
    "entities/lang feed title": _HTML_5,
    "entities/rang feed title": _HTML_5,
    "illformed/http_high_bit_date feed published": _GREEK,
    "illformed/http_high_bit_date feed updated": _GREEK,
    "illformed/rdf_channel_empty_textinput entry 1 id": _NAMES_THE_ENTRY,
    "wellformed/atom10/entry_id_no_normalization_4 entry 1 link": _AN_ID_IS_A_NAME,
    "wellformed/atom10/entry_id_no_normalization_4 entry 1 id": _AN_ID_IS_A_NAME,
    "wellformed/atom10/entry_id_with_attributes entry 1 link": _AN_ID_IS_A_NAME,
    "wellformed/atom10/entry_id_with_attributes entry 1 id": _AN_ID_IS_A_NAME,
    "wellformed/base/http_entry_id_base_content_location entry 1 link": _AN_ID_IS_A_NAME,
    "wellformed/base/http_entry_id_base_content_location entry 1 id": _AN_ID_IS_A_NAME,
    "wellformed/base/http_entry_id_base_docuri entry 1 link": _AN_ID_IS_A_NAME,
    "wellformed/base/http_entry_id_base_docuri entry 1 id": _AN_ID_IS_A_NAME,
    "wellformed/base/http_feed_id_base_content_location feed link": _AN_ID_IS_A_NAME,
    "wellformed/base/http_feed_id_base_content_location feed id": _AN_ID_IS_A_NAME,
    "wellformed/base/http_feed_id_base_docuri feed link": _AN_ID_IS_A_NAME,
    "wellformed/base/http_feed_id_base_docuri feed id": _AN_ID_IS_A_NAME,
    "wellformed/lang/http_content_language_entry_title_inherit_2 entry 1 link": _AN_ID_IS_A_NAME,
    "wellformed/lang/http_content_language_entry_title_inherit_2 entry 1 id": _AN_ID_IS_A_NAME,
    "wellformed/node_precedence/atom10_id entry 1 link": _AN_ID_IS_A_NAME,
    "wellformed/node_precedence/atom10_id entry 1 id": _AN_ID_IS_A_NAME,
    "wellformed/node_precedence/atom10_id entry 2 link": _AN_ID_IS_A_NAME,
    "wellformed/node_precedence/atom10_id entry 2 id": _AN_ID_IS_A_NAME,
    "wellformed/rdf/rdf_item_description entry 1 id": _NAMES_THE_ENTRY,
    "wellformed/rdf/rdf_item_rdf_about entry 1 id": _NAMES_THE_ENTRY,
    "wellformed/rdf/rdf_item_title entry 1 id": _NAMES_THE_ENTRY,
    "wellformed/rss/item_category_image entry 1 title": "feedparser takes the title of a picture in a category",
}


def test_values_are_found_but_for_exceptions_with_reasons(suites: Path) -> None:
    missing = {value.key for value in values(suites) if not value.found}
    assert missing == set(EXCEPTIONS)


def test_all_other_values_are_found(suites: Path) -> None:
    assert count(suites) == (VALUES - len(EXCEPTIONS), VALUES)
