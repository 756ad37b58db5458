import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.transform.jsonld.reading_back import (
    URL,
    graph,
    items,
    json_document,
    lines,
    messages,
    page,
    problems,
    said_by,
)

from gossamer.config import Transform as Options
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document
from gossamer.transform.jsonld.processing import JsonLdOptions
from gossamer.transform.jsonld.statements import json_ld_statements
from gossamer.transform.terms import InGraph

ADDRESS = "https://contexts.test/one"
CONTEXT = json.dumps({"@context": {"name": "http://v.test/name"}}).encode()
NAMED = '{"@context": "https://schema.org", "@id": "#it", "name": "N"}'
NAME = f'<{URL}#it> <http://schema.org/name> "N" .'


def test_a_document_is_read_as_such_whatever_it_is_called() -> None:
    for media_type in ("application/ld+json", "text/html", None):
        assert lines(items(Document(URL, NAMED.encode(), media_type=media_type))) == [NAME]


def test_every_block_of_a_page_is_read() -> None:
    other = NAMED.replace("#it", "/other")
    assert lines(items(page(NAMED, other))) == [
        NAME,
        NAME.replace(f"{URL}#it", "https://page.test/other"),
    ]


def test_the_base_element_counts_in_a_page() -> None:
    found = items(page(NAMED.replace("#it", "x"), head='<base href="/base/">'))
    assert lines(found) == ['<https://page.test/base/x> <http://schema.org/name> "N" .']


def test_a_base_that_is_none_leaves_the_page_its_own() -> None:
    assert lines(items(page(NAMED, head='<base href="http://[bad/">'))) == [NAME]


def test_a_bad_block_spoils_no_other() -> None:
    found = items(page("{no json", NAMED, '{"@context": {"a": 5}, "a": "b"}', NAMED))
    assert lines(found) == [NAME, NAME]
    assert [(each.syntax, each.line) for each in problems(found)] == [
        (Syntax.JSON_LD, 3),
        (Syntax.JSON_LD, 5),
    ]


def test_each_repair_is_a_problem_with_its_line() -> None:
    found = items(
        page('\n{"@context": "https://schema.org",\n"@id": "#it", // why\n"name": "N",\n}')
    )
    assert lines(found) == [NAME]
    assert [(each.message, each.line) for each in problems(found)] == [
        ("Comment left out.", 5),
        ("Comma too many left out.", 7),
    ]


def test_lines_are_right_where_they_end_as_on_windows() -> None:
    found = items(json_document('{"@context": "https://schema.org",\r\n"name": "N",\r\n}'))
    assert [each.line for each in problems(found)] == [3]


def test_an_unknown_context_is_wanted_and_the_rest_is_kept() -> None:
    value = {"@context": ["https://schema.org", ADDRESS], "@id": "#it", "name": "N"}
    found = items(json_document(json.dumps(value)))
    assert [each.wants for each in problems(found)] == [ADDRESS]
    assert lines(found) == [NAME]


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "data:application/json,{}", "ftp://a.test/"]
)
def test_what_nobody_should_fetch_is_not_wanted(address: str) -> None:
    (problem,) = problems(items(json_document(json.dumps({"@context": address, "a": 1}))))
    assert problem.wants is None
    assert "Loading remote context failed" in problem.message


def test_with_the_context_at_hand_nothing_is_wanted() -> None:
    text = json.dumps({"@context": ADDRESS, "@id": "#it", "name": "N"})
    found = items(json_document(text, {ADDRESS: CONTEXT}))
    assert found == [f'<{URL}#it> <http://v.test/name> "N"']


def test_a_context_wanted_by_a_context_is_wanted_too() -> None:
    outer = json.dumps({"@context": "https://contexts.test/inner"}).encode()
    found = items(json_document(json.dumps({"@context": ADDRESS, "x:p": "1"}), {ADDRESS: outer}))
    assert [each.wants for each in problems(found)] == ["https://contexts.test/inner"]
    assert len(lines(found)) == 1


def test_a_context_given_for_schema_org_counts_instead_of_ours() -> None:
    context = CONTEXT.replace(b"v.test", b"mine.test")
    found = items(json_document(NAMED, {"https://schema.org": context}))
    assert found == [f'<{URL}#it> <http://mine.test/name> "N"']


def test_named_graphs_keep_the_names_they_claim() -> None:
    value = {"@id": "http://victim.test/", "@graph": [{"@id": "x:s", "x:p": "1"}]}
    assert items(json_document(json.dumps(value))) == [
        InGraph("<http://victim.test/>", '<x:s> <x:p> "1"')  # type: ignore[arg-type]  # terms are text
    ]


def test_a_graph_in_a_block_is_the_default_graph_of_that_block() -> None:
    script = '{"@context": "https://schema.org", "@graph": [{"@id": "#it", "name": "N"}]}'
    assert lines(items(page(script, script))) == [NAME, NAME]
    both = page(script, script)
    both.json_ld = JsonLdOptions(extract_all_scripts=True)
    merged = items(both)
    assert all(isinstance(item, InGraph) for item in merged)
    assert len(merged) == 2


@pytest.mark.parametrize("context", ["https://schema.org", {"@vocab": "x:"}, ADDRESS])
def test_the_same_bytes_give_the_same_items_in_the_same_order(context: object) -> None:
    value = {
        "@context": context,
        "@type": "A",
        "b": [{"c": "1"}, {"d": {"e": "2"}}, {"@id": "_:x"}],
    }
    document = json_document(
        json.dumps([value, value]), {ADDRESS: b'{"@context": {"@vocab": "y:"}}'}
    )
    first = items(document)
    assert first == items(document)
    numbers = dict.fromkeys(
        label for line in lines(first) for label in line.split() if label.startswith("_:")
    )
    assert list(numbers) == [document.blank(f"j{number}") for number in range(len(numbers))]


def test_blank_nodes_with_a_label_are_shared_by_the_blocks_of_a_page() -> None:
    script = '{"@context": "https://schema.org", "@id": "_:a", "%s": "x"}'
    found = lines(
        items(page(script % "name", script % "description", '{"@id": "_:a", "x:p": "1"}'))
    )
    assert len({line.split()[0] for line in found}) == 1
    assert len(found) == 3


@pytest.mark.parametrize("context", ["https://schema.org", {"@vocab": "http://schema.org/"}])
def test_one_bad_node_does_not_spoil_the_graph(context: object) -> None:
    nodes: list[Any] = [{"@id": "#it", "name": "N"}, {"@id": 5, "name": "M"}, {"@id": "_:b"}]
    found = items(json_document(json.dumps({"@context": context, "@graph": nodes})))
    assert lines(found) == [NAME]
    (message,) = messages(found)
    assert message.startswith("Invalid @id value: ")


def test_one_bad_member_does_not_spoil_a_plain_block() -> None:
    value = {**json.loads(NAMED), "author": {"@id": 5}, "@type": "Thing"}
    found = items(json_document(json.dumps(value)))
    assert NAME in lines(found)
    assert len(lines(found)) == 2
    assert messages(found)[-1] == '"author" is left out: an identifier that is no text.'


@pytest.mark.parametrize("text", ["5", '"text"', "null", "true"])
def test_json_that_is_no_object_is_a_problem(text: str) -> None:
    found = items(json_document(text))
    assert messages(found) == ["Loading document failed: no JSON object or array."]


def test_links_are_mended_and_names_are_not() -> None:
    value = {"@context": "https://schema.org", "image": "my photo.jpg", "two<words": "x"}
    found = items(json_document(json.dumps(value)))
    assert [line.partition(" ")[2] for line in lines(found)] == [
        "<http://schema.org/image> <https://page.test/dir/my%20photo.jpg> ."
    ]
    assert messages(found) == [
        '"http://schema.org/two<words" is no IRI; the statement is left out.'
    ]


def test_dates_and_links_are_what_the_context_of_schema_org_says() -> None:
    value = {"@context": "http://schema.org/", "@id": "#a", "startDate": "2030-01-01", "url": "u"}
    assert said_by(value) == said_by({**value, "@context": ["https://schema.org", {}]})
    assert said_by(value) == graph(
        [
            f'<{URL}#a> <http://schema.org/startDate> "2030-01-01"^^<http://schema.org/Date> .',
            f"<{URL}#a> <http://schema.org/url> <https://page.test/dir/u> .",
        ]
    )


def test_deep_nesting_is_cut_at_the_depth_that_is_set() -> None:
    text = '{"x:p":' * 50 + '"1"' + "}" * 50
    document = Document(
        URL, text.encode(), media_type="application/json", options=Options(max_depth=16)
    )
    found = items(document)
    assert messages(found) == ["Part nested too deeply left out."]
    assert len(lines(found)) == 15


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 200_000, '{"a":' * 200_000, '{"@context":' * 50_000, '[{"@graph":' * 5_000),
        '{"@context": {"a": "b", "b": "a"}, "a": 1}',
        '{"@context": {"@vocab": "x:"}, "a": ' + '{"@list": [' * 400 + "]}" * 400 + "}",
        json.dumps({"@context": [ADDRESS] * 1000, "x:p": "1"}),
        json.dumps({"@context": {f"t{n}": {"@id": f"t{n + 1}:"} for n in range(3000)}, "t0": "x"}),
        '{"@context": "https://schema.org", "\\u0000": "\\u0000", "name": "\\ud800"}',
        '{"@context": "https://schema.org", "name": "' + "x" * 2_000_000 + '"}',
        '{"@id": "\\u0000", "@type": ["\\ud800", ""], "": {"": ""}}',
        '{"@context": "https://schema.org", "a": 1e400, "b": {"@id": 5}, "c": ' + "9" * 5000 + "}",
        "\x00\x01\x02",
        "",
    ],
)
def test_hostile_documents_raise_nothing(text: str) -> None:
    for item in items(json_document(text)):
        assert isinstance(item, Problem) or "\n" not in str(item)


def test_many_bad_blocks_are_read_in_time_linear_in_the_page(full_size: bool) -> None:
    count = 20_000 if full_size else 2_000
    found = items(page(*(f'{{"n": {number},}}' for number in range(count))))
    assert len(found) == count
    found = items(page(*(f'\r{{"n" {number}\x00,}}' for number in range(count))))
    assert len(messages(found)) >= count


def test_bytes_that_are_no_text_raise_nothing() -> None:
    body = b'{"@context": "https://schema.org", "name": "\xff\xfe\x80"}'
    (line,) = lines(items(json_document(body)))
    assert "\ufffd" in line


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("@context", "@id", "@type", "@graph", "@value", "@language", "@list", "@set"),
                    *("@reverse", "@index", "@base", "@vocab", "@container", "@included", "@nest"),
                    *("name", "url", "x:p", "@import", "@direction", "@json", "a"),
                ]
            ),
            inner
            | st.sampled_from(["https://schema.org", ADDRESS, "@id", "@type", "x:y", "@json"]),
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(JSON, st.booleans())
def test_any_json_gives_items_and_raises_nothing(value: object, named: bool) -> None:
    if named and isinstance(value, dict):
        value = {**value, "@context": "https://schema.org"}
    document = json_document(json.dumps(value), {ADDRESS: CONTEXT})
    graph(lines(items(document)))  # it is N-Quads, too


@given(st.data())
def test_any_damage_to_a_page_raises_nothing(data: st.DataObject) -> None:
    text = page(NAMED, '{"@graph": [{"x:p": [1, {"@list": ["a", 2.5]}]}], "@id": "x:g"}').text
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 5)))
    damaged = text[:at] + data.draw(st.text('{}[]",:<>/\\&\x00\n1é', max_size=4)) + text[end:]
    graph(lines(items(Document(URL, damaged.encode(), media_type="text/html"))))


def test_it_is_lazy() -> None:
    found = json_ld_statements(page(NAMED, *("{bad" for _ in range(sys.getrecursionlimit()))))
    assert f"{next(found)} ." == NAME
