from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.accesslog import Access, HostAudit, audit, read_log, to_line


def access(arrived: float, ended: float, host: str = "a.test") -> Access:
    return Access(arrived, ended, "GET", host, "/", "gossamer", 200, 10)


def test_the_gap_runs_from_the_end_of_one_response_to_the_next_request() -> None:
    log = [access(0, 1), access(3, 4), access(4.5, 9)]
    assert audit(log) == {"a.test": HostAudit(3, 0.5, 1)}


def test_the_order_of_the_log_does_not_matter() -> None:
    # A log is written as responses end.
    log = [access(3, 4), access(0, 9)]
    assert audit(log) == audit(list(reversed(log)))
    assert audit(log)["a.test"] == HostAudit(2, -6, 2)


def test_a_gap_counts_from_the_last_of_overlapping_responses() -> None:
    log = [access(0, 10), access(1, 2), access(12, 13)]
    assert audit(log)["a.test"] == HostAudit(3, -9, 2)
    assert audit(log[:1] + log[2:])["a.test"].smallest_gap == 2


def test_hosts_are_audited_apart() -> None:
    said = audit([access(0, 1), access(0, 1, "b.test"), access(2, 3)])
    assert said == {"a.test": HostAudit(2, 1, 1), "b.test": HostAudit(1, None, 1)}


def test_a_response_that_ends_as_the_next_request_comes_is_not_in_flight() -> None:
    assert audit([access(0, 1), access(1, 1), access(1, 2)])["a.test"].most_in_flight == 1


SPANS = st.tuples(st.integers(0, 50), st.integers(1, 10)).map(lambda s: access(s[0], s[0] + s[1]))


@given(st.lists(SPANS, min_size=2, max_size=12))
def test_requests_overlap_exactly_where_a_gap_is_negative(log: list[Access]) -> None:
    said = audit(log)["a.test"]
    assert said.smallest_gap is not None
    assert (said.smallest_gap < 0) == (said.most_in_flight > 1)
    moments = [a.arrived for a in log]
    counted = max(sum(a.arrived <= m < a.ended for a in log) for m in moments)
    assert said.most_in_flight == counted


def test_a_log_file_reads_back_and_a_torn_line_is_left_out(tmp_path: Path) -> None:
    log = [access(0.125, 1), access(2, 3, "ü.test")]
    file = tmp_path / "log.jsonl"
    file.write_text("".join(map(to_line, log)) + '{"arrived":', encoding="utf-8")
    assert list(read_log(file)) == log


def test_nothing_logged_means_nothing_to_audit() -> None:
    assert audit([]) == {}
    with pytest.raises(KeyError):
        audit([])["a.test"]
