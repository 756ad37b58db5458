"""What pairs of pages have shown of the parameters of URLs, in the frontier's tables; URLs that are put off by it.

A page with a query takes a slot (`alike.py`) for each of its parameters: the URL without it. Whoever comes to a slot
that is taken is compared with the page that has it. Rules are known by heart, by host: links that they apply to are
remembered with a rank below all others, and pages that wait already are ranked anew when a rule is learned or dropped.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.duplicates.likeness import likeness
from gossamer.duplicates.parameters import (
    PUT_OFF,
    RULE,
    LearnedParameter,
    Standing,
    idle_in,
    splits,
    without,
)
from gossamer.frontier.alike import FreshPage, Slots, join_groups, slots_of
from gossamer.frontier.parameter_memory import (
    NO_NAMES,
    LearnedRule,
    Names,
    ParameterMemory,
    is_put_off,
)
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
BEFORE_ALL: Final = -(1 << 63)  # less than any key


@dataclass(frozen=True, slots=True)
class PairSlots:
    """The slots of one page for its parameters."""

    page: FreshPage
    base: Url  # without what changes nothing
    by_name: Mapping[str, tuple[int, Url]]  # each with the URL without that parameter

    @classmethod
    def of(cls, page: FreshPage, idle: Names, keys: UrlKeys) -> "PairSlots | None":
        """The slots of a page; None where it has none."""
        if "?" not in page.url and not idle:
            return None
        base = without(page.url, idle) if idle else page.url
        rests = {each.name: each.rest for each in splits(base)}
        if idle:
            rests[NO_NAME] = base
        numbers = keys.of_all([_class_of(name, rest) for name, rest in rests.items()])
        by_name = {
            name: (number, rest)
            for number, (name, rest) in zip(numbers, rests.items(), strict=True)
        }
        return cls(page, base, by_name) if by_name else None


def _class_of(name: str, rest: Url) -> Url:
    # No URL has a space, so none has the key of a slot.
    return Url(f"{name} {rest}")


def pair_slots(work: Work, fresh: Sequence[FreshPage]) -> list[PairSlots]:
    """The slots for parameters of pages, where parameters are learned."""
    if (memory := work.memory.parameters) is None:
        return []
    found = (
        PairSlots.of(page, memory.idle.get(host_of(page.url), NO_NAMES), work.memory.keys)
        for page in fresh
        if page.compared.sketch is not None
    )
    return [each for each in found if each is not None]


def compare(work: Work, fresh: Sequence[FreshPage]) -> None:
    """Have pages join the groups of those that are the same thing, and learn from pairs of them."""
    pairs = pair_slots(work, fresh)
    wanted = [slot for page in fresh for slot in slots_of(page)]
    wanted += [slot for each in pairs for slot, _ in each.by_name.values()]
    slots = Slots.look_up(work.txn, wanted)
    join_groups(work, fresh, slots)
    learn(work, pairs, slots)
    slots.write(work.txn)


def learn(work: Work, pairs: Sequence[PairSlots], slots: Slots) -> None:
    """Compare pages with those whose URLs differ in one parameter alone, and keep what that shows."""
    outcomes: dict[str, list[tuple[str, Url, FreshPage, FreshPage, bool]]] = {}
    for each in pairs:
        host = host_of(each.page.url)
        for name, (slot, rest) in each.by_name.items():
            other = slots.page_at(slot, each.page, stays=True)
            if other is None or other.compared.sketch is None:
                continue
            is_same = likeness(each.page.compared, other.compared) is not None
            for differing in _differing(name, each.page.url, other.url, is_same=is_same):
                outcome = (differing, rest, each.page, other, is_same)
                outcomes.setdefault(host, []).append(outcome)
    if outcomes:
        _keep(work, outcomes)


def _differing(name: str, one: Url, other: Url, *, is_same: bool) -> Collection[str]:
    """The parameters that a pair tells something of."""
    if name != NO_NAME:
        return (name,)
    if is_same:
        return ()  # they are rules as it is
    rests = [{split.name: split.rest for split in splits(url)} for url in (one, other)]
    return {each for rest in rests for each in rest}


def _keep(
    work: Work, outcomes: Mapping[str, Sequence[tuple[str, Url, FreshPage, FreshPage, bool]]]
) -> None:
    memory = work.memory.parameters
    assert memory is not None
    ids = work.known_hosts(sorted(outcomes))
    known = _known(work.txn, sorted(ids.values()))
    rows = []
    for host, found in sorted(outcomes.items()):
        host_id = ids[host]
        before = known.get(host_id, {})
        after = dict(before)
        for name, rest, page, other, is_same in found:
            if name not in after and len(after) >= MOST_NAMES:
                continue
            learned = after.get(name) or LearnedParameter(name)
            after[name] = learned.after(rest, page.id, other.id, is_same=is_same)
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
    sql = "SELECT id, url FROM pages WHERE id {any} AND sketch IS NOT NULL"
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
    rests = [(each.name, each.rest) for each in splits(page.url)]
    if idle:
        base = without(page.url, idle)
        rests += [(each.name, each.rest) for each in splits(base)]
        rests.append((NO_NAME, base))
    return list(memory.keys.of_all([_class_of(name, rest) for name, rest in rests]))
