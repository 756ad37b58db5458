import pytest

from gossamer.transform.document import Document
from gossamer.transform.microformats.classic import CLASSIC_ROOTS, FORMATS
from gossamer.transform.microformats.json_model import microformats_json

PREFIXES = {"p", "u", "dt", "e", "tag"}


def test_rules_lead_to_formats_that_exist() -> None:
    for format_ in FORMATS.values():
        for rule in (*format_.rules.values(), *format_.rels.values()):
            assert rule.root is None or rule.root in FORMATS
            assert rule.property.prefix in PREFIXES
            assert rule.property.name


@pytest.mark.parametrize("root", sorted(CLASSIC_ROOTS))
def test_every_classic_property_is_found_under_its_name_of_today(root: str) -> None:
    for word, rule in FORMATS[root].rules.items():
        page = f'<div class="{root}"><b class="{word}">x</b></div>'
        (item,) = microformats_json(Document("http://a.test/", page.encode()))["items"]
        assert item["type"] == [FORMATS[root].type]
        assert list(item["properties"]) == [rule.property.name]


def test_a_listing_and_a_review_have_items() -> None:
    page = '<p class="hlisting"><a class="item fn url" href="/x">Thing</a></p>'
    (item,) = microformats_json(Document("http://a.test/", page.encode()))["items"]
    assert item["properties"]["item"] == [
        {"type": ["h-item"], "properties": {"name": ["Thing"], "url": ["http://a.test/x"]}}
        | {"value": "Thing"}
    ]
