"""Remembering URLs: what is new, what is now nearer, what follows from that, and which links are not followed.

With a depth limit, a page that turns out to be nearer brings all that it leads to nearer too,
without being fetched again. That is done here, in the transaction that found out.

Links that are not followed are kept with the rule, each URL once, for whoever asks why. A URL that is
linked in another way too may have become a page: then it is none of these.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Final

from gossamer.frontier.parameter_memory import ParameterMemory
from gossamer.frontier.protocol import NOFOLLOW, REDIRECTS, Ended, NewUrl, RefusedLink
from gossamer.frontier.rows import pack_keys, unpack_keys, unpack_links, unpack_refused
from gossamer.frontier.schema import BEYOND, PAGE_STATES, PENDING, SETTLED
from gossamer.frontier.store import BetterRow, NewRow, Transaction
from gossamer.frontier.work import NodeMemory, Work
from gossamer.model import MAX_HOPS, Url
from gossamer.politeness.ranking import Ranking
from gossamer.urls import host_of, origin_of

_NOT_FOLLOWED: Final = f"""FROM refusals r
    LEFT JOIN hosts h ON h.host = r.host
    LEFT JOIN pages p ON p.host_id = h.id AND p.key = r.key AND p.state <> {BEYOND}
    WHERE p.id IS NULL"""
Candidate = tuple[Url, int, int, int, bool]
"""A URL with depth, priority, hops, and whether it is a seed: a `NewUrl`, or as bare as one."""
Candidates = dict[int, Candidate]
"""What may be news to the store, by key."""


def collect(memory: NodeMemory, urls: Sequence[Candidate], best: Candidates) -> Sequence[int]:
    """Add to `best` what may be news to the store; the keys of all the URLs."""
    keys = memory.keys.of_links([url[0] for url in urls])
    if not memory.ranking.is_plain:
        urls = _rank(memory.ranking, urls, keys)
    if memory.parameters is not None and memory.parameters.idle:
        urls = _put_off(memory.parameters, urls)
    for key, url in memory.recent.news(keys, urls):
        best[key] = _better(url, best[key]) if key in best else url
    return keys


def _rank(ranking: Ranking, urls: Sequence[Candidate], keys: Sequence[int]) -> list[Candidate]:
    return [
        (url, depth, ranking.rank(url, depth, priority, key), hops, seed)
        for key, (url, depth, priority, hops, seed) in zip(keys, urls, strict=True)
    ]


def _put_off(parameters: ParameterMemory, urls: Sequence[Candidate]) -> list[Candidate]:
    """Rank URLs last whose parameters change nothing; a seed is what somebody asked for."""
    return [
        (url, depth, priority if seed else parameters.put_off(url, priority), hops, seed)
        for url, depth, priority, hops, seed in urls
    ]


def remember(work: Work, urls: Mapping[int, Candidate]) -> int:
    """Insert what is new and improve what is known; how many were new."""
    new, nearer = _remember(work, urls)
    pass_on(work, nearer)
    return new


def _remember(work: Work, urls: Mapping[int, Candidate]) -> tuple[int, dict[int, int]]:
    """Insert and improve; how many were new, and the settled pages that came nearer."""
    if not urls:
        return 0, {}
    origins = [origin_of(url[0]) for url in urls.values()]
    ids, state_at = work.ids_of_origins(origins), work.state_at
    rows = [
        (ids[origin], key, url, depth, priority, hops, seed, state_at(depth))
        for origin, (key, (url, depth, priority, hops, seed)) in zip(
            origins, urls.items(), strict=True
        )
    ]
    rows.sort(key=itemgetter(0))  # neighbours in the index; by arrival within a host
    work.learned.append(urls)
    new, better = work.txn.remember(rows)
    return _note_new(work, new), _note_better(work, better)


def _better(one: Candidate, other: Candidate) -> Candidate:
    return (
        one[0],
        min(one[1], other[1]),
        max(one[2], other[2]),
        min(one[3], other[3]),
        one[4] or other[4],
    )


def _note_new(work: Work, new: Iterable[NewRow]) -> int:
    """Count new pages."""
    total = 0
    for host_id, state, count, priority, url_bytes in new:
        total += count
        work.charge_new(host_id, count, url_bytes)
        work.tally[PAGE_STATES[state]] += count
        if state == PENDING:
            work.arrive(host_id, priority)
    work.tally["known"] += total
    return total


def _note_better(work: Work, better: Iterable[BetterRow]) -> dict[int, int]:
    """Count known pages that are nearer or more urgent; those settled, with their depths."""
    nearer: dict[int, int] = {}
    admitted: list[tuple[int]] = []
    redirects: dict[int, int] = {}
    for page, host_id, depth, priority, state, hops, ended in better:
        if state == SETTLED:
            nearer[page] = depth
            if ended == Ended.REDIRECTED:
                redirects[page] = hops
            continue
        if state == BEYOND and work.state_at(depth) == PENDING:
            admitted.append((page,))
        elif state != PENDING:
            continue
        work.arrive(host_id, priority)
    _admit(work, admitted)
    return nearer | pass_hops(work, redirects)


def _improved(work: Work, known: dict[tuple[int, int], int]) -> list[BetterRow]:
    return work.txn.update(
        "pages",
        ("host_id", "key", "depth"),
        [(host_id, key, depth) for (host_id, key), depth in sorted(known.items())],
        "depth = :depth",
        "pages.host_id = :host_id AND pages.key = :key AND pages.depth > :depth",
        "pages.id, pages.host_id, pages.depth, pages.priority, pages.state, pages.hops, pages.ended",
    )


def _admit(work: Work, pages: Sequence[tuple[int]]) -> None:
    """Take up pages that were beyond the depth limit."""
    work.txn.update("pages", ("id",), pages, f"state = {PENDING}", "pages.id = :id")
    work.tally[PAGE_STATES[BEYOND]] -= len(pages)
    work.tally[PAGE_STATES[PENDING]] += len(pages)


def places(work: Work, origins: Sequence[str], keys: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Where pages of these origins are in the store: host and key."""
    ids = work.ids_of_origins(origins)
    return zip(map(ids.__getitem__, origins), keys, strict=True)


def pass_on(work: Work, nearer: dict[int, int]) -> None:
    """Bring nearer what follows from pages that came nearer, until nothing changes any more.

    Without a limit, nothing depends on how deep a page is; it is made up for when there is one.
    """
    while nearer and work.memory.limits.depth is not None:
        known, reached = _following(work, nearer)
        nearer = _note_better(work, _improved(work, known))
        nearer.update(_remember(work, reached)[1])


def _following(work: Work, nearer: dict[int, int]) -> tuple[dict[tuple[int, int], int], Candidates]:
    """Where pages lead: known pages with the depth they could have, and those beyond till now."""
    known: dict[tuple[int, int], int] = {}
    reached: Candidates = {}
    for page, step, packed, beyond in work.txn.any_of(
        "SELECT page, step, packed, beyond FROM outlinks WHERE page {any}", "page", list(nearer)
    ):
        depth = nearer[page] + step
        for link in unpack_keys(packed or b""):
            known[link] = min(depth, known.get(link, depth))
        if beyond is not None and work.state_at(depth) == PENDING:
            take_beyond(work, page, depth, packed or b"", beyond, reached)
    return known, reached


def pass_hops(work: Work, redirects: Mapping[int, int]) -> dict[int, int]:
    """Have targets know that fewer hops lead to settled redirects, until nothing changes any more.

    Those that were refused for too many are taken up. The settled pages that came nearer by that.
    """
    nearer: dict[int, int] = {}
    while redirects:
        nearer.update(_remember(work, _no_longer_too_far(work, redirects))[1])
        known: dict[tuple[int, int], int] = {}
        for page, packed in work.txn.any_of(
            "SELECT page, packed FROM outlinks WHERE page {any} AND step = 0",
            "page",
            sorted(redirects),
        ):
            for link in unpack_keys(packed or b""):
                known[link] = min(redirects[page] + 1, known.get(link, MAX_HOPS))
        fewer = work.txn.update(
            "pages",
            ("host_id", "key", "hops"),
            [(*place, hops) for place, hops in sorted(known.items())],
            "hops = :hops",
            "pages.host_id = :host_id AND pages.key = :key AND pages.hops > :hops",
            "pages.id, pages.hops, pages.state, pages.ended",
        )
        settled = (row[:2] for row in fewer if row[2:] == (SETTLED, Ended.REDIRECTED))
        redirects = dict(settled)
    return nearer


def _no_longer_too_far(work: Work, redirects: Iterable[int]) -> Candidates:
    """The targets of redirects that were refused for too many hops, and are not too far now."""
    reached: Candidates = {}
    for page, target, depth, priority, hops, seed in work.txn.any_of(
        f"""SELECT id, why, depth, priority, hops, seed FROM pages
            WHERE id {{any}} AND why IS NOT NULL AND hops < {MAX_HOPS}""",
        "id",
        sorted(redirects),
    ):
        key, ranking = work.memory.keys.of(Url(target)), work.memory.ranking
        if not ranking.is_plain:
            priority = ranking.rank_anew(Url(target), depth, bool(seed), key)
        sql = "SELECT 1 FROM refusals WHERE key = ? AND rule = ?"
        if work.txn.rows(sql, key, REDIRECTS):
            reached[key] = NewUrl(Url(target), depth, priority, hops + 1, bool(seed))
            packed = pack_keys(places(work, [origin_of(Url(target))], [key]))
            work.txn.insert(
                "outlinks",
                ("page", "step", "packed"),
                [(page, 0, packed)],
                "ON CONFLICT (page) DO UPDATE SET packed = excluded.packed",
            )
    return reached


def take_beyond(
    work: Work, page: int, depth: int, packed: bytes, beyond: bytes, reached: Candidates
) -> None:
    """Add to `reached` the links of a page that were beyond the depth limit, and no longer are."""
    urls = [NewUrl(link.url, depth, link.priority) for link in unpack_links(beyond)]
    keys = collect(work.memory, urls, reached)
    note_refused(work, unpack_refused(beyond))
    work.txn.rows(
        "UPDATE outlinks SET packed = ?, beyond = NULL WHERE page = ?",
        pack_keys(
            [*unpack_keys(packed), *places(work, [origin_of(url.url) for url in urls], keys)]
        ),
        page,
    )


def note_refused(work: Work, links: Iterable[RefusedLink]) -> None:
    """Remember links that are not followed, each by the strongest rule that was met."""
    fresh: dict[Url, str] = {}
    for url, rule in links:
        known = fresh.get(url) or work.refused.get(url) or work.memory.refused.get(url)
        if known is None or known == NOFOLLOW != rule:
            fresh[url] = rule
    keys = work.memory.keys.of_all(fresh)
    work.txn.insert(
        "refusals",
        ("key", "host", "url", "rule"),
        sorted(
            (key, host_of(url), url, rule)
            for key, (url, rule) in zip(keys, fresh.items(), strict=True)
        ),
        f"ON CONFLICT (key) DO UPDATE SET rule = excluded.rule WHERE refusals.rule = '{NOFOLLOW}'",
    )
    work.refused |= fresh


def unnoted_refusals(work: Work, links: Iterable[RefusedLink]) -> list[RefusedLink]:
    """The links among these that may be news to the store."""
    here, before = work.refused, work.memory.refused
    return [
        link
        for link in links
        if (known := here.get(link.url) or before.get(link.url)) is None
        or known == NOFOLLOW != link.rule
    ]


def refusal_counts(txn: Transaction) -> dict[str, int]:
    """How many URLs were not followed, by rule."""
    return dict(txn.rows(f"SELECT r.rule, count(*) {_NOT_FOLLOWED} GROUP BY r.rule"))


def refusal_rule(txn: Transaction, key: int) -> str | None:
    """The rule by which a URL was not followed."""
    rows = txn.rows(f"SELECT r.rule {_NOT_FOLLOWED} AND r.key = ?", key)
    return str(rows[0][0]) if rows else None


def forget_refused(txn: Transaction, host: str, url: Url | None) -> None:
    """Remove what is known of links to a host, or to one URL of it."""
    if url is None:
        txn.rows("DELETE FROM refusals WHERE host = ?", host)
    else:
        txn.rows("DELETE FROM refusals WHERE url = ?", url)
