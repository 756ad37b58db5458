import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import ConfigError, GossamerError
from gossamer.owner.messages import (
    QUESTIONS,
    VERSION,
    AnswerError,
    Question,
    UnableError,
    end_frame,
    fault_frame,
    part_frame,
    question_frame,
    read_end,
)
from gossamer.politeness.outcome import Reported
from gossamer.processes.protocol import FrameReader, Kind

TEXTS = st.text(max_size=20)


@given(
    st.builds(
        Question,
        what=st.sampled_from(["status", "query", "stop"]),
        texts=st.lists(TEXTS).map(tuple),
        formats=st.lists(TEXTS).map(tuple),
        host=st.none() | TEXTS,
        kinds=st.lists(TEXTS).map(tuple),
        limit=st.none() | st.integers(0, 10**9),
        seconds=st.none() | st.floats(0, 1e6),
        lease=st.none() | TEXTS,
        report=st.none() | st.builds(Reported, status=st.none() | st.integers(100, 999)),
    )
)
def test_a_question_arrives_as_it_was_asked(question: Question) -> None:
    (frame,) = FrameReader().feed(question_frame(question))
    assert (frame.kind, frame.number) == (Kind.JOB, VERSION)
    assert QUESTIONS.loads(frame.payload) == question


def test_an_error_of_another_process_tells_what_it_was() -> None:
    (frame,) = FrameReader().feed(fault_frame(ConfigError("No.")))
    with pytest.raises(AnswerError) as raised:
        read_end(frame)
    assert raised.value.kind == "ConfigError"
    (again,) = FrameReader().feed(fault_frame(raised.value))
    assert json.loads(again.payload)["kind"] == "ConfigError"


def test_the_record_at_the_end_comes_back() -> None:
    part, end = FrameReader().feed(part_frame(b"bytes") + end_frame({"rows": 3, "of": None}))
    assert (part.kind, part.payload) == (Kind.PART, b"bytes")
    assert read_end(end) == {"rows": 3, "of": None}


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        (AnswerError("No."), AnswerError),
        (UnableError("Not me."), UnableError),
        (GossamerError("It is closed."), AnswerError),
    ],
)
def test_an_error_is_raised_again_with_its_sentence(
    said: GossamerError, raised: type[Exception]
) -> None:
    (frame,) = FrameReader().feed(fault_frame(said))
    with pytest.raises(raised, match=str(said)) as caught:
        read_end(frame)
    assert type(caught.value) is raised
    assert json.loads(frame.payload)["error"] == str(said)
