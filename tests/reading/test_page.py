"""`gossamer.Page`: parts of a page are read as they are asked for, each once."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import gossamer
from gossamer.config import Transform as Options
from gossamer.model import Syntax
from gossamer.reading.page import Page

URL = "http://a.test/page"
RECIPE = """<html lang=en><title>Cake</title><meta property="og:title" content="Cake">
<meta property="og:type" content="article"><meta name="DC.title" content="Cake"><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Recipe", "@id": "#it", "name": "Mac &#039;n cheese",
 "recipeIngredient": ["1 tsp salt", "2 eggs", "1 tsp salt"]}</script>
<div itemscope itemtype="https://schema.org/Recipe" itemid="#it"><b itemprop=name>Mac 'n cheese</b></div>
<div class=h-entry><a class=p-name href="/next">E</a></div>"""
KINDS = ["microdata", "json-ld", "opengraph", "microformat", "rdfa", "dublincore"]


def read(body: str | bytes = RECIPE, **options: object) -> Page:
    return gossamer.extract(body, url=URL, **options)  # type: ignore[arg-type]  # any of them


def test_items_are_dictionaries_by_kind_with_order_and_repetition() -> None:
    page = read()
    assert [*page.items] == KINDS
    assert json.loads(json.dumps(page.items)) == page.items
    recipe = page.items["json-ld"][0]
    assert recipe["name"] == "Mac 'n cheese"
    assert recipe["recipeIngredient"] == ["1 tsp salt", "2 eggs", "1 tsp salt"]
    assert page.items["opengraph"][0]["properties"] == [
        ["og:title", "Cake"],
        ["og:type", "article"],
    ]
    assert page.items["microformat"][0]["type"] == ["h-entry"]
    (flat,) = page.uniform_items["microdata"]
    assert flat["@type"] == "Recipe"
    assert page.items["microdata"][0]["type"] == "https://schema.org/Recipe"
    assert page.items is page.items
    assert page.uniform_items is page.uniform_items


@pytest.mark.parametrize(
    ("named", "kinds"),
    [
        ("json-ld", ["json-ld"]),
        (["JSON-LD", "og"], ["json-ld", "opengraph"]),
        (["dublincore"], ["dublincore"]),
        ([Syntax.PAGE], []),
    ],
)
def test_only_the_kinds_that_are_asked_for_have_a_key(named: object, kinds: list[str]) -> None:
    page = read(syntaxes=named)
    assert [*page.items] == kinds
    assert all(page.items.values())


def test_a_quad_that_two_syntaxes_say_is_with_both_and_once_on_the_page() -> None:
    page = read()
    said = page.by_syntax
    assert sum(map(len, said.values())) > page.count
    assert {str(quad) for quads in said.values() for quad in quads} == {*map(str, page.quads)}
    shared = set(said["microdata"]) & set(said["jsonld"])
    assert [str(quad.object) for quad in shared] == ["<http://schema.org/Recipe>"]
    for syntax in (Syntax.JSON_LD, Syntax.MICRODATA, Syntax.OPEN_GRAPH, Syntax.PAGE):
        assert {*said[syntax]} == {*read(syntaxes=[syntax]).quads}, syntax


def test_quads_are_made_when_they_are_asked_for(tmp_path: Path) -> None:
    sheet = tmp_path / "late.xsl"
    options = Options(stylesheets={"book": str(sheet)})
    book = gossamer.extract("<book/>", url=URL, content_type="application/xml", options=options)
    assert book.items == {kind: [] for kind in KINDS}
    sheet.write_text('<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"/>')
    assert not any("late.xsl" in problem.message for problem in book.problems)


def test_parts_are_the_same_in_whatever_order_they_are_asked_for() -> None:
    one, other = read(RECIPE + "{,}"), read(RECIPE + "{,}")
    items, links, problems = one.items, one.links, one.problems
    assert (other.problems, other.links, other.items) == (problems, links, items)
    assert (one.nquads, one.directives) == (other.nquads, other.directives)


def test_pages_that_are_read_in_turn_say_the_same() -> None:
    pages = [read(RECIPE.replace("Cake", f"Cake {number}")) for number in range(3)]
    firsts = [page.count for page in pages]
    names = [page.items["dublincore"][0]["elements"][0]["content"] for page in pages]
    assert names == ["Cake 0", "Cake 1", "Cake 2"]
    assert [len(page.links) for page in pages] == [1, 1, 1]
    assert [len(list(page.quads)) for page in pages] == firsts


def test_links_and_items_can_be_left_out() -> None:
    for isolated in (False, True):
        page = read(links=False, items=False, isolated=isolated)
        assert (page.links, page.items) == ((), {})
        assert page.count == read().count
        assert page.by_syntax == read().by_syntax


def test_a_page_can_be_pickled_whole() -> None:
    page = read()
    copy = pickle.loads(pickle.dumps(page))
    assert copy.extracted() == page.extracted()
    assert copy.items == page.items
    assert copy.by_syntax == page.by_syntax
    assert repr(copy) == f"Page({URL!r})"


def test_text_is_read_as_it_is_whatever_it_says_of_its_encoding() -> None:
    text = '<meta charset="windows-1251"><title>café ☕</title>'
    page = gossamer.extract(text, url=URL, content_type="text/html; charset=shift_jis")
    assert "café ☕" in page.nquads.decode()
    assert page.detection.encoding_why == "it came as text"
    xml = '<?xml version="1.0" encoding="iso-8859-2"?><rss version="2.0"><channel><title>☕</title></channel></rss>'
    assert "☕" in gossamer.extract(xml, url=URL, content_type="application/xml").nquads.decode()
    for odd in ("\ufeff<title>x</title>", "a\0b\0c", "\ud800<title>x</title>"):
        assert not any("failed" in each.message for each in gossamer.extract(odd, url=URL).problems)
    assert gossamer.extract(bytearray(b"<title>x</title>"), url=URL).count == 1


@pytest.mark.parametrize(
    "url", ["", "page", "/page", "//a.test/x", "a.test/x", "a.test:80/x", "localhost:8000", "C:\\x"]
)
def test_an_address_without_a_scheme_is_a_mistake_of_the_caller(url: str) -> None:
    with pytest.raises(ValueError, match="is no address; write it in full, as in https://"):
        gossamer.extract(b"", url=url)


@pytest.mark.parametrize("url", ["http://a.test", "file:///x.html", "urn:isbn:1", "tag:a.test,1:x"])
def test_any_absolute_address_will_do(url: str) -> None:
    assert gossamer.extract("<title>x</title>", url=url).count == 1


def test_names_for_annotations_come_with_the_package() -> None:
    for name in gossamer.__all__:
        assert getattr(gossamer, name) is not None
    assert isinstance(read(), gossamer.Page)


def test_functions_with_the_name_of_a_folder_stay_functions_whatever_is_imported() -> None:
    script = """
import gossamer.crawl.batches, gossamer.extract.base, gossamer
from gossamer.extract import LinkQuery
for _ in range(2):
    assert callable(gossamer.extract) and callable(gossamer.crawl)
    import gossamer.crawl.build, gossamer.extract.html_links
print(gossamer.extract(b"<title>x</title>", url="http://a.test/").count)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1\n", "")
