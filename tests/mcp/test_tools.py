"""The tools say what the folder knows, with the pages that say it, in both ways and to the SDK's own client."""

from typing import Any

import pytest
from mcp.types import CallToolResult, TextContent, Tool

from gossamer.mcp.quoting import QUOTED
from gossamer.mcp.tools import TOOLS

from .conftest import ORDER, A, Answers, B


@pytest.fixture
def answers(over_http: tuple[list[Tool], Answers]) -> Answers:
    return over_http[1]


def told(result: CallToolResult) -> Any:
    assert not result.is_error, result
    return result.structured_content


def why(result: CallToolResult) -> str:
    assert result.is_error
    (text,) = result.content
    assert isinstance(text, TextContent)
    return text.text


def test_both_ways_have_the_same_tools_and_the_same_answers(
    over_http: tuple[list[Tool], Answers], over_stdio: tuple[list[Tool], Answers]
) -> None:
    assert [tool.name for tool in over_http[0]] == [tool.name for tool in TOOLS]
    assert over_stdio[0] == over_http[0]
    assert over_stdio[1] == over_http[1]


def test_every_tool_only_reads(over_http: tuple[list[Tool], Answers]) -> None:
    for tool in over_http[0]:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint  # nobody outside is asked


def test_search_has_types_subclasses_and_pages(answers: Answers) -> None:
    (ada,) = told(answers["search"])["results"]
    assert (ada["id"], ada["label"], ada["pages"]) == (f"{A}#ada", "Ada Lovelace", [A])
    (gig,) = told(answers["search event"])["results"]
    assert gig["types"] == ["MusicEvent"]


def test_an_entity_has_each_value_with_the_pages_that_say_it(answers: Answers) -> None:
    ada = told(answers["entity"])
    (name,) = [each for each in ada["properties"] if each["name"] == "schema:name"]
    assert [(each["value"], each["pages"]) for each in name["values"]] == [("Ada Lovelace", [A])]
    assert [(each["id"], each["page"]) for each in ada["links_here"]] == [(f"{B}#king", B)]
    assert "No page says anything" in why(answers["no entity"])


def test_queries_give_rows_truths_and_triples_and_change_nothing(answers: Answers) -> None:
    rows = told(answers["query"])
    assert rows["columns"] == ["g", "n"]
    assert rows["rows"][0] == {"g": A, "n": "Ada Lovelace"}
    assert len(told(answers["query few"])["rows"]) == 2
    assert told(answers["query few"])["cut"]
    assert "Did you mean schema:name?" in told(answers["query nothing"])["hints"][0]
    assert told(answers["query ask"])["answer"] is True
    assert "Ada Lovelace" in told(answers["query triples"])["triples"][0]
    assert "asked, not changed" in why(answers["query update"])
    assert "SERVICE would send requests" in why(answers["query service"])


def test_a_table_has_a_row_an_entity_with_its_page(answers: Answers) -> None:
    table = told(answers["table"])
    assert {(row["id"], row["page"]) for row in table["rows"]} == {
        (f"{A}#ada", A),
        (f"{B}#king", B),
    }
    assert {"name": "name", "share": 1.0} in table["columns"]
    assert "Did you mean Person" in why(answers["no table"])


def test_the_vocabulary_is_what_was_found(answers: Answers) -> None:
    found = told(answers["vocabulary"])
    assert [(each["name"], each["count"]) for each in found["classes"]] == [("schema:Person", 2)]
    assert found["prefixes"]["schema"] == "http://schema.org/"


def test_explain_and_check_say_what_is_known_and_ask_nobody(answers: Answers) -> None:
    page = told(answers["explain"])["page"]
    assert (page["ended"], page["status"]) == ("failed", 500)
    known, unknown, wrong = told(answers["check"])["urls"]
    assert known["url"] == "http://a.test/good"
    assert unknown["allowed"] is None
    assert "asks nobody" in unknown["why"]
    assert wrong["allowed"] is False


def test_what_cannot_be_asked_is_told_in_a_sentence(answers: Answers) -> None:
    assert why(answers["unknown tool"]).startswith("There is no tool 'forget'; there is search")
    assert why(answers["too much"]) == "`limit` is at most 50, not 1,000."
    assert why(answers["unknown argument"]) == "The call has a field 'word' that means nothing."
    assert why(answers["no argument"]) == "The call lacks `sparql`."


def test_what_pages_say_is_quoted_and_bounded(answers: Answers) -> None:
    first, data = answers["entity"].content
    assert isinstance(first, TextContent)
    assert isinstance(data, TextContent)
    assert first.text == QUOTED
    assert f'"{ORDER}"' in data.text  # as data, and as it is
    labels = [row["name"] for row in told(answers["table"])["rows"]]
    assert "Kinggnol" in labels  # without what turns its direction
    assert len(told(answers["search event"])["results"][0]["description"]) <= 2_001
