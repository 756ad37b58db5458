"""The public suite of microformats.org, and what it leaves out.

Compared as JSON values, white space included: nothing is folded.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from gossamer.transform.document import Document
from gossamer.transform.microformats.json_model import microformats_json

COUNTS = {
    "microformats-v2": 78,  # the bar: what the rules of today ask for; nothing fails
    "microformats-v1": 39,
    "microformats-v2-unit": 19,
    "microformats-mixed": 4,
}
_BOTH = (
    "from before 2019: today an image with `alt` gives both, and all `u-*` that are text are joined"
)
_INCLUDES = "include pattern, `itemref` and `headers`: parsers of microformats 2 have none of them"
_BASE = "expected with another base (`http://example.test`) than the manifest names"
_TENTATIVE = "tentative by its own name: the same class twice; a value that is an image"
FAILURES = {
    "microformats-v1/hcard/multiple": _BOTH,
    "microformats-v1/hcard/name": _BOTH,
    "microformats-v1/hresume/affiliation": _BOTH,
    "microformats-v1/includes/hcarditemref": _INCLUDES,
    "microformats-v1/includes/heventitemref": _INCLUDES,
    "microformats-v1/includes/hyperlink": _INCLUDES,
    "microformats-v1/includes/object": _INCLUDES,
    "microformats-v1/includes/table": _INCLUDES,
    "microformats-v2-unit/implied/implied-photo": _BASE,
    "microformats-v2-unit/implied/implied-url": _BASE,
    "microformats-v2-unit/nested/nested-microformat": _BASE,
    "microformats-v2-unit/nested/nested-microformat-mistyped": _BASE,
    "microformats-v2-unit/properties/properties-u": _BASE,
    "microformats-v2-unit/value/value-u": _BASE,
    "microformats-v2-unit/names/tentative-names-properties-multi": _TENTATIVE,
    "microformats-v2-unit/nested/tentative-nested-microformat": _TENTATIVE,
    "microformats-v2-unit/value/value-dt": "wants zones as written, where v2 wants them without a colon",
}


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
    assert failed == FAILURES.keys()
    assert count == COUNTS


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
