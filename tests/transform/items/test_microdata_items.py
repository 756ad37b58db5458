"""Microdata items as nested dictionaries."""

import json
from typing import Any

import pytest

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.items.microdata import MOST_DEPTH, microdata_items

URL = "http://a.test/dir/page"


def items(markup: str, **options: Any) -> list[dict[str, Any]]:
    document = Document(URL, markup.encode(), media_type="text/html", options=Options(**options))
    found = microdata_items(document)
    assert json.loads(json.dumps(found)) == found
    return found


RECIPE = """<div itemscope itemtype="https://schema.org/Recipe" itemid="#it"><h1 itemprop="name">A  <b>cake</b>
</h1><li itemprop=recipeIngredient>1 tsp salt<li itemprop=recipeIngredient>2 eggs<li itemprop=recipeIngredient>1 tsp salt</li>
<div itemprop=author itemscope itemtype="https://schema.org/Person"><a itemprop="url sameAs" href=/x>n</a></div>
<meta itemprop=cookTime content=PT1H><time itemprop=datePublished>May</time></div>"""


def test_an_item_has_its_type_and_properties_with_order_and_repetition() -> None:
    assert items(RECIPE) == [
        {
            "type": "https://schema.org/Recipe",
            "id": f"{URL}#it",
            "properties": {
                "name": "A cake",
                "recipeIngredient": ["1 tsp salt", "2 eggs", "1 tsp salt"],
                "author": {
                    "type": "https://schema.org/Person",
                    "properties": {"url": "http://a.test/x", "sameAs": "http://a.test/x"},
                },
                "cookTime": "PT1H",
                "datePublished": "May",
            },
        }
    ]


def test_properties_are_gathered_by_itemref_in_document_order() -> None:
    (item,) = items(
        "<p id=a itemprop=n>1<div itemscope itemref='b a'><i itemprop=n>2</i></div><p id=b itemprop=n>3"
    )
    assert item["properties"] == {"n": ["1", "2", "3"]}


def test_an_item_within_itself_is_left_out() -> None:
    (item,) = items(
        "<div itemscope itemref=a></div><div id=a itemprop=p itemscope itemref=a></div>"
    )
    assert item["properties"] == {"p": {"properties": {}}}


@pytest.mark.parametrize("attribute", ["", "itemref=x"])
def test_an_item_that_is_a_property_of_nothing_is_kept_unless_strict(attribute: str) -> None:
    orphan = f"<div itemprop=p itemscope {attribute}><b itemprop=q>1</b></div>"
    assert items(orphan) == [{"properties": {"q": "1"}}]
    assert items(orphan, strict=True) == []


@pytest.mark.parametrize("attribute", ["", "itemref=x"])
def test_nesting_is_bounded(attribute: str) -> None:
    (item,) = items(f"<div itemscope itemprop=p {attribute}>" * 1000)
    depth = 1
    while item["properties"]:
        item, depth = item["properties"]["p"], depth + 1
    assert depth == MOST_DEPTH


@pytest.mark.parametrize("attribute", ["", "itemref=x"])
def test_what_two_names_would_double_at_each_level_is_left_out(attribute: str) -> None:
    assert items(f"<div itemscope itemprop='p q' {attribute}>" * 100) == []


def test_a_text_with_very_many_names_is_left_out() -> None:
    names = " ".join(map(str, range(20_000)))
    assert items(f"<div itemscope><p itemprop='{names}'>" + "x" * 100_000) == []


def test_blocks_and_line_breaks_are_lines_of_a_text() -> None:
    (item,) = items(
        "<div itemscope><ol itemprop=steps><li>Mix <b>w</b>ell.<!-- no --><li>Bake\n it.<script>no</script></ol>"
        "<b itemprop=a>1 cup<br>2 H<sub>2</sub>O<br></b></div>"
    )
    assert item["properties"] == {"steps": "Mix well.\nBake it.", "a": "1 cup\n2 H2O"}
    (item,) = items(
        "<div itemscope><div itemprop=a>x<hr>y<p>z <i>z<!-- no --></i></p><b>u</b>v</div>"
    )
    assert item["properties"] == {"a": "x\ny\nz z\nuv"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain words", "plain words"),
        (" around ", "around"),
        ("two  spaces", "two spaces"),
        ("\u00a0no\u00a0break\u2003em", "no break em"),
        ("a\nline\ttab", "a line tab"),
        ("caf\u00e9 \U0001f600", "caf\u00e9 \U0001f600"),
        (" \n ", ""),
    ],
)
def test_white_space_of_any_kind_is_one_space(text: str, line: str) -> None:
    (item,) = items(f"<div itemscope><b itemprop=a>{text}</b><p itemprop=b><i>{text}</i></p></div>")
    assert item["properties"] == {"a": line, "b": line}


def test_a_reference_further_down_counts_for_the_whole_page() -> None:
    found = items(
        "<div itemscope><b itemprop=a>x</b></div><div itemscope itemref=more></div><b id=more itemprop=b>y</b>"
    )
    assert [each["properties"] for each in found] == [{"a": "x"}, {"b": "y"}]
