import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.owner import questions
from gossamer.owner.questions import (
    QUESTIONS,
    Question,
    RecordQuestion,
    StreamQuestion,
    dump_question,
    load_question,
)


@given(st.sampled_from(QUESTIONS).flatmap(st.from_type))
def test_a_question_arrives_as_it_was_asked(question: Question) -> None:
    assert load_question(dump_question(question)) == question


def test_every_question_can_be_asked() -> None:
    bases = (RecordQuestion, StreamQuestion)
    classes = {each for each in vars(questions).values() if isinstance(each, type)}
    assert {each for each in classes if issubclass(each, bases)} - {*bases} == set(QUESTIONS)


def test_a_question_says_whether_it_changes_anything() -> None:
    assert {each.__name__ for each in QUESTIONS if each.changes} == {
        "AddSeeds",
        "ChangeExpression",
        "ClearCaches",
        "Configure",
        "LendRight",
        "MakeWay",
        "Reindex",
        "ReloadSettings",
        "ReportRight",
        "SteerCrawl",
        "SteerNodes",
        "StopOwner",
    }


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_whoever_cannot_answer_says_so_in_a_sentence(kind: type[Question]) -> None:
    assert kind.unable.format(command="query").endswith(".")
