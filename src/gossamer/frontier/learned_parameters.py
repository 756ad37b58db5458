"""What pairs of pages have shown of the parameters of URLs, in the frontier's tables; URLs that are put off by it.

A page with a query takes a slot (`alike.py`) for each of its parameters: the URL without it. Whoever comes to a slot
that is taken is compared with the page that has it. Rules are known by heart, by host: links that they apply to are
remembered with a rank below all others, and pages that wait already are ranked anew when a rule is learned or dropped.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gossamer.duplicates.likeness import likeness
from gossamer.duplicates.parameters import (
    PUT_OFF,
    RULE,
    LearnedParameter,
    Standing,
    differing,
    idle_in,
    splits,
    without,
)
from gossamer.frontier.alike import COMPARED, FreshPage, Slots, join_groups, slots_of
from gossamer.frontier.parameter_memory import (
    NO_NAMES,
    LearnedRule,
    Names,
    ParameterMemory,
    is_put_off,
)
from gossamer.frontier.protocol import Ended
from gossamer.frontier.schema import ASIDE, BEYOND, LINE, PENDING, WAITING
from gossamer.frontier.store import Transaction
from gossamer.frontier.work import NodeMemory, Work
from gossamer.model import Url
from gossamer.urls import host_of
from gossamer.urls.keys import UrlKeys

MOST_NAMES: Final = 64  # parameters of a host that are learned of
MOST_RULES: Final = 200_000  # that are known by heart
AT_ONCE: Final = 2_000  # pages ranked anew in one transaction
NO_NAME: Final = ""  # the slot of a URL without all parameters that change nothing
HAD: Final = (
    Ended.CONTENT,
    Ended.SKIPPED,
)  # pages so settled are what their other addresses lead to
HAD_IN_SQL: Final = f"('{Ended.CONTENT}', '{Ended.SKIPPED}')"
BEFORE_ALL: Final = -(1 << 63)  # less than any key


class Pair(NamedTuple):
    """Two pages whose URLs differ in parameters that are to be judged by them."""

    names: Collection[str]
    rest: Url  # both URLs without these
    page: FreshPage
    other: FreshPage


@dataclass(frozen=True, slots=True)
class PairSlots:
    """Where to look for pages that one page makes pairs with."""

    page: FreshPage
    base: Url  # without what changes nothing
    by_name: Mapping[str, tuple[int, Url]]  # slots, each with the URL without that parameter
    longer: int  # the slot of a page that has one parameter more
    shorter: Mapping[int, tuple[str, Url]]  # slots by which shorter URLs find this one

    @classmethod
    def of(cls, page: FreshPage, idle: Names, keys: UrlKeys) -> "PairSlots":
        """The slots of a page."""
        base = without(page.url, idle) if idle else page.url
        rests = {each.name: each.rest for each in splits(base)}
        named = rests | ({NO_NAME: base} if idle else {})
        longer, *numbers = keys.of_all(
            [
                _longer_than(base),
                *(_class_of(name, rest) for name, rest in named.items()),
                *map(_longer_than, rests.values()),
            ]
        )
        by_name = {
            name: (number, rest)
            for number, (name, rest) in zip(numbers, named.items(), strict=False)
        }
        shorter = dict(zip(numbers[len(named) :], rests.items(), strict=True))
        return cls(page, base, by_name, longer, shorter)

    @property
    def slots(self) -> list[int]:
        """Every slot of the page."""
        return [self.longer, *self.shorter, *(slot for slot, _ in self.by_name.values())]

    def pairs(self, slots: Slots, bare: Mapping[Url, FreshPage]) -> Iterator[Pair]:
        """The pairs that the page makes with pages that came before; its slots are taken."""
        for name, (slot, rest) in self.by_name.items():
            other = slots.page_at(slot, self.page, stays=True)
            if other is not None:
                names = (name,) if name else _names_of(self.page.url, other.url)
                yield Pair(names, rest, self.page, other)
            if name and (plain := bare.get(rest)) is not None:
                yield Pair((name,), rest, self.page, plain)
        for slot in self.shorter:
            slots.page_at(slot, self.page, stays=True)
        if (other := slots.known_at(self.longer)) is not None and other.id != self.page.id:
            for each in splits(other.url):
                if each.rest == self.base:
                    yield Pair((each.name,), self.base, self.page, other)


def _class_of(name: str, rest: Url) -> Url:
    # No URL has a space, so none has the key of a slot.
    return Url(f"{name} {rest}")


def _longer_than(rest: Url) -> Url:
    return Url(f"\n{rest}")


def _names_of(one: Url, other: Url) -> Collection[str]:
    """The parameters of two URLs."""
    return {split.name for url in (one, other) for split in splits(url)}


def pair_slots(work: Work, fresh: Sequence[FreshPage]) -> list[PairSlots]:
    """The slots for parameters of pages, where parameters are learned."""
    if (memory := work.memory.parameters) is None:
        return []
    return [
        PairSlots.of(page, idle, work.memory.keys)
        for page in fresh
        if (idle := memory.idle.get(host_of(page.url), NO_NAMES))
        or "?" in page.url
        or page.compared.sketch is not None  # which may be a shorter URL of pages that came before
    ]


def compare(work: Work, fresh: Sequence[FreshPage]) -> None:
    """Have pages join the groups of those that are the same thing, and learn from pairs of them."""
    pairs = pair_slots(work, fresh)
    wanted = [slot for page in fresh for slot in slots_of(page)]
    wanted += [slot for each in pairs for slot in each.slots]
    slots = Slots.look_up(work.txn, wanted)
    alike = join_groups(work, fresh, slots)
    if pairs:
        learn(work, pairs, slots, alike)
    slots.write(work.txn)


def learn(
    work: Work,
    pairs: Sequence[PairSlots],
    slots: Slots,
    alike: Sequence[tuple[FreshPage, FreshPage]],
) -> None:
    """Keep what pairs show: of pages that are the same thing, and of those whose URLs differ in one parameter."""
    outcomes: dict[str, list[tuple[str, Pair, bool]]] = {}
    for page, other in alike:
        if (found := differing(page.url, other.url)) is not None:
            names, rest = found
            pair = Pair(names, rest, page, other)
            outcomes.setdefault(host_of(page.url), []).extend((name, pair, True) for name in names)
    bare = _bare(work, pairs)
    for each in pairs:
        host = host_of(each.page.url)
        for pair in each.pairs(slots, bare):
            if pair.page.compared.sketch is None or pair.other.compared.sketch is None:
                continue  # it is not to be indexed, or is nothing for us: nobody compares it
            is_same = likeness(pair.page.compared, pair.other.compared) is not None
            if is_same and len(pair.names) > 1:
                continue  # they are rules as it is
            for name in pair.names:
                outcomes.setdefault(host, []).append((name, pair, is_same))
    if outcomes:
        _keep(work, outcomes)


def _bare(work: Work, pairs: Sequence[PairSlots]) -> dict[Url, FreshPage]:
    """The pages that have URLs without one of the parameters."""
    rests: dict[str, set[Url]] = {}
    for each in pairs:
        for _, rest in each.shorter.values():
            rests.setdefault(host_of(rest), set()).add(rest)
    ids = work.known_hosts(sorted(rests)) if rests else {}
    found: dict[Url, FreshPage] = {}
    for host, urls in rests.items():
        sql = f"""SELECT {COMPARED} FROM pages
            WHERE host_id = {ids[host]} AND key {{any}} AND sketch IS NOT NULL"""
        rows = work.txn.any_of(sql, "key", sorted(work.memory.keys.of_all(urls)))
        pages = map(FreshPage.of_row, rows)
        found |= {page.url: page for page in pages if page.url in urls}
    return found


def _keep(work: Work, outcomes: Mapping[str, Sequence[tuple[str, Pair, bool]]]) -> None:
    memory = work.memory.parameters
    assert memory is not None
    ids = work.known_hosts(sorted(outcomes))
    known = _known(work.txn, sorted(ids.values()))
    rows = []
    for host, found in sorted(outcomes.items()):
        host_id = ids[host]
        before = known.get(host_id, {})
        after = dict(before)
        for name, pair, is_same in found:
            if name not in after and len(after) >= MOST_NAMES:
                continue
            learned = after.get(name) or LearnedParameter(name)
            after[name] = learned.after(pair.rest, pair.page.id, pair.other.id, is_same=is_same)
        for name, learned in sorted(after.items()):
            was = before.get(name)
            if learned == was:
                continue
            rows.append((host_id, *_row(learned)))
            stood = Standing.LEARNING if was is None else was.standing
            if learned.standing != stood and Standing.IDLE in (learned.standing, stood):
                work.learned_rules.append(LearnedRule(host, name, learned.standing))
    work.txn.insert(
        "learned_parameters",
        ("host_id", "name", "standing", "agreed", "one", "other"),
        rows,
        "ON CONFLICT (host_id, name) DO UPDATE SET standing = excluded.standing, "
        "agreed = excluded.agreed, one = excluded.one, other = excluded.other",
    )


def _row(learned: LearnedParameter) -> tuple[str, int, bytes, int, int]:
    return learned.name, int(learned.standing), learned.agreed, learned.one, learned.other


def _known(txn: Transaction, host_ids: Sequence[int]) -> dict[int, dict[str, LearnedParameter]]:
    sql = """SELECT host_id, name, standing, agreed, one, other FROM learned_parameters
        WHERE host_id {any}"""
    found: dict[int, dict[str, LearnedParameter]] = {}
    for host_id, name, standing, agreed, one, other in txn.any_of(sql, "host_id", host_ids):
        learned = LearnedParameter(name, Standing(standing), bytes(agreed), one, other)
        found.setdefault(host_id, {})[name] = learned
    return found


def rules_in_force(txn: Transaction) -> dict[str, Names]:
    """The parameters that change nothing, by host."""
    rows = txn.rows(
        f"""SELECT hosts.host, learned_parameters.name FROM learned_parameters
            JOIN hosts ON hosts.id = learned_parameters.host_id
            WHERE standing = {Standing.IDLE:d} LIMIT {MOST_RULES}"""
    )
    found: dict[str, set[str]] = {}
    for host, name in rows:
        found.setdefault(host, set()).add(name)
    return {host: frozenset(names) for host, names in found.items()}


def forget_host(txn: Transaction, host: str) -> None:
    """Forget what was learned of a host's parameters."""
    sql = "DELETE FROM learned_parameters WHERE host_id IN (SELECT id FROM hosts WHERE host = ?)"
    txn.rows(sql, host)


def idle_parameters(
    txn: Transaction, host: str | None, limit: int
) -> list[tuple[str, LearnedParameter]]:
    """Parameters that change nothing, with their hosts, by name."""
    which, values = ("", ()) if host is None else ("AND hosts.host = ?", (host,))
    rows = txn.rows(
        f"""SELECT hosts.host, name, standing, agreed, one, other FROM learned_parameters
            JOIN hosts ON hosts.id = learned_parameters.host_id
            WHERE standing = {Standing.IDLE:d} {which} ORDER BY hosts.host, name LIMIT ?""",
        *values,
        limit,
    )
    return [
        (name_of_host, LearnedParameter(name, Standing(standing), bytes(agreed), one, other))
        for name_of_host, name, standing, agreed, one, other in rows
    ]


def parameters_of(txn: Transaction, host: str) -> list[LearnedParameter]:
    """What is known of the parameters of a host, by name."""
    rows = txn.rows("SELECT id FROM hosts WHERE host = ?", host)
    known = _known(txn, [rows[0][0]]).get(rows[0][0], {}) if rows else {}
    return [known[name] for name in sorted(known)]


def is_represented(txn: Transaction, memory: NodeMemory, url: Url, page: int) -> Url | None:
    """A page that has what a URL leads to, if its parameters change nothing and another page had it before."""
    if memory.parameters is None:
        return None
    idle = memory.parameters.idle.get(host_of(url), NO_NAMES)
    names = idle_in(url, idle)
    if not names:
        return None
    base = without(url, idle)
    # Pages that came before the rule took the slots of single parameters.
    key, *slots = memory.keys.of_all([base, *(_class_of(name, base) for name in (NO_NAME, *names))])
    rows = txn.any_of("SELECT page FROM alike WHERE key {any}", "key", slots)
    rows += txn.rows(
        """SELECT id FROM pages WHERE key = ?
            AND host_id = (SELECT id FROM hosts WHERE host = ?)""",
        key,
        host_of(url),
    )
    ids = sorted({each for (each,) in rows} - {page})
    sql = f"SELECT id, url FROM pages WHERE id {{any}} AND ended IN {HAD_IN_SQL}"
    found = sorted(txn.any_of(sql, "id", ids))
    return Url(found[0][1]) if found else None


def rank_host(work: Work, host: str, after: int) -> int | None:
    """Rank waiting pages of a host anew, some at a time; where to go on. Pages that rules left out are taken up."""
    host_id, memory = work.host_id(host), work.memory.parameters or ParameterMemory()
    states = f"({PENDING}, {WAITING}, {BEYOND}, {ASIDE})"
    rows = work.txn.rows(
        f"""SELECT id, url, seed, key, priority, state, why FROM pages
            WHERE host_id = ? AND key > ? AND state IN {states} ORDER BY key LIMIT {AT_ONCE}""",
        host_id,
        after,
    )
    ranked, back = [], []
    for page, url, seed, _, rank, state, why in rows:
        usual = rank + PUT_OFF if is_put_off(rank) else rank
        now = usual if seed else memory.put_off(Url(url), usual)
        if now != rank:
            ranked.append((page, now))
        if state == ASIDE and why is not None and why.startswith(f"{RULE}:"):
            back.append((page,))
    work.txn.update("pages", ("id", "priority"), ranked, "priority = :priority", "pages.id = :id")
    changed = work.txn.update(
        "pages",
        ("id",),
        back,
        f"state = {work.state_by_depth}",
        f"pages.id = :id AND pages.state = {ASIDE}",
        "pages.host_id, pages.priority, pages.state",
    )
    work.count_moved(ASIDE, changed)
    if len(rows) == AT_ONCE:
        return int(rows[-1][3])
    work.txn.rows(
        f"""UPDATE hosts SET best = coalesce((SELECT priority FROM pages
            WHERE host_id = hosts.id AND state = {PENDING} ORDER BY {LINE} LIMIT 1), 0)
            WHERE id = ?""",
        host_id,
    )
    return None


def slots_to_forget(memory: NodeMemory, page: FreshPage, names: Iterable[str]) -> list[int]:
    """The slots that a page may have for its parameters."""
    idle = frozenset(names)
    urls = {page.url, without(page.url, idle)}
    rests = [each for url in urls for each in splits(url)]
    named = [*(_class_of(*each) for each in rests), *(_class_of(NO_NAME, url) for url in urls)]
    return list(memory.keys.of_all([*named, *(_longer_than(each.rest) for each in rests)]))
