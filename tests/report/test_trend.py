from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from gossamer.report.trend import ReportRun, meta_element, run_in_json, runs_in_html

RUN = ReportRun(datetime(2026, 5, 1, tzinfo=UTC), 3, 2, 1, {'A "section" & more': 90})


def test_runs_are_carried_in_the_file() -> None:
    text = f"<html>{meta_element([RUN] * 3)}<p>"
    assert runs_in_html(text) == [RUN] * 3
    assert len(runs_in_html(meta_element([RUN] * 500))) == 30


@given(st.text())
def test_other_files_have_no_runs(text: str) -> None:
    assert runs_in_html(f'<meta name="gossamer-report" content="{text}">{text}') in ([], [RUN])
    assert run_in_json(text.encode(errors="replace")) == []
