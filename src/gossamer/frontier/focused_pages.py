"""Hands out the next pages of a host where something is wanted first: those of the best arm that has any.

Now and then, and ever more seldom, one page is of the arm that was tried least. What is urgent whatever its arm
(seeds, rules of more than 1000 points) comes first; what failed before, and what has no arm, comes last.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gossamer.focus.arms import is_exploring, least_tried
from gossamer.frontier.focusing import HostArms, fresh_arms, memory_of
from gossamer.frontier.rows import PAGE_COLUMNS, PageRow, page_row
from gossamer.politeness.priority import MOST

if TYPE_CHECKING:
    from gossamer.frontier.work import Work

ARMS_TRIED: Final = 8  # are looked at together for a page that waits


def next_pages(
    work: "Work", wanted: Sequence[tuple[int, int]], which: str = "TRUE"
) -> list[PageRow]:
    """Of each host so many waiting pages, from the best arms; their priority is that of their arm."""
    found: list[PageRow] = []
    for host_id, count in wanted:
        memory_of(work).host(host_id).picks += 1
        found += _next_of_host(work, host_id, count, which)
    return found


def urgencies(work: "Work", host_ids: Sequence[int]) -> list[tuple[int, int]]:
    """How urgent hosts are: the priority of the next page of each that has one."""
    pages = (_next_of_host(work, host_id, 1, "TRUE") for host_id in host_ids)
    return [(some[0].host_id, some[0].priority) for some in pages if some]


def _next_of_host(work: "Work", host_id: int, count: int, which: str) -> list[PageRow]:
    plain = [*map(page_row, work.txn.next_pages(PAGE_COLUMNS, [(host_id, count)], which))]
    urgent = [page for page in plain if page.priority >= MOST and not page.attempts]
    if not plain or len(urgent) >= count:
        return plain
    at_hand = fresh_arms(work, host_id)
    memory = memory_of(work)
    taken = {page.id for page in urgent}
    fresh: list[PageRow] = []
    tried: list[PageRow] = []  # that failed before: after all others
    exploring = count > 1 and is_exploring(at_hand.picks)
    order = least_tried(at_hand.worth) if exploring else at_hand.order
    is_whole = which == "TRUE"
    waiting = [arm for arm in order if arm not in at_hand.empty or not is_whole]
    for start in range(0, len(waiting), ARMS_TRIED):
        some = waiting[start : start + ARMS_TRIED]
        rows = work.txn.next_of_arms(
            PAGE_COLUMNS + ", arm", [(host_id, arm, count) for arm in some], which
        )
        by_arm: defaultdict[int, list[PageRow]] = defaultdict(list)
        for *row, arm in rows:
            by_arm[arm].append(page_row(tuple(row)))
        for arm in some:
            if not by_arm[arm] and is_whole:
                at_hand.empty.add(arm)
            rank = memory.points(at_hand.worth[arm])
            for page in by_arm[arm]:
                if page.id not in taken:
                    taken.add(page.id)
                    lot = tried if page.attempts else fresh
                    lot.append(page._replace(priority=rank))
        if len(urgent) + len(fresh) >= count:
            break
    if exploring and len(fresh) > 1:
        # One page is for exploring, however many are handed out.
        best = _best_of(work, host_id, at_hand, count - 1, which, {fresh[0].id})
        fresh = [fresh[0], *best]
    rest = [page for page in plain if page.id not in taken]
    left = sorted((*tried, *rest), key=lambda page: page.attempts)
    return [*urgent, *fresh, *left][:count]


def _best_of(
    work: "Work", host_id: int, at_hand: HostArms, count: int, which: str, taken: set[int]
) -> list[PageRow]:
    """The first pages of the best arms that have any."""
    found: list[PageRow] = []
    memory = memory_of(work)
    waiting = [arm for arm in at_hand.order if arm not in at_hand.empty]
    for start in range(0, len(waiting), ARMS_TRIED):
        some = waiting[start : start + ARMS_TRIED]
        rows = work.txn.next_of_arms(
            PAGE_COLUMNS + ", arm", [(host_id, arm, count + 1) for arm in some], which
        )
        ranks = {arm: place for place, arm in enumerate(some)}
        for *row, arm in sorted(rows, key=lambda row: ranks[row[-1]]):
            page = page_row(tuple(row))
            if page.id not in taken and not page.attempts:
                taken.add(page.id)
                found.append(page._replace(priority=memory.points(at_hand.worth[arm])))
        if len(found) >= count:
            break
    return found[:count]
