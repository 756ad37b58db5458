import asyncio
import fcntl
import io
import itertools
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tests.slowness import patience
from tests.virtual_time import in_virtual_time

from gossamer.cli.crawl_display import (
    Live,
    View,
    count_pause,
    screen_lines,
    status_line,
    until_the_end,
)
from gossamer.cli.styling import Style, unstyled_text
from gossamer.cli.terminal import Screen
from gossamer.config import Config, Crawl
from gossamer.crawl.progress import LastPage
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.errors import StorageAwayError
from gossamer.frontier.protocol import Counts, Ended, HostStage, SlowHost
from gossamer.owner.crawl_answers import CrawlAnswers
from gossamer.service.history import load_history

from .terminal import seen as seen_on_terminal

NOW = datetime(2026, 1, 2, tzinfo=UTC)
RUN = {
    "seconds": 83.4,
    "ended": {Ended.CONTENT: 1234, Ended.FAILED: 3, Ended.REFUSED: 45},
    "causes": {"robots": 45, "timeout": 2, "status-500": 1},
    "quads": 56789,
    "problems": 17,
    "bytes": 7_654_321,
    "pages_per_second": 10.0,
    "quads_per_second": 1900.4,
    "phases": {"read": 0.0091, "fetch": 0.12, "settle": 1.5},
    "visits": 8,
    "reading": 2,
    "keeping": 10,
    "state": "running",
}
COUNTS = Counts(
    known=5000,
    pending=1190,
    handed=10,
    ended={Ended.CONTENT: 2000},
    hosts={HostStage.LEASED: 8, HostStage.WAITING: 20, HostStage.PARKED: 1, HostStage.IDLE: 7},
    next_at=NOW,
)
VIEW = View(run=RUN, counts=COUNTS, limits=Crawl(), delay=timedelta(seconds=1), now=NOW)


def seen(**changes: Any) -> dict[str, str]:
    lines = map(unstyled_text, screen_lines(replace(VIEW, **changes)))
    return {text[:9].strip(): text[11:] for text in lines}


def test_the_lines_tell_how_it_goes() -> None:
    assert [*map(unstyled_text, screen_lines(VIEW))] == [
        " crawling  0:01:23   (Ctrl-C stops in good order; nothing is lost)",
        f"           {'━' * 14}{'─' * 8}  62 %  about 2 min for what is known so far",
        "    pages  1,234        10.0/s   45 refused, 3 failed",
        "    quads  56,789      1,900/s   17 problems, 7.7 MB received",
        "    hosts  8 asked now, 20 waiting, 1 parked",
        "    queue  1,200 to fetch, 12 being read and kept",
        "   causes  45 robots, 2 timeout, 1 status-500",
        "   a page  fetch 120 ms, read 9.1 ms, settle 1.5 s",
    ]


def test_hosts_that_hold_it_up_and_the_last_pages_are_named() -> None:
    slow = SlowHost("www.slow.test", 1100, timedelta(hours=5), "10 s (Crawl-delay)")
    long = f"https://www.shop.test/{'catalogue/' * 9}lamp"
    last = [
        LastPage(long, Ended.CONTENT, 12, None),
        LastPage("https://a.test/x", Ended.FAILED, 0, "status-500: the server failed"),
    ]
    lines = screen_lines(replace(VIEW, slowest=[slow], last=last), 60)
    assert [*map(unstyled_text, lines[-3:])] == [
        "  slowest  www.slow.test  1,100 left, 5 h: 10 s (Crawl-delay)",
        "     last  https://www.shop.te…gue/catalogue/lamp  12 quads",
        "           https://a.test/x  failed: status-500",
    ]
    assert [line[-1].style for line in lines[-2:]] == [Style.GOOD, Style.BAD]


def test_the_bar_ends_with_the_limit_of_pages_where_that_is_nearer() -> None:
    assert VIEW.share_done == 2000 / 3200
    assert replace(VIEW, limits=Crawl(max_pages=2500)).share_done == 0.8
    assert replace(VIEW, counts=Counts()).share_done == 0


def test_for_a_file_it_is_one_line() -> None:
    assert status_line(VIEW) == (
        "0:01:23  1,234 pages (10.0/s); 56,789 quads (1,900/s); "
        "45 refused, 3 failed (45 robots, 2 timeout, 1 status-500); 17 problems, 7.7 MB received; "
        "hosts: 8 asked now, 20 waiting, 1 parked; 1,200 to fetch, 12 being read and kept; "
        "about 2 min for what is known so far; a page: fetch 120 ms, read 9.1 ms, settle 1.5 s"
    )
    begun = {**RUN, "ended": {}, "causes": {}, "phases": {}, "problems": 0, "state": "paused"}
    bare = {**begun, "reading": 0, "keeping": 0, "pages_per_second": 0.0}
    assert status_line(replace(VIEW, run=bare, counts=Counts())) == (
        "0:01:23  paused; 0 pages (0.0/s); 56,789 quads (1,900/s); 7.7 MB received; "
        "hosts: none; 0 to fetch"
    )


def test_what_there_is_nothing_of_is_not_told() -> None:
    told = seen(run={**RUN, "causes": {}, "phases": {}, "reading": 0, "keeping": 0})
    assert "causes" not in told
    assert "a page" not in told
    assert told["queue"] == "1,200 to fetch"


def test_few_hosts_take_longer_than_the_rate_of_late_says() -> None:
    few = replace(COUNTS, hosts={HostStage.LEASED: 2})
    assert until_the_end(replace(VIEW, counts=few)) == "about 10 min for what is known so far"
    hurried = replace(VIEW, counts=few, delay=timedelta(0))
    assert until_the_end(hurried) == "about 2 min for what is known so far"


def test_limits_may_come_before_the_end() -> None:
    pages = replace(VIEW, limits=Crawl(max_pages=2100))
    assert until_the_end(pages) == "about 10.0 s until the limit of pages"
    time = replace(VIEW, limits=Crawl(max_time=timedelta(seconds=90)))
    assert until_the_end(time) == "6.6 s until the time is up"


def test_the_end_is_no_sooner_than_the_delay_of_one_host_allows() -> None:
    slow = replace(VIEW, longest=timedelta(hours=5))
    assert until_the_end(slow) == "about 5 h for what is known so far, by the delay of one host"
    unknown = replace(slow, run={**RUN, "pages_per_second": 0.0})
    assert until_the_end(unknown) == until_the_end(slow)
    few = replace(slow, limits=Crawl(max_pages=2100))
    assert until_the_end(few) == "about 10.0 s until the limit of pages"
    assert until_the_end(replace(VIEW, longest=timedelta(seconds=5))) == until_the_end(VIEW)


def test_counts_that_are_old_say_so() -> None:
    told = seen(counted_ago=timedelta(minutes=3))["queue"]
    assert told == "1,200 to fetch (counted 3 min ago), 12 being read and kept"


def test_after_an_outage_lines_are_fresh_again() -> None:
    """A server is away for ten minutes: lines are said meanwhile, with their age, and true afterwards."""
    said: list[str] = []

    async def work() -> None:
        clock, pages = asyncio.get_running_loop().time, itertools.count(100)

        async def do(call: Callable[[], object]) -> object:
            if 20 < clock() < 600:  # while the server is away
                await asyncio.sleep(3)
                raise StorageAwayError("The server is away.")
            return call()

        frontier = SimpleNamespace(
            counts=lambda: Counts(pending=next(pages)), slowest_hosts=lambda: ()
        )
        asked = SimpleNamespace(
            folder=SimpleNamespace(frontier_thread=SimpleNamespace(do=do), frontier=frontier),
            running=SimpleNamespace(config=Config(), next_look=None),
            run=SimpleNamespace(record=lambda: RUN, last=()),
        )
        live = Live(cast(CrawlAnswers, asked), Screen(io.StringIO()), said.append, clock)
        with suppress(TimeoutError):
            async with asyncio.timeout(700):
                await live.run()

    in_virtual_time(work())
    assert len(said) == 70
    assert "ago)" not in said[1]
    assert "(counted 5 min ago)" in said[32]
    assert "ago)" not in said[62]
    assert said[62].partition(" to fetch")[0] != said[58].partition(" to fetch")[0]


def test_a_count_that_took_long_is_not_made_again_for_a_while_but_for_minutes_at_most() -> None:
    assert [count_pause(took) for took in (0.0, 0.1, 1.0, 600.0)] == [1.0, 2.0, 20.0, 120.0]


def test_where_all_hosts_rest_the_wait_is_told() -> None:
    resting = Counts(pending=3, hosts={HostStage.WAITING: 2}, next_at=NOW + timedelta(seconds=30))
    assert until_the_end(replace(VIEW, counts=resting)) == (
        "all hosts rest, the first for 30.0 s more"
    )


def test_before_there_is_a_rate_nothing_is_guessed() -> None:
    still = replace(VIEW, run={**RUN, "pages_per_second": 0.0})
    assert until_the_end(still) == ""


def watched(
    *arguments: str,
    interrupt_at: Sequence[bytes] = (),
    columns: int = 90,
    output: int | None = None,
) -> str:
    """All that a terminal gets while a crawl runs on it; Ctrl-C as soon as it shows each of these.

    Results go there too, unless there is another `output`.
    """
    head, tail = pty.openpty()
    fcntl.ioctl(tail, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
    for name in ("COLUMNS", "LINES"):
        clean.pop(name, None)
    said = b""
    with subprocess.Popen(
        [sys.executable, "-m", "gossamer", "crawl", *arguments],
        stdout=tail if output is None else output,
        stderr=tail,
        env={**clean, "TERM": "xterm"},
    ) as process:
        os.close(tail)
        try:
            while part := os.read(head, 65536):
                said += part
                if interrupt_at and interrupt_at[0] in said:
                    process.send_signal(signal.SIGINT)
                    interrupt_at = interrupt_at[1:]
        except OSError:  # how Linux says that the other end is closed
            pass
        process.wait(timeout=patience(60))
    os.close(head)
    return re.sub(r"\x1b\[\d*m", "", said.decode().replace("\r\n", "\n"))


def test_on_a_terminal_a_crawl_is_seen_at_work_and_ends_with_its_summary(tmp_path: Path) -> None:
    with DemoServer(World(pages=60, hosts=6)) as server:
        said = watched(
            *("http://www.site0.test/", "--data", str(tmp_path / "d"), "--delay", "0"),
            *("--connect-to", server.connect_to, "--workers", "1", "--agent-contact", "me@a.test"),
        )
    assert said.count("being read and kept") or said.count("to fetch")
    assert "    pages  " in said
    assert load_history(tmp_path / "d" / "history.json").record()["at"]  # for the charts
    shown = seen_on_terminal(said)
    assert shown[0] == "Nothing is left to fetch."
    assert any("gossamer query --example types" in line for line in shown)
    assert not any("Ctrl-C" in line for line in shown)


def test_lines_fit_the_terminal_they_are_drawn_on_wherever_results_go(tmp_path: Path) -> None:
    with (
        DemoServer(World(pages=60, hosts=6)) as server,
        (tmp_path / "results").open("wb") as results,
    ):
        said = watched(
            *("http://www.site0.test/", "--data", str(tmp_path / "d"), "--delay", "0", "--json"),
            *("--connect-to", server.connect_to, "--workers", "1", "--agent-contact", "me@a.test"),
            columns=50,
            output=results.fileno(),
        )
    drawn = re.split(r"\x1b\[\d*[AJ]|[\r\n]", said.partition("Nothing is left")[0])
    assert any(line.startswith("    queue  ") for line in drawn)
    assert max(map(len, drawn)) < 50
    assert "ended" in (tmp_path / "results").read_text()


def test_ctrl_c_ends_it_in_good_order_and_says_how_to_go_on(tmp_path: Path) -> None:
    with DemoServer(World(pages=60_000, hosts=6)) as server:
        said = watched(
            *("http://www.site0.test/", "--data", str(tmp_path / "d"), "--delay", "0.2"),
            *("--connect-to", server.connect_to, "--workers", "1", "--agent-contact", "me@a.test"),
            interrupt_at=[b"asked now"],
        )
    shown = seen_on_terminal(said)
    assert shown[0].startswith("Stopping: ")
    assert f"  gossamer crawl --data {tmp_path / 'd'}" in "\n".join(shown)
    assert not any("Traceback" in line for line in shown)


def test_a_second_ctrl_c_leaves_a_clean_terminal(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # so what is in flight stays so
        said = watched(
            *("http://a.test/", "--data", str(tmp_path / "d"), "--agent-contact", "me@a.test"),
            *("--connect-to", f"a.test=127.0.0.1:{silent.getsockname()[1]}", "--workers", "1"),
            interrupt_at=[b"asked now", b"Stopping: "],
        )
    shown = seen_on_terminal(said)
    assert shown[-2].startswith("Stopped at once.")
    assert shown[-1] == ""  # where the shell's prompt goes
    assert not any("asked now" in line for line in shown)


def test_a_crawl_that_has_nothing_new_says_when_it_looks_again() -> None:
    waiting = replace(VIEW, counts=replace(COUNTS, pending=0, handed=0, waiting=0))
    assert until_the_end(waiting) == ""
    waiting = replace(waiting, next_look=NOW + timedelta(hours=3))
    assert until_the_end(waiting) == "nothing new is left; next look in 3 h"
    assert "next look" not in until_the_end(replace(VIEW, next_look=NOW + timedelta(hours=3)))
