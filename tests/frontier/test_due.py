"""Pages that are kept fresh come back in time, as many as the budget has, and no page twice."""

import struct
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from gossamer.config import Politeness
from gossamer.freshness.sums import LookSums
from gossamer.frontier import due, look_groups
from gossamer.frontier.announcements import Announcement, after_claim
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.looks import NO_BIN, LookMemory, LookReason, LookRules, PageLook, SiteClaim
from gossamer.frontier.protocol import Ended, Limits
from gossamer.frontier.rows import SECOND
from gossamer.frontier.store import Transaction
from gossamer.model import Url

from .steps import HURRIED, crawl, ended, handed, seeds, settle, tables, url, urls_of
from .worlds import World

DAILY = LookRules(per_day=None, shortest=timedelta(minutes=1))
DAY = 86_400.0
FIVE = [url(str(number), f"{number}.test") for number in range(5)]


def fresh(world: World, node: str = "one", rules: LookRules = DAILY) -> SqlFrontier:
    """A node that keeps pages fresh, of hosts that need no rest."""
    frontier = world.frontier(node, HURRIED)
    frontier.keep_fresh(rules)
    return frontier


def filled(world: World, rules: LookRules = DAILY) -> SqlFrontier:
    """Five pages, each visited once."""
    frontier = fresh(world, rules=rules)
    frontier.add(seeds(*FIVE))
    crawl(frontier, {})
    frontier.plan_looks()
    return frontier


def test_a_page_waits_for_its_next_look_and_comes_back(world: World) -> None:
    frontier = filled(world)
    assert frontier.take_due().pages == 0
    assert handed(frontier) == []
    outlook = frontier.look_outlook()
    assert (outlook.pages, outlook.due) == (5, 0)
    assert outlook.next_at is not None
    assert outlook.next_at > world.clock.now
    world.later(2 * DAY)
    assert frontier.look_outlook().due == 5
    taken = 0
    for _ in range(20):  # no more at once than the budget of a few minutes
        taken += frontier.take_due().pages
        world.later(DAY / 5)
    assert taken == 5
    assert sorted(urls_of(handed(frontier))) == sorted(FIVE)


def test_no_more_are_taken_than_the_budget_has(world: World) -> None:
    frontier = filled(world, LookRules(per_day=48.0, shortest=timedelta(seconds=1)))
    world.later(10 * DAY)
    taken = []
    for _ in range(4):
        one = frontier.take_due()
        taken.append(one.pages)
        assert one.next_at is None or one.next_at > world.clock.now
        world.later(1800)
    assert taken == [1, 1, 1, 1]


def visit_all(frontier: SqlFrontier, world: World) -> None:
    """Fetch what there is within the limits, a second for each round."""
    for _ in range(20):
        crawl(frontier, {})
        world.later(2)


def test_pages_are_taken_before_they_are_due_if_the_budget_has_room(world: World) -> None:
    frontier = filled(world, LookRules(per_day=100_000.0, shortest=timedelta(hours=1)))
    world.later(1000)
    assert frontier.take_due().pages == 0  # but not before the least time has passed
    world.later(3000)
    assert frontier.take_due().pages == 5


def test_two_nodes_take_each_page_once_and_share_the_budget(world: World) -> None:
    one = filled(world)
    two = fresh(world, "two") if one.is_shared else one
    two.plan_looks()
    world.later(3 * DAY)
    visited = []
    for _ in range(10):
        for node in (one, two):
            node.take_due()
            pages = handed(node)
            visited += urls_of(pages)
            settle(node, *(ended(page, changed=False) for page in pages))
        for node in (one, two):
            node.take_over()
        world.later(DAY / 10)
    assert len(visited) == len(set(visited)) == 5


def test_what_a_killed_node_had_taken_comes_back(world: World) -> None:
    frontier = filled(world)
    world.later(2 * DAY)
    frontier.take_due()
    (page,) = handed(frontier)
    again = fresh(world, "two") if frontier.is_shared else frontier
    again.take_over("one")
    assert urls_of(handed(again)) == [page.url]


def test_pages_of_a_parked_host_are_put_off_and_cost_nothing(world: World) -> None:
    frontier = filled(world)
    world.later(2 * DAY)
    for page in FIVE:
        frontier.park(f"{page[-1]}.test", world.clock.now + timedelta(days=1), "it is away")
    assert frontier.take_due()[:2] == (0, 5)
    world.later(DAY + 120)
    assert frontier.take_due()[:2] == (1, 0)


def test_gone_pages_are_looked_at_ever_more_rarely_and_count_no_more(world: World) -> None:
    frontier = filled(world, LookRules(per_day=100_000.0, shortest=timedelta(minutes=1)))
    waits = []
    for _ in range(6):
        world.later(100 * DAY)
        while frontier.take_due().pages:
            world.later(600)
        pages = handed(frontier)
        assert len(pages) == 5
        settle(frontier, *(ended(page, Ended.FAILED, status=404, changed=True) for page in pages))
        frontier.take_over()
        state = frontier.page(FIVE[0])
        assert state is not None
        assert state.look_at is not None
        waits.append((state.look_at - world.clock.now) / timedelta(days=1))
        assert PageLook.unpack(state.looked).bin == NO_BIN
    assert waits == sorted(waits)
    assert waits[0] < 2
    assert waits[-1] > 25
    assert frontier.look_outlook().pages == 0


def test_a_folder_that_was_crawled_before_is_kept_fresh_from_now_on(world: World) -> None:
    before = world.frontier("one", HURRIED)
    before.add(seeds(*FIVE))
    crawl(before, {})
    assert before.look_outlook().next_at is None
    before.keep_fresh(DAILY)
    assert before.look_outlook().pages == 5
    assert before.look_outlook().next_at is not None
    before.keep_fresh(None)
    assert not before.keeps_fresh
    world.later(3 * DAY)
    assert before.take_due().pages == 0
    before.keep_fresh(DAILY)  # and once more
    assert before.look_outlook().pages == 5
    assert before.take_due().pages == 1


def test_a_limit_on_pages_holds_for_new_ones_alone(world: World) -> None:
    frontier = fresh(world)
    frontier.set_limits(Limits(pages=5))
    frontier.add(seeds(*FIVE, url("more", "more.test")))
    visit_all(frontier, world)
    frontier.plan_looks()
    assert frontier.counts().with_content == 5
    world.later(2 * DAY)
    assert frontier.take_due().pages == 1
    assert len(handed(frontier)) == 1
    assert frontier.counts().pending == 1  # the new one


def test_what_is_forgotten_is_in_no_census(world: World) -> None:
    frontier = filled(world)
    for page in FIVE[:3]:
        frontier.forget(url=page)
    assert frontier.look_outlook().pages == 2
    for page in FIVE[3:]:
        frontier.forget(host=page.split("/")[2])
    assert frontier.look_outlook() == (0, None, 0, 0)
    sums = [name for name, _ in tables(world)["tallies"]]
    assert not any(name.startswith("looks") for name in sums)
    assert frontier.look_sums().pages == 0
    assert frontier.look_sums().asked == pytest.approx(0)


def look_at_all(
    frontier: SqlFrontier, world: World, busy: Collection[str], days: int
) -> Counter[str]:
    """So many days of looks, of which those at busy pages find a change; how many each page had."""
    had: Counter[str] = Counter()
    for _ in range(2 * days):
        world.later(DAY / 2)
        frontier.plan_looks()
        while frontier.take_due().pages:
            pages = handed(frontier)
            had.update(page.url for page in pages)
            settle(frontier, *(ended(page, changed=page.url in busy) for page in pages))
            frontier.take_over()
    return had


def test_pages_that_change_are_looked_at_more_often_and_none_is_left_out(world: World) -> None:
    pages = [url(f"{kind}/{number}", "a.test") for kind in ("old", "new") for number in range(6)]
    frontier = fresh(world, rules=LookRules(per_day=2.0, shortest=timedelta(minutes=1)))
    frontier.add(seeds(*pages))
    visit_all(frontier, world)
    busy = {page for page in pages if "/new/" in page and not page.endswith("5")}
    had = look_at_all(frontier, world, busy, 60)
    assert set(had) == set(pages)
    quiet = [had[page] for page in pages if "/old/" in page]
    assert min(had[page] for page in busy) > max(quiet)
    assert 105 <= sum(had.values()) <= 122
    state = frontier.page(pages[0])
    assert state is not None
    look = PageLook.unpack(state.looked)
    assert look.why == LookReason.PLANNED
    assert 0 < look.rate < 0.05
    total = frontier.look_sums()
    assert total.pages == 12
    assert total.expected is not None
    assert total.measured is not None
    assert 0 < total.expected < 1
    assert 0 < total.measured < 1
    assert total.looks > 20


def test_new_pages_are_planned_by_what_their_like_have_shown(world: World) -> None:
    pages = [url(f"{kind}/{number}", "a.test") for kind in ("old", "new") for number in range(10)]
    frontier = fresh(world, rules=LookRules(per_day=6.0, shortest=timedelta(minutes=1)))
    frontier.add(seeds(*pages))
    visit_all(frontier, world)
    look_at_all(frontier, world, {page for page in pages if "/new/" in page}, 24)
    added = [url("old/99", "a.test"), url("new/99", "a.test")]
    frontier.add(seeds(*added))
    visit_all(frontier, world)
    states = [frontier.page(page) for page in added]
    looks = [PageLook.unpack(state.looked) for state in states if state]
    assert [look.why for look in looks] == [LookReason.PLANNED] * 2
    assert looks[1].rate > 3 * looks[0].rate
    assert looks[1].days < looks[0].days


def test_a_host_with_too_little_time_leaves_the_budget_to_others(world: World) -> None:
    slow = Politeness(delay=timedelta(0), delays={"slow.test": timedelta(hours=12)}, slowness=0)
    frontier = world.frontier("one", slow)
    frontier.keep_fresh(LookRules(per_day=24.0, shortest=timedelta(minutes=1)))
    pages = [url(str(number), host) for number in range(6) for host in ("slow.test", "b.test")]
    frontier.add(seeds(*pages))
    for _ in range(10):
        crawl(frontier, {})
        world.later(DAY / 2)
    had = look_at_all(frontier, world, set(pages), 20)
    states = {page: frontier.page(page) for page in pages}
    whys = {
        page: PageLook.unpack(state.looked).why
        for page, state in states.items()
        if state is not None
    }
    assert {whys[page] for page in pages if "slow" in page} <= {
        LookReason.CROWDED,
        LookReason.LONGEST,
    }
    assert {whys[page] for page in pages if "b.test" in page} == {LookReason.PLANNED}
    assert sum(had[page] for page in pages if "slow" in page) < 50


def test_what_an_older_program_kept_of_a_page_is_read() -> None:
    old = struct.pack("<BBhIff", 1, 2, 0, 1_000_000, 1.5, 0.0)
    look = PageLook.unpack(old)
    assert (look.misses, look.bin, look.seen, look.days) == (2, 0, 1_000_000, 1.5)
    assert not look.is_counted
    assert PageLook.unpack(look.pack()) == look
    for other in (None, b"", b"\x09" * 60, old[:-1]):
        assert PageLook.unpack(other) == PageLook()


def test_what_sitemaps_announce_counts_as_far_as_it_proved_true(world: World) -> None:
    pages = [url(str(number), host) for host in ("true.test", "false.test") for number in range(12)]
    frontier = fresh(world, rules=LookRules(per_day=4.0, shortest=timedelta(minutes=1)))
    frontier.add(seeds(*pages))
    visit_all(frontier, world)
    changes: dict[str, bool] = {}
    for _ in range(40):
        world.later(DAY / 2)
        changed_at = world.clock.now - timedelta(hours=1)
        frontier.announce([Announcement(page, changed_at) for page in pages[::2]])
        changes |= {page: "true" in page for page in pages[::2]}
        frontier.plan_looks()
        frontier.take_due()
        found = handed(frontier)
        settle(frontier, *(ended(page, changed=changes.pop(page.url, False)) for page in found))
        frontier.take_over()
    sums = dict(frontier.host_looks())
    assert sums["true.test"].precision > 0.6
    assert sums["false.test"].precision == 0
    world.later(60)
    before = {page: _look_at(frontier, page) for page in pages}
    waiting = [page for page in pages if before[page] is not None]
    for page in waiting:
        state = frontier.page(page)
        assert state is not None
        seen = PageLook.unpack(state.looked).seen
        after = datetime.fromtimestamp(seen, UTC) + timedelta(seconds=30)
        if after < world.clock.now and PageLook.unpack(state.looked).claim != SiteClaim.CHANGED:
            frontier.announce([Announcement(page, after)])
            sooner = _look_at(frontier, page) < before[page]
            is_due = before[page] <= world.clock.now
            assert sooner == ("true" in page and not is_due), page


def _look_at(frontier: SqlFrontier, page: Url) -> datetime:
    state = frontier.page(page)
    assert state is not None
    assert state.look_at is not None
    return state.look_at


def test_a_date_before_our_look_puts_it_off_where_changes_are_announced() -> None:
    looks, sums, hour = LookMemory(LookRules()), LookSums(), 3_600
    look = PageLook(seen=1_000_000, days=1.0)
    at_day, now = (1_000_000 + 24 * hour) * SECOND, (1_000_000 + 12 * hour) * SECOND
    long_ago, ahead = 5 * SECOND, now + SECOND
    at, claimed = after_claim(looks, sums, look, at_day, long_ago, now)
    assert (at, claimed.claim) == (
        at_day,
        SiteClaim.QUIET,
    )  # nobody knows whether that is to be believed
    sums.announced = sums.announced_changes = sums.listed_changes = 98.0
    at, _ = after_claim(looks, sums, look, at_day, long_ago, now)
    assert at_day + 11 * hour * SECOND < at < at_day + 12 * hour * SECOND
    assert after_claim(looks, sums, look, at_day, ahead, now) == (at_day, look)
    soon, claimed = after_claim(looks, sums, look, at_day, now - SECOND, now)
    assert now <= soon < now + 60 * SECOND
    assert after_claim(looks, sums, claimed, at_day, now - SECOND, now) == (at_day, claimed)


def test_a_plan_reads_counts_and_no_pages(world: World) -> None:
    frontier = filled(world)
    asked: list[str] = []

    class Watched:
        def __init__(self, txn: Transaction) -> None:
            self.txn = txn

        def rows(self, sql: str, *values: Any) -> list[Any]:
            asked.append(sql)
            return self.txn.rows(sql, *values)

    def plan(txn: Transaction) -> None:
        watched = cast("Transaction", Watched(txn))
        assert due.census(watched).pages == 5
        assert look_groups.all_looks(watched).pages == 5

    frontier.store.read(plan)
    assert len(asked) == 2
    assert not any("pages" in sql for sql in asked)
