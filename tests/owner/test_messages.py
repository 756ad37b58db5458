import json

import pytest

from gossamer.errors import ConfigError, GossamerError
from gossamer.owner.messages import (
    VERSION,
    AnswerError,
    UnableError,
    end_frame,
    fault_frame,
    part_frame,
    question_frame,
    read_end,
)
from gossamer.owner.questions import Explain, load_question
from gossamer.processes.protocol import FrameReader, Kind


def test_a_question_is_one_frame() -> None:
    question = Explain("http://a.test/")
    (frame,) = FrameReader().feed(question_frame(question))
    assert (frame.kind, frame.number) == (Kind.JOB, VERSION)
    assert load_question(frame.payload) == question


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
