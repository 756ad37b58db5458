"""Learns where wanted things are, and hands out first what is likely to lead to them.

Links get their arm (see `focus`) when they are remembered; what visits bring is added to the sums of their arms
in the transaction that settles them. Of a host that is leased, the next page is one of the best arm that has
any; now and then, and ever more seldom, one of the arm that was tried least. All arms have their turn in the end: nothing is
dropped, and how deep a page is does not depend on the order.

Pages without an arm (seeds, and what older programs add) come first where they are urgent, and else last.
"""

import struct
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from gossamer.focus.arms import (
    LEAST_SECONDS,
    MOST_GAIN,
    REMEMBERED,
    ArmSums,
    ArmWorth,
    order_arms,
    worths,
)
from gossamer.focus.clues import ALL, ClueTable, points
from gossamer.focus.clues import REMEMBERED as CLUES_REMEMBERED
from gossamer.focus.hints import NO_HINT, LinkHint
from gossamer.focus.link_arms import ArmLink, KnownArms, arms_of
from gossamer.frontier.protocol import Ended, Settlement
from gossamer.frontier.store import Transaction
from gossamer.model import Url
from gossamer.urls import host_of, origin_of

if TYPE_CHECKING:
    from gossamer.frontier.adding import Candidate, Candidates
    from gossamer.frontier.work import Work

WANTED: Final = "wanted"  # tallies: wanted entities, and the pages that brought any, of so many that were asked for
WANTED_PAGES: Final = "wanted pages"
VISITED: Final = "visited for wanted"
AT_ONCE: Final = 4  # pages of a host handed out together: what they bring is learned a little later
MOST_CACHED: Final = 40_000  # arms whose sums are at hand
READ_AGAIN: Final = 64  # sums are read at each pick at first, after so many at each second, …
AT_A_TIME: Final = 2_000  # pages that get an arm in one transaction, where they have none
UNIT: Final = 1_000  # sums are kept in thousandths
_COUNTING: Final = frozenset({Ended.CONTENT, Ended.REDIRECTED, Ended.FAILED, Ended.SKIPPED})
_ARM_COLUMNS: Final = ("host_id", "arm", "parent", "template", "tags", "listed_on")
_ARM_SUMS: Final = ("visits", "gained", "spent", "found", "promised")


def _fading(table: str, column: str, remembered: float) -> str:
    """A sum with more added to it: what was there fades with each visit."""
    whole = round(remembered * UNIT)
    return (
        f"{column} = {table}.{column} * {whole} / ({whole} + excluded.visits) + excluded.{column}"
    )


_ADD_ARMS: Final = "ON CONFLICT (host_id, arm) DO UPDATE SET " + ", ".join(
    _fading("arms", each, REMEMBERED) for each in _ARM_SUMS
)
_ADD_CLUES: Final = (
    "ON CONFLICT (clue) DO UPDATE SET "
    + ", ".join(_fading("clue_sums", each, CLUES_REMEMBERED) for each in ("visits", "gained"))
    + " RETURNING clue, visits, gained"
)
_ADD_LEADS: Final = (
    "ON CONFLICT (host_id, arm, to_arm) DO UPDATE SET found = arm_leads.found + excluded.found"
)


@dataclass(slots=True)
class HostArms:
    """What is at hand of one host's arms."""

    sums: dict[int, ArmSums] = field(default_factory=dict)
    worth: dict[int, ArmWorth] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    parents: set[int] = field(default_factory=set)  # numbers of arms in the store, or about to be
    lists: set[int] = field(default_factory=set)
    empty: set[int] = field(default_factory=set)  # arms without a page that waits, when last seen
    picks: int = 0
    read_at: int = -1  # picks

    @property
    def size(self) -> int:
        """How many arms there are."""
        return len(self.parents) + len(self.lists)

    @property
    def is_stale(self) -> bool:
        """Whether it is time to read the sums again."""
        return (
            self.read_at < 0
            or self.size > len(self.worth)
            or self.picks - self.read_at > self.picks // READ_AGAIN
        )


class FocusMemory:
    """What a node has at hand of what was learned. All of it is in the store."""

    def __init__(self, clues: ClueTable, seconds: float) -> None:
        self.clues = clues
        self.seconds = max(seconds, LEAST_SECONDS)  # of a visit, on the whole
        self.hosts: OrderedDict[int, HostArms] = OrderedDict()

    def host(self, host_id: int) -> HostArms:
        """What is at hand of a host, which may be nothing."""
        if (known := self.hosts.get(host_id)) is None:
            known = self.hosts[host_id] = HostArms()
            self._make_room()
        self.hosts.move_to_end(host_id)
        return known

    def points(self, worth: ArmWorth) -> int:
        """The rank of an arm's pages."""
        return points(worth.index * self.seconds)

    def _make_room(self) -> None:
        if len(self.hosts) % 64:
            return
        size = sum(each.size + 4 for each in self.hosts.values())
        while size > MOST_CACHED:
            _, gone = self.hosts.popitem(last=False)
            size -= gone.size + 4


class ArmPage(NamedTuple):
    """A page that is to have an arm."""

    host_id: int
    key: int
    link: ArmLink
    promise: float  # by its clues
    page: int | None = None  # that leads to it, if it is of the same host


def read_clues(txn: Transaction) -> ClueTable:
    """The sums of all clues."""
    rows = txn.rows("SELECT clue, visits, gained FROM clue_sums")
    return ClueTable((clue, visits / UNIT, gained / UNIT) for clue, visits, gained in rows)


def lists_of(work: "Work", pages: Sequence[int]) -> dict[int, str]:
    """The lists on which pages were found."""
    sql = """SELECT id, listed_on FROM pages p JOIN arms a ON a.host_id = p.host_id AND a.arm = p.arm
        WHERE id {any} AND listed_on <> ''"""
    return dict(work.txn.any_of(sql, "id", pages))


def arm_links(
    work: "Work",
    url: Url,
    links: Sequence[Url],
    hints: Mapping[Url, LinkHint],
    found_on: str = "",
    *,
    is_wanted: bool = False,
) -> list[ArmLink]:
    """The arms of a page's links."""
    memory = memory_of(work)
    ids = work.ids_of_origins([origin_of(link) for link in links])
    known: dict[str, KnownArms] = {}
    for link in links:
        if (host := host_of(link)) not in known:
            at_hand = at_hand_of(work, memory, ids[origin_of(link)])
            known[host] = KnownArms(at_hand.parents, at_hand.lists)
    return arms_of(
        url,
        [(link, hints.get(link, NO_HINT)) for link in links],
        known,
        found_on,
        is_wanted=is_wanted,
    )


def promises(work: "Work", links: Sequence[ArmLink]) -> list[float]:
    """What the clues of links promise."""
    estimate = memory_of(work).clues.estimate
    return [estimate(link.clues) for link in links]


def rank_by_promise(
    work: "Work", links: "Sequence[Candidate]", promised: Sequence[float]
) -> "list[Candidate]":
    """Links with the priority that their clues give them; seeds keep theirs."""
    return [
        (url, depth, given if seed else points(promise), hops, seed)
        for (url, depth, given, hops, seed), promise in zip(links, promised, strict=True)
    ]


def give_arms(work: "Work", pages: Iterable[ArmPage]) -> None:
    """Give pages their arms that have none yet, and count what was found."""
    memory = memory_of(work)
    by_place = {(each.host_id, each.key): each for each in pages}
    armed = work.txn.update(
        "pages",
        ("host_id", "key", "arm", "clues"),
        [
            (*place, each.link.arm.number, pack_clues(each.link.clues))
            for place, each in sorted(by_place.items(), key=itemgetter(0))
        ],
        "arm = :arm, clues = :clues",
        "pages.host_id = :host_id AND pages.key = :key AND pages.arm IS NULL AND NOT pages.seed",
        "pages.host_id, pages.key",
    )
    found: defaultdict[tuple[int, int], list[ArmPage]] = defaultdict(list)
    for host_id, key in armed:
        each = by_place[host_id, key]
        arm = each.link.arm
        for number in {arm.number, arm.parent} - {None}:
            found[host_id, number or 0].append(each)
        at_hand = memory.host(host_id)
        at_hand.empty.discard(arm.number)
        if arm.parent is not None:
            at_hand.lists.add(arm.number)
        at_hand.parents.add(arm.number if arm.parent is None else arm.parent)
        if each.page is not None:
            work.arms_found.setdefault(each.page, Counter())[arm.number] += 1
    rows = []
    for (host_id, number), some in sorted(found.items(), key=itemgetter(0)):
        arm = some[0].link.arm
        is_own = number == arm.number
        promised = round(UNIT * sum(each.promise for each in some))
        rows.append(
            (
                *(host_id, number, arm.parent if is_own else None, arm.template, arm.tags),
                *(arm.listed_on if is_own else "", 0, 0, 0, UNIT * len(some), promised),
            )
        )
    work.txn.insert("arms", (*_ARM_COLUMNS, *_ARM_SUMS), rows, _ADD_ARMS)


def arm_added(work: "Work", urls: "Candidates") -> None:
    """Give arms to pages that no page leads to, such as those that a sitemap lists."""
    added = {key: url[0] for key, url in urls.items() if not url[4]}
    ids = work.ids_of_origins([origin_of(url) for url in added.values()])
    by_host: defaultdict[int, list[tuple[int, Url]]] = defaultdict(list)
    for key, url in added.items():
        by_host[ids[origin_of(url)]].append((key, url))
    for host_id, some in by_host.items():
        # As if they were listed nowhere: there is no page whose links they could be among.
        links = arm_links(work, Url(""), [url for _, url in some], {})
        promised = promises(work, links)
        give_arms(
            work,
            [
                ArmPage(host_id, key, link, promise)
                for (key, _), link, promise in zip(some, links, promised, strict=True)
            ],
        )


def arm_known(work: "Work", after: int) -> tuple[int, int | None]:
    """Give arms to waiting pages that have none; how many, and where to go on. A step of a walk."""
    rows = work.txn.rows(
        f"""SELECT id, host_id, key, url FROM pages
            WHERE id > ? AND arm IS NULL AND ended IS NULL AND NOT seed ORDER BY id LIMIT {AT_A_TIME}""",
        after,
    )
    links = arm_links(work, Url(""), [Url(row[3]) for row in rows], {})
    promised = promises(work, links)
    give_arms(
        work,
        [
            ArmPage(row[1], row[2], link, promise)
            for row, link, promise in zip(rows, links, promised, strict=True)
        ],
    )
    return len(rows), rows[-1][0] if rows else None


# ---- visits are learned from


def learn(work: "Work", settled: Sequence[Settlement]) -> None:
    """Add what visits brought to the sums of their arms and clues."""
    visits = [each for each in settled if each.ended in _COUNTING]
    new = _note_entities(work, visits)
    arms: dict[int, tuple[int, int | None, bytes | None, bool]] = {
        row[0]: row[1:]
        for row in work.txn.any_of(
            "SELECT id, host_id, arm, clues, seed FROM pages WHERE id {any}",
            "id",
            sorted(each.page.id for each in visits),
        )
    }
    memory = memory_of(work)
    sums: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    leads: Counter[tuple[int, int, int]] = Counter()
    clues: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for each in visits:
        if each.page.id not in arms:
            continue
        host_id, arm, packed, _ = arms[each.page.id]
        gain = min(new.get(each.page.id, 0.0), MOST_GAIN)
        work.tally[VISITED] += 1
        memory.seconds += (max(each.spent, LEAST_SECONDS) - memory.seconds) / 200
        led = work.arms_found.get(each.page.id, Counter())
        at_hand = at_hand_of(work, memory, host_id)
        worth = _realised(gain, led, at_hand, memory.seconds)
        for clue in {ALL, *unpack_clues(packed)}:
            clues[clue][0] += 1
            clues[clue][1] += worth
        if arm is None:
            continue
        known = at_hand.sums.get(arm)
        for number in {arm, known.parent if known and known.parent is not None else arm}:
            for place, part in enumerate((1.0, gain, max(each.spent, LEAST_SECONDS))):
                sums[host_id, number][place] += part
            for to_arm, count in led.items():
                leads[host_id, number, to_arm] += count
    _write_sums(work, sums, leads)
    rows = [(clue, *(round(UNIT * part) for part in clues[clue])) for clue in sorted(clues)]
    told = work.txn.insert("clue_sums", ("clue", "visits", "gained"), rows, _ADD_CLUES)
    memory.clues.set((clue, visits / UNIT, gained / UNIT) for clue, visits, gained in told)


def _note_entities(work: "Work", visits: Sequence[Settlement]) -> dict[int, float]:
    """Note the wanted entities of pages that no page had before; what they are worth, by page."""
    weights: dict[int, tuple[int, float]] = {}
    for each in visits:
        for entity, weight in each.wanted:
            weights.setdefault(entity, (each.page.id, weight))
    rows = [(entity, page) for entity, (page, _) in sorted(weights.items())]
    fresh = work.txn.insert(
        "wanted_entities",
        ("entity", "page"),
        rows,
        "ON CONFLICT (entity) DO NOTHING RETURNING entity",
    )
    new: defaultdict[int, float] = defaultdict(float)
    for (entity,) in fresh:
        page, weight = weights[entity]
        new[page] += weight
    work.tally[WANTED] += len(fresh)
    work.tally[WANTED_PAGES] += sum(bool(each.wanted) for each in visits)
    return new


def _realised(gain: float, led: Mapping[int, int], at_hand: HostArms, seconds: float) -> float:
    """What a visit brought with the best of what it leads to, per visit: the index of this one page."""
    total, cost = gain, 1.0
    ahead = [
        (at_hand.worth[arm].index * seconds, count)
        for arm, count in led.items()
        if arm in at_hand.worth
    ]
    for worth, count in sorted(ahead, reverse=True):
        if worth <= total / cost:
            break
        total += count * worth
        cost += count
    return total / cost


def _write_sums(
    work: "Work",
    sums: Mapping[tuple[int, int], Sequence[float]],
    leads: Mapping[tuple[int, int, int], int],
) -> None:
    rows = [(*place, *(round(UNIT * part) for part in sums[place])) for place in sorted(sums)]
    whole = round(REMEMBERED * UNIT)
    # In the order of their keys, arms before what they lead to: so nodes do not wait in a circle.
    work.txn.update(
        "arms",
        ("host_id", "arm", "visits", "gained", "spent"),
        rows,
        ", ".join(
            f"{name} = arms.{name} * {whole} / ({whole} + :visits) + :{name}"
            for name in ("visits", "gained", "spent")
        ),
        "arms.host_id = :host_id AND arms.arm = :arm",
    )
    work.txn.update(
        "arm_leads",
        ("host_id", "arm", "visits"),
        [row[:3] for row in rows],
        f"found = arm_leads.found * {whole} / ({whole} + :visits)",
        "arm_leads.host_id = :host_id AND arm_leads.arm = :arm",
    )
    work.txn.insert(
        "arm_leads",
        ("host_id", "arm", "to_arm", "found"),
        [(*place, UNIT * leads[place]) for place in sorted(leads)],
        _ADD_LEADS,
    )


# ---- what is at hand


def fresh_arms(work: "Work", host_id: int) -> HostArms:
    """What is at hand of a host's arms, read again where it is time to."""
    at_hand = memory_of(work).host(host_id)
    if at_hand.is_stale:
        _read_arms(work, host_id, at_hand)
    return at_hand


def at_hand_of(work: "Work", memory: FocusMemory, host_id: int) -> HostArms:
    """What is at hand of a host's arms, however old."""
    at_hand = memory.host(host_id)
    if at_hand.read_at < 0:
        _read_arms(work, host_id, at_hand)
    return at_hand


def _read_arms(work: "Work", host_id: int, at_hand: HostArms) -> None:
    at_hand.sums = arms_in(work.txn, host_id)
    at_hand.worth = worths(at_hand.sums, leads_in(work.txn, host_id))
    at_hand.order = order_arms(at_hand.worth)
    at_hand.lists = {arm for arm, sums in at_hand.sums.items() if sums.parent is not None}
    at_hand.parents = {*at_hand.sums} - at_hand.lists
    at_hand.read_at = at_hand.picks
    at_hand.empty.clear()


def arms_in(txn: Transaction, host_id: int) -> dict[int, ArmSums]:
    """The sums of a host's arms."""
    rows = txn.rows(
        f"SELECT arm, parent, template, {', '.join(_ARM_SUMS)} FROM arms WHERE host_id = ? ORDER BY arm",
        host_id,
    )
    return {
        arm: ArmSums(parent, *(part / UNIT for part in sums))._replace(form=form)
        for arm, parent, form, *sums in rows
    }


def leads_in(txn: Transaction, host_id: int) -> dict[int, dict[int, float]]:
    """Which arms of a host lead to which."""
    leads: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for arm, to_arm, found in txn.rows(
        "SELECT arm, to_arm, found FROM arm_leads WHERE host_id = ? AND found > 0", host_id
    ):
        leads[arm][to_arm] = found / UNIT
    return leads


def memory_of(work: "Work") -> FocusMemory:
    """What the node of a transaction has at hand."""
    assert work.memory.focus is not None
    return work.memory.focus


def pack_clues(clues: Sequence[int]) -> bytes:
    """The numbers of clues, two bytes each."""
    return struct.pack(f"<{len(clues)}H", *clues)


def unpack_clues(packed: bytes | None) -> tuple[int, ...]:
    """The numbers that `pack_clues` was given."""
    return struct.unpack(f"<{len(packed) // 2}H", packed) if packed else ()
