"""A web that changes on a known schedule: `changes` says what is true, to the last statement, whoever is killed."""

import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from tests.crawl.commands import CLEAN, CrawlCommand, crawl, until

from gossamer.demo.outcomes import Failed, Redirected, Visited
from gossamer.demo.process import DemoServer
from gossamer.demo.rendering import rendered
from gossamer.demo.truth import truth
from gossamer.demo.world import World
from gossamer.model import Url

ORDER = (
    *("--scope", "any", "--delay", "0", "--workers", "1", "--agent-contact", "me@a.test"),
    *("--config", "sitemaps.use=false", "--config", "politeness.slowness=0"),
)
LINE = re.compile(r"\S+ <(\S+)> (?:(_:\S+)|<(\S+)>|\"((?:[^\"\\]|\\.)*)\"\S*)")
Said = Counter[tuple[str, str]]  # property and value


@dataclass(frozen=True)
class Day:
    """What each page says on a day, and which have content at all."""

    said: Mapping[Url, Said] = field(default_factory=dict)
    held: frozenset[Url] = frozenset()


def on_day(world: World, before: Day) -> Day:
    """A day by the world's own knowledge, if all that was known the day before is asked for."""
    known = before.said.keys() | before.held
    found = truth(world, [world.front(0), *known], scope="any")
    pages, held = dict(before.said), set(before.held)
    for url, outcome in found.outcomes.items():
        match outcome:
            case Visited():
                held.add(url)
                says = None if outcome.noindex else outcome.holds
                lines = frozenset[str]() if says is None else rendered(world, says).statements
                pages[url] = statements(lines)
            case Redirected() | Failed(cause="status-404"):
                held.discard(url)
                pages[url] = Counter()
    return Day({url: said for url, said in pages.items() if said or url in known}, frozenset(held))


def statements(lines: frozenset[str]) -> Said:
    found: Said = Counter()
    for line in lines:
        match = LINE.fullmatch(line.removesuffix(" ."))
        assert match is not None, line
        if match[2] is None:  # nodes without a name have none to compare
            found[match[1], match[3] or json.loads(f'"{match[4]}"')] += 1
    return found


def told(data: Path) -> dict[str, tuple[Said, Said, set[str]]]:
    """Of each page what came, what went, and what became of its entities, as `changes` says."""
    command = [sys.executable, "-m", "gossamer", "changes", "--json", "--data", str(data)]
    done = subprocess.run(command, env=CLEAN, capture_output=True, text=True, check=True)
    pages: dict[str, tuple[Said, Said, set[str]]] = {}
    for change in json.loads(done.stdout):
        came, went, kinds = pages.setdefault(change["page"], (Counter(), Counter(), set()))
        for name, sums in (("added", came), ("removed", went)):
            sums.update(
                (each["property"], each["value"])
                for each in change[name]
                if each["type"] != "blank"
            )
        kinds.add(change["kind"])
    return pages


def check(data: Path, days: Sequence[Day]) -> None:
    """Compare what is told with all days, the first of which is the beginning."""
    found = told(data)
    for url in {url for day in days for url in day.said}:
        came, went, kinds = found.pop(url, (Counter(), Counter(), set()))
        states = [day.said.get(url, Counter()) for day in days]
        true_came: Said = Counter()
        true_went: Said = Counter()
        for before, after in pairwise(states):
            true_came += after - before
            true_went += before - after
        assert came - went == true_came - true_went, url
        assert went - came == true_went - true_came, url
        assert bool(kinds) == bool(true_came or true_went), url
        if not states[0] and len(days) == 2:
            assert kinds <= {"new"}, url
        if not states[-1] and len(days) == 2:
            assert kinds <= {"gone"}, url
    assert not found


@pytest.mark.timeout(900)
def test_changes_are_what_the_schedule_says(tmp_path: Path, full_size: bool) -> None:
    world = World(seed=5, pages=400 if full_size else 60, hosts=4, crawl_delay=0, day=0)
    data, order = tmp_path / "data", (world.front(0), *ORDER)
    with DemoServer(world) as server:
        first = crawl(data, *order, "--connect-to", server.connect_to)
    days = [on_day(world, Day())]
    assert first["changes"]["new"] == first["pages"]
    assert told(data) == {}
    for day in (1, 3, 4) if full_size else (1, 3):
        later = replace(world, day=day)
        with DemoServer(later) as server:
            again = crawl(data, "--again", "--connect-to", server.connect_to)
        days.append(on_day(later, days[-1]))
        check_counts(again["changes"], days[-2], days[-1])
    check(data, days)


def check_counts(counts: Mapping[str, int], before: Day, after: Day) -> None:
    assert counts["new"] == len(after.held - before.held)
    assert counts["gone"] == len(before.held - after.held)
    stayed = after.held & before.held
    none: Said = Counter()
    changed = {url for url in stayed if before.said.get(url, none) != after.said.get(url, none)}
    assert counts["changed"] == len(changed)
    assert counts["unchanged"] == len(stayed - changed)


def count(server: DemoServer) -> int:
    return sum(1 for _ in server.accesses())


def has_gone_on(command: CrawlCommand, server: DemoServer, enough: int) -> bool:
    return count(server) >= enough or command.process.poll() is not None


@pytest.mark.timeout(900)
def test_changes_are_told_once_whoever_is_killed(tmp_path: Path, full_size: bool) -> None:
    chance = random.Random(7)
    world = World(seed=6, pages=400 if full_size else 60, hosts=4, crawl_delay=0, day=0)
    data = tmp_path / "data"
    with DemoServer(world) as server:
        crawl(data, world.front(0), *ORDER, "--connect-to", server.connect_to)
    later = replace(world, day=3)
    log = tmp_path / "access.log"
    with DemoServer(later, log) as server:
        to = ("--connect-to", server.connect_to)
        for kill in range(30 if full_size else 4):
            with CrawlCommand(data, *(("--again",) if kill == 0 else ()), *to) as command:
                enough = count(server) + chance.choice([3, 8, 15])
                until(partial(has_gone_on, command, server, enough))
                time.sleep(chance.uniform(0, 0.4))  # the moment is the input here
                command.kill()
        crawl(data, *to)
    first = on_day(world, Day())
    check(data, [first, on_day(later, first)])
