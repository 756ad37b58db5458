"""What sitemaps and feeds say of when pages have changed: it costs no request, and counts as far as it proved true.

An entry with a date after our last look *announces* a change; one with an earlier date says that there was none. Neither is
believed at first. Each look at a page that was listed tells whether the host was right: how many of its
announcements were true brings announced pages forward, how many of the changes had been announced puts the others off.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from gossamer.freshness.sums import LookSums
from gossamer.frontier.look_groups import LookGroups
from gossamer.frontier.looks import DAY, LookMemory, PageLook, SiteClaim
from gossamer.frontier.rows import SECOND, microseconds
from gossamer.frontier.schema import SETTLED
from gossamer.frontier.work import Work
from gossamer.model import Url
from gossamer.moments import to_microseconds
from gossamer.urls import host_of

AT_ONCE: Final = 1_000  # entries, in one transaction


class Announcement(NamedTuple):
    """A page that a sitemap or feed lists, and when it changed last, as that says."""

    url: Url
    changed_at: datetime


def announce(work: Work, entries: Sequence[Announcement]) -> int:
    """Move the next looks at pages by what is said of them; how many were brought forward."""
    looks = work.memory.looks
    if looks is None:
        return 0
    hosts = work.known_hosts(sorted({host_of(each.url) for each in entries}))
    changes: list[tuple[int, int, bytes]] = []
    sooner = 0
    for host, host_id in sorted(hosts.items()):
        said = {
            work.memory.keys.of(each.url): each for each in entries if host_of(each.url) == host
        }
        rows = work.txn.any_of(
            f"""SELECT id, key, look_at, looked FROM pages WHERE host_id = {host_id} AND key {{any}}
                AND state = {SETTLED} AND look_at IS NOT NULL ORDER BY id {{lock}}""",
            "key",
            sorted(said),
        )
        if not rows:
            continue
        sums = LookGroups(work, [host_id]).of_host(host_id)
        for page, key, look_at, looked in rows:
            before = PageLook.unpack(looked)
            changed_at = to_microseconds(said[key].changed_at)
            at, look = after_claim(looks, sums, before, look_at, changed_at, work.now)
            if (at, look) != (look_at, before):
                changes.append((page, at, look.pack()))
                sooner += at < look_at
    work.txn.update(
        "pages",
        ("id", "look_at", "looked"),
        sorted(changes),
        "look_at = :look_at, looked = :looked",
        "pages.id = :id",
    )
    return sooner


def after_claim(
    looks: LookMemory, sums: LookSums, look: PageLook, look_at: int, changed_at: int, now: int
) -> tuple[int, PageLook]:
    """When a page is looked at next, now that it is said to have changed then, and what is kept of it."""
    if not look.seen or look.misses:
        return look_at, look
    seen = look.seen * SECOND
    if seen < changed_at <= now:
        if look.claim == SiteClaim.CHANGED:  # as was said before
            return look_at, look
        soonest = max(now, seen + microseconds(looks.rules.shortest))
        left = round(max(look_at - soonest, 0) * (1 - sums.precision) ** 2)
        return min(look_at, soonest + left), look._replace(claim=SiteClaim.CHANGED)
    if changed_at > now:  # nobody knows that yet
        return look_at, look
    planned = seen + round(DAY * look.days + sums.recall * (now - seen))
    most = seen + microseconds(looks.rules.longest)
    at = max(look_at, min(planned, most)) if sums.recall > 0 else look_at
    return at, look._replace(claim=SiteClaim.QUIET)
