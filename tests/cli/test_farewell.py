from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gossamer.cli.farewell import farewell, partial_farewell
from gossamer.crawl.progress import Summary
from gossamer.frontier.endings import Ending, EndKind
from gossamer.frontier.protocol import HostStage, HostState, Trouble, TroubledPage
from gossamer.model import Url

DONE = Ending(EndKind.DONE, "Nothing is left to fetch.")
SUMMARY = Summary(
    pages=1234,
    redirected=0,
    failed=3,
    refused=45,
    quads=56789,
    problems=1,
    hosts=12,
    seconds=130.0,
    pages_per_second=9.49,
    ended="done",
)
NOTHING = replace(SUMMARY, pages=0, failed=0, refused=0, quads=0, problems=0, hosts=0)


def parked(name: str) -> HostState:
    return HostState(
        host=name,
        site=name,
        stage=HostStage.PARKED,
        until=datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        why="Retry-After",
        delay=timedelta(hours=1),
        pending=7,
        content=0,
        failures=1,
    )


def test_the_end_says_what_there_is_and_what_to_do_with_it() -> None:
    said = farewell(DONE, SUMMARY, [], {"robots": 45}, folder=Path("d"), is_usual=True)
    assert said.splitlines() == [
        "Nothing is left to fetch.",
        "",
        "  1,234 pages of 12 hosts, with 56,789 quads; 2 min, 9.5 pages a second",
        "  45 refused, 3 failed (in this run: 45 robots)",
        "  1 problem in pages",
        "",
        "Next:",
        "  gossamer search WORDS           find entities by name and text",
        "  gossamer query --example types  types of entities found",
        "  gossamer serve                  see the results in a browser; REST and SPARQL",
        "  gossamer export -o crawl.nq.gz  write everything to one file",
        "  gossamer problems               pages with problems",
        "  gossamer status                 how it stands",
    ]


def test_a_count_that_is_not_known_is_said_to_be_so() -> None:
    unknown = replace(SUMMARY, quads=None)
    said = farewell(DONE, unknown, [], {}, folder=Path("d"), is_usual=True)
    assert "1,234 pages of 12 hosts, the number of quads is not known, since the" in said
    assert "gossamer export" in said


def test_where_a_server_is_away_the_summary_says_what_it_counts() -> None:
    ending, run = Ending(EndKind.TIME, "The time is up: 3s."), replace(SUMMARY, hosts=None)
    said = partial_farewell(ending, run, {"robots": 45}, " --data d")
    assert said.startswith("The time is up: 3s. A server is still away, so this is what this run")
    assert "\n  1,234 pages, with 56,789 quads; 2 min, 9.5 pages a second\n" in said
    assert said.endswith("go on with `gossamer crawl --data d` when it is back.")


def test_links_that_were_not_followed_are_told_from_pages_that_were_refused() -> None:
    links = {"out of scope": 30, "nofollow": 11}
    said = farewell(
        DONE, SUMMARY, [], {"robots": 4}, folder=Path("d"), is_usual=True, not_followed=links
    )
    assert "  4 refused, 3 failed (in this run: 4 robots)\n" in said
    assert "  41 links not followed: 30 out of scope, 11 nofollow\n" in said
    fine = replace(SUMMARY, failed=0, refused=41, problems=0)
    said = farewell(DONE, fine, [], {}, folder=Path("d"), is_usual=True, not_followed=links)
    assert "refused" not in said
    assert "gossamer problems" not in said


def test_a_crawl_that_can_go_on_says_how_from_where_one_is() -> None:
    stopped = Ending(EndKind.STOPPED, "It was stopped.")
    said = farewell(stopped, SUMMARY, [], {}, folder=Path("my crawl"), is_usual=False)
    assert "gossamer crawl --data 'my crawl' " in said
    assert "gossamer query --example types --data 'my crawl' " in said


def test_on_a_narrow_terminal_what_a_step_does_is_told_below_it() -> None:
    said = farewell(DONE, SUMMARY, [], {}, folder=Path("d"), is_usual=True, width=60)
    steps = said[said.index("Next:") :].splitlines()
    assert steps[1:3] == ["  gossamer search WORDS", "      find entities by name and text"]
    assert max(map(len, steps)) <= 60


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        (EndKind.PAGES, "--max-pages none"),
        (EndKind.PER_HOST, "--config crawl.pages_per_host=none"),
        (EndKind.PER_SITE, "--config crawl.pages_per_site=none"),
    ],
)
def test_a_crawl_that_goes_on_only_without_its_limit_says_so(kind: EndKind, option: str) -> None:
    said = farewell(Ending(kind, "x."), SUMMARY, [], {}, folder=Path("d"), is_usual=True)
    assert f"  gossamer crawl {option}  " in said
    assert "go on without that limit" in said
    assert "go on from here" not in said


def test_parked_hosts_are_listed_up_to_a_number() -> None:
    ending = Ending(EndKind.PARKED, "All that is left waits.")
    hosts = [parked(f"h{number:02}.test") for number in range(12)]
    said = farewell(ending, SUMMARY, hosts, {}, folder=Path("d"), is_usual=True)
    assert "  h00.test  7 left  until 2026-01-02 03:04 UTC  Retry-After" in said
    assert "h10.test" not in said
    assert "and 2 more: gossamer hosts --stage parked" in said
    few = farewell(
        ending, SUMMARY, hosts[:10], {}, folder=Path("d"), is_usual=True, all_parked=5_000
    )
    assert "5,000 hosts parked" in few
    assert "and 4,990 more: gossamer hosts --stage parked" in few


def test_where_nothing_was_found_nothing_is_offered_to_be_asked() -> None:
    said = farewell(DONE, NOTHING, [], {}, folder=Path("d"), is_usual=True)
    assert "query" not in said
    assert "problems" not in said
    assert "0 pages of 0 hosts" in said


def test_where_no_page_was_had_the_reason_is_given() -> None:
    page = TroubledPage(
        url=Url("http://127.0.0.1/"),
        kind=Trouble.REFUSED,
        status=None,
        why="address: 127.0.0.1 is loopback.",
        attempts=0,
        problems=0,
        settled_at=None,
        place="1",
    )
    refused = replace(NOTHING, refused=1)
    said = farewell(DONE, refused, [], {}, folder=Path("d"), is_usual=True, troubled=[page])
    assert "\n\n  http://127.0.0.1/ (refused): 127.0.0.1 is loopback.\n\n" in said
    assert "gossamer problems  pages" in said


def test_where_there_are_no_words_no_search_is_offered() -> None:
    said = farewell(DONE, SUMMARY, [], {}, folder=Path("d"), is_usual=True, has_words=False)
    assert "gossamer search" not in said
    assert "gossamer query --example types  types of" in said
