"""The one shape of errors."""

import json

import pytest

from gossamer.errors import ConfigError, DataFolderError, GossamerError, StorageFullError
from gossamer.owner.messages import AnswerError, UnableError
from gossamer.service.errors import SCHEMA, ProblemError, not_found, problem_of
from gossamer.service.schemas import faults


def test_a_problem_is_answered_in_the_shape_that_is_published() -> None:
    response = ProblemError(418, "teapot", "No coffee here.", {"X-Short": "stout"}).response()
    shown = json.loads(bytes(response.body))
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-short"] == "stout"
    assert list(faults(SCHEMA, shown, "it")) == []
    assert shown == {
        "status": 418,
        "title": "I'm a Teapot",
        "code": "teapot",
        "detail": "No coffee here.",
    }


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ConfigError("x"), 400, "bad-value"),
        (StorageFullError("x"), 503, "storage-full"),
        (UnableError("x"), 503, "not-now"),
        (DataFolderError("x"), 422, "cannot-be"),
        (AnswerError("x"), 422, "cannot-be"),
        (GossamerError("x"), 422, "cannot-be"),
        (ValueError("/etc/secret"), 500, "our-fault"),
    ],
)
def test_each_error_has_its_status(error: Exception, status: int, code: str) -> None:
    problem = problem_of(error)
    assert (problem.status, problem.code) == (status, code)


def test_a_defect_of_ours_is_not_shown_to_whoever_asked() -> None:
    assert "secret" not in problem_of(ValueError("/etc/secret")).detail


def test_what_is_not_there_is_404() -> None:
    assert not_found("No.").status == 404
