"""The public suite of microformats.org, and what it leaves out.

Compared as JSON values, white space included: nothing is folded.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from gossamer.transform.document import Document
from gossamer.transform.microformats.json_model import microformats_json

# The bar: what the rules of today ask for. Nothing fails.
FAILS_V2: frozenset[str] = frozenset()
# Tests from before today's rules, beside one group of them.
FAILS_V1 = frozenset(
    (
        # An image with `alt` gives both since 2019; `key` that is text is joined, as all u-*.
        "microformats-v1/hcard/multiple",
        "microformats-v1/hcard/name",
        "microformats-v1/hresume/affiliation",
        # Include pattern, `itemref` and `headers`: parsers of microformats 2 have none of them.
        "microformats-v1/includes/hcarditemref",
        "microformats-v1/includes/heventitemref",
        "microformats-v1/includes/hyperlink",
        "microformats-v1/includes/object",
        "microformats-v1/includes/table",
    )
)
FAILS_UNIT = frozenset(
    (
        # Expected with another base than the manifest names (http://example.test).
        "microformats-v2-unit/implied/implied-photo",
        "microformats-v2-unit/implied/implied-url",
        "microformats-v2-unit/nested/nested-microformat",
        "microformats-v2-unit/nested/nested-microformat-mistyped",
        "microformats-v2-unit/properties/properties-u",
        "microformats-v2-unit/value/value-u",
        # Tentative by their own name: the same class twice; a value that is an image.
        "microformats-v2-unit/names/tentative-names-properties-multi",
        "microformats-v2-unit/nested/tentative-nested-microformat",
        # Wants zones as written, where v2 wants them without a colon.
        "microformats-v2-unit/value/value-dt",
    )
)


def failures(suite: Path) -> tuple[set[str], Counter[str]]:
    failed, count = set(), Counter[str]()
    for entry in json.loads((suite / "manifest.json").read_text("utf-8")):
        document = Document(entry["url"], (suite / entry["input"]).read_bytes())
        expected = json.loads((suite / entry["expect"]).read_text("utf-8"))
        expected.pop("debug", None)
        count[entry["group"]] += 1
        if microformats_json(document) != expected:
            failed.add(entry["id"])
    return failed, count


def test_the_public_suite_passes_but_for_what_is_listed(suites: Path) -> None:
    failed, count = failures(suites / "mf2")
    assert failed == FAILS_V2 | FAILS_V1 | FAILS_UNIT
    assert count == {
        "microformats-v2": 78,  # 78 pass
        "microformats-v1": 39,  # 31 pass
        "microformats-v2-unit": 19,  # 10 pass
        "microformats-mixed": 4,  # 4 pass
    }


def test_the_unit_tests_pass_with_the_base_they_were_written_for(suites: Path) -> None:
    for name in ("implied/implied-photo", "implied/implied-url", "properties/properties-u"):
        path = suites / "mf2" / "microformats-v2-unit" / name
        document = Document("http://example.test", path.with_suffix(".html").read_bytes())
        expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
        assert microformats_json(document) == expected


def model(html: str) -> Any:
    return microformats_json(Document("http://a.test/x/", html.encode()))


def test_markup_is_given_with_absolute_addresses_and_the_page_stays_as_it_is() -> None:
    page = '<div class="h-entry"><div class="e-content"> <a href="y">z</a> </div></div>'
    document = Document("http://a.test/x/", page.encode())
    before = document.html.html
    (item,) = microformats_json(document)["items"]
    assert item["properties"]["content"] == [
        {"value": "z", "html": '<a href="http://a.test/x/y">z</a>'}
    ]
    assert document.html.html == before


def test_an_item_that_is_markup_keeps_both() -> None:
    page = '<div class="h-entry"><div class="e-content h-card"><b>x</b></div></div>'
    (content,) = model(page)["items"][0]["properties"]["content"]
    assert (content["type"], content["value"], content["html"]) == (["h-card"], "x", "<b>x</b>")


def test_the_first_text_and_title_of_a_link_count() -> None:
    page = '<a rel="me b" href="y">one</a><link rel="a me" href="y" title="T"><a rel="" href=z>'
    found = model(page)
    url = "http://a.test/x/y"
    assert found["rels"] == {"me": [url], "b": [url], "a": [url]}
    assert found["rel-urls"] == {url: {"rels": ["a", "b", "me"], "text": "one", "title": "T"}}
