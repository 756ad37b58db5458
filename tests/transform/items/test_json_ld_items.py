"""JSON-LD objects as their authors wrote them."""

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.items.json_ld import json_ld_items


def page(*blocks: str, strict: bool = False) -> Document:
    scripts = "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    return Document("http://a.test/", scripts.encode(), options=Options(strict=strict))


def test_order_and_repetition_are_kept_and_outer_arrays_are_taken_apart() -> None:
    recipe = '{"@type":"Recipe","@context":"https://schema.org","recipeIngredient":["b","a","b"]}'
    found = json_ld_items(page(recipe, f"[{recipe}, {{}}, 7]"))
    assert [each["recipeIngredient"] for each in found] == [["b", "a", "b"]] * 2
    assert list(found[0]) == ["@type", "@context", "recipeIngredient"]


def test_broken_blocks_are_mended_and_escaped_strings_decoded() -> None:
    (item,) = json_ld_items(
        page("{'@type':'Thing', name: 'Mac &#039;n cheese', /* x */}", "{nothing")
    )
    assert item["name"] == "Mac 'n cheese"
    (strict,) = json_ld_items(page('{"name":"Mac &#039;n cheese"}', strict=True))
    assert strict["name"] == "Mac &#039;n cheese"


def test_a_document_of_json_is_read_as_a_whole() -> None:
    document = Document("http://a.test/", b'{"name": "x"}', media_type="application/ld+json")
    assert json_ld_items(document) == [{"name": "x"}]
