"""What became of pages, and where they lead: many of them in one transaction.

What a stale token claims is refused and changes nothing. What the same token has settled
before is passed over: a node that lost the answer to its commit may ask again.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gossamer.duplicates.likeness import ComparedPage
from gossamer.duplicates.sketch import Sketch
from gossamer.frontier import focusing
from gossamer.frontier.adding import pass_hops, pass_on
from gossamer.frontier.alike import FreshPage, leave_groups
from gossamer.frontier.learned_parameters import HAD, compare
from gossamer.frontier.look_groups import LookGroups, plan_page, weight
from gossamer.frontier.looks import PageLook, VisitedPage
from gossamer.frontier.outlinks import Leading, write_links
from gossamer.frontier.protocol import REDIRECTS, Assignment, Ended, Settled, Settlement
from gossamer.frontier.releasing import keep_clocks
from gossamer.frontier.rows import holds_content
from gossamer.frontier.schema import ASIDE, HANDED, PAGE_STATES, SETTLED, WAITING
from gossamer.frontier.store import Row, Transaction
from gossamer.frontier.work import Work
from gossamer.politeness.clock import HostClock

# What a visit came to, whatever an earlier one brought.
_VISIT: Final = (
    "id",
    "state",
    "attempts",
    "ended",
    "status",
    "why",
    "etag",
    "last_modified",
    "settled_at",
)
_SET_VISIT: Final = ", ".join(f"{name} = :{name}" for name in _VISIT[1:])
_BROUGHT: Final = (
    "digest",
    "media_type",
    "quads",
    "problems",
    "archived",
    "said",
    "shown",
    "sketch",
    "canonical",
)
_SET_OUTCOME: Final = ", ".join(f"{name} = :{name}" for name in (*_VISIT[1:], *_BROUGHT))
_LOOK: Final = ("look_at", "looked")  # beside either, where pages are kept fresh
_SET_LOOK: Final = ", ".join(f"{name} = :{name}" for name in _LOOK)
MOST_OF_WHY: Final = (
    2_000  # characters of a sentence; where a redirect leads is bounded as URLs are
)
_SHELVED: Final = {Ended.RETRY: WAITING, Ended.ASIDE: ASIDE}


class Claimed(NamedTuple):
    """A page about to be settled, as its row is now."""

    id: int
    host_id: int
    depth: int
    hops: int
    seed: bool
    state: int
    claim: int | None
    ended: str | None
    digest: bytes | None
    key: int
    sketch: bytes | None
    duplicates: int | None
    settled_at: int | None = None  # this and the rest only where pages are kept fresh
    looked: bytes | None = None
    priority: int = 0


_CLAIMED: Final = ", ".join(Claimed._fields[:-3])
_CLAIMED_AND_LOOKED: Final = ", ".join(Claimed._fields)


def settle(
    work: Work, settlements: Sequence[Settlement], clocks: Mapping[int, HostClock]
) -> Settled:
    """Write down outcomes and links, and the clocks of hosts that are still held."""
    if not settlements:  # who sends for others has clocks alone, and keeps them often
        keep_clocks(work, clocks)
        return Settled(0)
    # Claims before pages, as those do who hand pages back: so nobody waits in a circle.
    alive = _alive(work, settlements)
    pages = _lock_pages(work, settlements)
    stale: list[Assignment] = []
    claimed: dict[int, tuple[Settlement, Claimed]] = {}
    for settlement in settlements:
        page, token = pages.get(settlement.page.id), settlement.page.token
        if page is None or page.claim != token:
            stale.append(settlement.page)
        elif page.state == HANDED and token in alive:
            claimed.setdefault(page.id, (settlement, page))  # told twice, it is settled once
        elif page.state == HANDED:
            stale.append(settlement.page)
    mine = list(claimed.values())
    _write_outcomes(work, mine, clocks)
    _compare(work, mine)
    new = write_links(work, [_leading(*each) for each in mine if _leads_anew(each[0])])
    if work.memory.focus is not None:
        focusing.learn(work, [settled for settled, _ in mine])
    nearer = {page.id: page.depth for settled, page in mine if _leads_as_before(settled)}
    nearer |= pass_hops(work, {page.id: page.hops for each, page in mine if _is_too_far(each)})
    pass_on(work, nearer)
    keep_clocks(work, clocks)
    return Settled(new, tuple(stale))


def stale_among(txn: Transaction, pages: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """The pages whose claims are over by now: to settle them would be refused."""
    sql = """SELECT pages.id, pages.claim, pages.state, claims.until FROM pages
             LEFT JOIN claims ON claims.token = pages.claim WHERE pages.id {any}"""
    rows = txn.any_of(sql, "id", sorted(page.id for page in pages))
    in_order = {
        (number, token)
        for number, token, state, until in rows
        if state != HANDED or (until is not None and until >= txn.now)
    }
    return tuple(page for page in pages if (page.id, page.token) not in in_order)


def settled_by_others(
    txn: Transaction, claims: Mapping[int, int]
) -> tuple[Mapping[int, str], frozenset[int]]:
    """Of pages that we had claimed, the addresses of those that others have settled since, and those that nobody will."""
    rows = txn.any_of(
        "SELECT id, claim, state, url FROM pages WHERE id {any}", "id", sorted(claims)
    )
    others: dict[int, str] = {}
    over = set(claims.keys() - {row[0] for row in rows})  # nobody knows them any more
    for number, claim, state, url in rows:
        if state == SETTLED and claim == claims[number]:
            over.add(number)  # by us, before we were killed
        elif state == SETTLED:
            others[number] = url
    return others, frozenset(over)


def _lock_pages(work: Work, settlements: Sequence[Settlement]) -> dict[int, Claimed]:
    names = _CLAIMED if work.memory.looks is None else _CLAIMED_AND_LOOKED
    rows = work.txn.any_of(
        f"SELECT {names} FROM pages WHERE id {{any}} ORDER BY id {{lock}}",
        "id",
        sorted(settlement.page.id for settlement in settlements),
    )
    return {row[0]: Claimed(*row) for row in rows}


def _alive(work: Work, settlements: Sequence[Settlement]) -> set[int]:
    rows = work.txn.any_of(
        "SELECT token, until FROM claims WHERE token {any} ORDER BY token {lock}",
        "token",
        sorted({settlement.page.token for settlement in settlements}),
    )
    return {token for token, until in rows if until >= work.now}


def _write_outcomes(
    work: Work, mine: Sequence[tuple[Settlement, Claimed]], clocks: Mapping[int, HostClock]
) -> None:
    keeps_fresh = work.memory.looks is not None
    groups = LookGroups(work, [page.host_id for _, page in mine]) if keeps_fresh else None
    outcomes: list[Row] = []
    visits: list[Row] = []  # of pages that keep their content
    shelved: list[tuple[int, int, int, int | None, str | None]] = []
    plainly: list[Row] = []
    keys = work.memory.keys
    for settled, page in mine:
        state = _SHELVED.get(settled.ended, SETTLED)
        work.tally[PAGE_STATES[HANDED]] -= 1
        work.tally[PAGE_STATES[state]] += 1
        held = holds_content(page.ended, page.digest)
        work.in_hand(page.host_id, 0 if held else -1)
        attempts = settled.page.attempts + (settled.ended in (Ended.RETRY, Ended.FAILED))
        if state == SETTLED:
            if page.ended is not None:
                work.tally[page.ended] -= 1
            else:
                work.uncharge(settled.page.host, settled.page.url)
            work.tally[settled.ended] += 1
            digest = page.digest if settled.keep_content else settled.digest
            work.with_content(page.host_id, holds_content(settled.ended, digest) - held)
            visit = (
                *(page.id, state, attempts, settled.ended, settled.status, _why(settled)),
                *(settled.etag, settled.last_modified, work.now),
                *_next_look(work, groups, settled, page, clocks),
            )
            if settled.keep_content:
                visits.append(visit)
                continue
            brought = (settled.digest, settled.media_type, settled.quads, settled.problems)
            canonical = None if settled.canonical is None else keys.of(settled.canonical)
            hashes = (settled.said, settled.shown, settled.sketch, canonical)
            outcomes.append((*visit, *brought, settled.archived, *hashes))
        else:
            at = None if settled.retry_at is None else work.txn.there(settled.retry_at)
            if state == WAITING and at is None:
                at = work.now
            shelved.append((page.id, state, attempts, at, _why(settled)))
            if settled.ask_plainly:
                plainly.append((page.id,))
    if groups is not None:
        groups.save()
    looks = () if groups is None else _LOOK
    set_looks = f", {_SET_LOOK}" if looks else ""
    for columns, rows, change in (
        ((*_VISIT, *looks, *_BROUGHT), outcomes, _SET_OUTCOME),
        ((*_VISIT, *looks), visits, _SET_VISIT),
    ):
        work.txn.update("pages", columns, rows, change + set_looks, "pages.id = :id")
    # An attempt that came to nothing leaves what an earlier visit brought.
    work.txn.update(
        "pages",
        ("id", "state", "attempts", "retry_at", "why"),
        shelved,
        "state = :state, attempts = :attempts, retry_at = :retry_at, why = :why",
        "pages.id = :id",
    )
    if plainly:
        no_validators = "etag = NULL, last_modified = NULL"
        work.txn.update("pages", ("id",), plainly, no_validators, "pages.id = :id")


def _compare(work: Work, mine: Sequence[tuple[Settlement, Claimed]]) -> None:
    """Have pages with new content find those that are the same thing."""
    brought = [
        (settled, page)
        for settled, page in mine
        if not settled.keep_content
        and settled.ended not in _SHELVED
        and (page.duplicates is None or settled.sketch is None or settled.sketch != page.sketch)
    ]
    leave_groups(
        work,
        [
            (page.id, page.duplicates, settled.page.url)
            for settled, page in brought
            if page.duplicates is not None
        ],
    )
    fresh = [
        FreshPage(
            page.id,
            settled.page.url,
            ComparedPage(
                page.key,
                Sketch.unpack(settled.sketch),
                settled.digest,
                None if settled.canonical is None else work.memory.keys.of(settled.canonical),
                settled.quads,
            ),
        )
        for settled, page in brought
        if settled.ended in HAD
    ]
    if fresh:
        compare(work, fresh)


def _next_look(
    work: Work,
    groups: LookGroups | None,
    settled: Settlement,
    page: Claimed,
    clocks: Mapping[int, HostClock],
) -> Row:
    """The columns that say when a page is looked at next, where pages are kept fresh."""
    if groups is None:
        return ()
    visited = VisitedPage(
        page.id,
        page.settled_at,
        page.ended,
        PageLook.unpack(page.looked),
        weight(work, page.priority, settled.page.url),
    )
    clock = clocks.get(settled.page.token)
    at, after = plan_page(work, groups, settled, visited, page.host_id, clock)
    return at, after.pack()


def _why(settled: Settlement) -> str | None:
    """Why a page ended so, as far as it is kept: some of it may be the server's own words."""
    if settled.why is None or len(settled.why) <= MOST_OF_WHY or settled.ended is Ended.REDIRECTED:
        return settled.why
    return f"{settled.why[:MOST_OF_WHY]}…"


def _leads_anew(settled: Settlement) -> bool:
    return not settled.keep_content and settled.ended not in _SHELVED


def _leads_as_before(settled: Settlement) -> bool:
    # It may have come nearer since it was settled last.
    return settled.keep_content and settled.ended not in _SHELVED


def _is_too_far(settled: Settlement) -> bool:
    # It may be behind fewer redirects by now than when it was handed out.
    return settled.ended is Ended.REDIRECTED and any(
        link.rule == REDIRECTS for link in settled.refused
    )


def _leading(settled: Settlement, page: Claimed) -> Leading:
    """Where a page leads, at the depth it has by now; a redirect is no step away."""
    redirected = settled.ended is Ended.REDIRECTED
    return Leading(
        page.id,
        settled.page.host,
        page.depth,
        0 if redirected else 1,
        page.hops + 1 if redirected else 0,
        bool(page.seed) and redirected,
        settled.links,
        settled.outside,
        settled.priority,
        settled.refused,
        known_before=page.ended is not None,
        url=settled.page.url,
        hints=settled.hints,
        is_wanted=bool(settled.wanted),
    )
