import json
from datetime import date

import pytest

from gossamer.tables.columns import TablePlan, nearest, plan_table, share_text
from gossamer.tables.gathered import Coverage, GatheredThing, read_thing
from gossamer.tables.kinds import ColumnKind
from gossamer.tables.paths import RDF_TYPE

S = "http://schema.org/"
FOAF = "http://xmlns.com/foaf/0.1/"


def thing(**values: object) -> GatheredThing:
    """A thing with these values: `offers__price="9"` is at the path of both."""
    told = {}
    for name, value in values.items():
        key = " ".join(RDF_TYPE if each == "type" else S + each for each in name.split("__"))
        texts = value if isinstance(value, list) else [value]
        told[key] = [each if isinstance(each, list) else [each, "literal", None] for each in texts]
    return read_thing(
        json.dumps({"id": "x:1", "pages": ["http://a.test/"], "page_count": 1, "values": told})
    )


def plan(*things: GatheredThing, asked: tuple[str, ...] = (), lists: bool = False) -> TablePlan:
    coverage = Coverage()
    for each in things:
        coverage.take(each)
    return plan_table(coverage, asked, lists=lists)


def own(made: TablePlan) -> tuple[str, ...]:
    return made.names[1:-2]


def test_names_come_first_then_what_most_have_and_parts_stand_together() -> None:
    common = [thing(name="n", sku="1", offers__price="9") for _ in range(3)]
    rare = thing(
        name="n", offers__price="9", offers__seller__name="s", type=[[f"{S}Product", "iri", None]]
    )
    assert own(plan(*common, rare)) == ("name", "type", "offers.price", "offers.seller.name", "sku")


def test_what_hardly_any_has_is_left_out_unless_it_is_asked_for() -> None:
    things = [thing(name="n", odd="1"), *(thing(name="n") for _ in range(30))]
    assert own(plan(*things)) == ("name",)
    assert own(plan(*things, asked=("odd", "name"))) == ("odd", "name")


def test_a_text_for_a_thing_is_its_name() -> None:
    made = plan(thing(brand="Southwind"), thing(brand__name="Northwind"))
    assert own(made) == ("brand.name",)
    assert made.row(thing(brand="Southwind"))[1] == "Southwind"
    assert own(plan(thing(brand="x"), asked=("brand",))) == ("brand",)
    assert plan(thing(brand="x"), asked=("brand",)).row(thing(brand="x"))[1] == "x"


def test_of_several_values_there_is_the_first_and_their_number() -> None:
    several = thing(price=["9", "10"])
    made = plan(several, thing(price="7"))
    assert own(made) == ("price", "price.count")
    assert made.row(several)[1:3] == [9, 2]
    assert made.row(thing())[1:3] == [None, 0]
    listed = plan(several, thing(price="7"), lists=True)
    assert own(listed) == ("price",)
    assert listed.row(several)[1] == [9, 10]
    assert listed.row(thing(price="7"))[1] == [7]
    assert listed.row(thing())[1] is None


def test_few_words_among_amounts_do_not_make_them_text() -> None:
    things = [*(thing(price="9.5") for _ in range(20)), thing(price="Call us")]
    made = plan(*things)
    assert made.kinds[1] is ColumnKind.NUMBER
    assert made.row(things[-1])[1] is None
    half = plan(thing(price="9.5"), thing(price="Call us"))
    assert half.kinds[1] is ColumnKind.TEXT
    assert half.row(thing(price="9.5"))[1] == "9.5"


def test_columns_have_the_kinds_of_their_values() -> None:
    made = plan(thing(name="n", datePublished="2024-05-17", ratingValue="4"))
    assert dict(zip(made.names, made.kinds, strict=True)) == {
        "id": ColumnKind.TEXT,
        "name": ColumnKind.TEXT,
        "datePublished": ColumnKind.DAY,
        "ratingValue": ColumnKind.WHOLE,
        "page": ColumnKind.TEXT,
        "page_count": ColumnKind.WHOLE,
    }
    assert made.row(thing(datePublished="2024-05-17"))[2] == date(2024, 5, 17)


def test_other_vocabularies_are_named_and_found_by_their_last_part() -> None:
    line = json.dumps(
        {
            "id": "x:1",
            "pages": [],
            "page_count": 0,
            "values": {f"{FOAF}name": [["Ada", "text", "en"]]},
        }
    )
    ada = read_thing(line)
    assert own(plan(ada)) == ("foaf:name",)
    assert plan(ada, asked=("name",)).row(ada)[1] == "Ada"
    assert plan(ada, asked=("name",)).row(ada)[-2:] == [None, 0]


def test_what_nothing_has_is_told_with_what_was_meant() -> None:
    made = plan(thing(offers__price="9"), asked=("offers.prise",))
    assert made.missing == ("offers.prise",)
    assert made.row(thing(offers__price="9"))[1] is None
    coverage = Coverage()
    coverage.take(thing(offers__price="9"))
    assert (nearest(coverage, "offers.prise"), nearest(coverage, "price")) == ("offers.price",) * 2
    assert nearest(coverage, "pricce") == "offers.price"
    assert nearest(coverage, "zzz") is None


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100 %"), (0.999, "99 %"), (0.5, "50 %"), (0.001, "<1 %"), (0.0, "0 %")],
)
def test_a_share_is_never_said_to_be_all_or_none_if_it_is_not(share: float, text: str) -> None:
    assert share_text(share) == text


def test_made_up_properties_take_bounded_room() -> None:
    coverage = Coverage()
    for at in range(60):
        coverage.take(thing(**{f"p{at}x{each}": "1" for each in range(100)}))
    assert len(coverage.paths) == 5_000
