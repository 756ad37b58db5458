"""A document has what can be asked for, and shows what an answer tells."""

import json
from datetime import date

from tests.index.words.test_ranking import BARE

from gossamer.index.entities import Text
from gossamer.index.words.documents import (
    SHOWN_PAGES,
    STORED_CHARACTERS,
    document,
    domains,
    exact_label,
    first_day,
    shown,
)

ADA = BARE._replace(
    label="Ada Lovelace",
    types=("http://schema.org/Person", "http://xmlns.com/foaf/0.1/Person"),
    names=("Ada Lovelace", "Ada King"),
    texts=(Text("en-gb", "Ada Lovelace"), Text("ja", "東京")),
    hosts=("www.ada.test",),
    properties=("http://schema.org/name",),
    dates=("1815-12-10", "1852"),
)


def test_a_document_has_every_field_that_is_asked_for() -> None:
    made = document(ADA)
    terms = {
        field: set(made[field][0].split()) for field in ("type", "property", "host", "language")
    }
    assert terms == {
        "type": {"http://schema.org/Person", "http://xmlns.com/foaf/0.1/Person", "person"},
        "property": {"http://schema.org/name", "name"},
        "host": {"www.ada.test", "ada.test"},
        "language": {"en", "en-gb", "ja"},
    }
    assert made["types"] == ["Person"]
    assert made["hosts"] == ["www.ada.test"]
    assert set(made["languages"]) == {"en", "ja"}
    assert set(made["day"]) == {date(1815, 12, 10).toordinal(), date(1852, 1, 1).toordinal()}
    assert made["text"] == ["Ada Lovelace", " 東京 京 "]
    assert made["form"] == ["thing"]
    assert document(ADA._replace(is_page=True))["form"] == ["page"]


def test_what_is_shown_is_json_and_bounded() -> None:
    large = ADA._replace(
        texts=tuple(Text(None, "word " * 1_000) for _ in range(20)),
        pages=tuple(f"http://a.test/{number}" for number in range(100)),
        page_count=100,
    )
    told = json.loads(json.dumps(shown(large)))
    assert sum(map(len, told["texts"])) <= STORED_CHARACTERS
    assert len(told["pages"]) == SHOWN_PAGES
    assert told["page_count"] == 100
    assert told["label"] == "Ada Lovelace"


def test_a_label_is_met_by_whoever_types_it() -> None:
    assert exact_label("Ada  LOVELACE!") == exact_label("ada lovelace")


def test_a_host_is_found_by_the_domains_above_it() -> None:
    assert domains("www.example.org") == ["www.example.org", "example.org"]
    assert domains("localhost") == ["localhost"]


def test_a_date_counts_as_its_first_day() -> None:
    assert first_day("2024") == first_day("2024-01") == first_day("2024-01-01")
    assert first_day("2024-02-29") == first_day("2024-02") + 28
