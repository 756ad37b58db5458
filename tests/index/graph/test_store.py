"""The store, with real files and real kills."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.index.made_pages import PAGES, V, about, kept, page, shown, url
from tests.slowness import patience

from gossamer.index.graph import store
from gossamer.index.graph.page_diff import Change, GraphCounts
from gossamer.index.graph.pages import TRIPLES, PageGraphs
from gossamer.index.graph.store import GraphStore, Tables

ROOT = Path(__file__).resolve().parents[3]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "drop", "empty", "keep", "close", "crash"]),
        st.integers(0, 4),
        st.integers(0, 3),
    ),
    max_size=12,
)


def step(what: str, number: int, version: int) -> PageGraphs:
    match what:
        case "replace":
            return page(number, version)
        case "drop":
            return PageGraphs(url(number), None, b"", drop=True)
        case "empty":
            return PageGraphs(url(number), b"", about(number, version))
    return PageGraphs(url(number), None, about(number, version))


def after(model: Mapping[str, PageGraphs], change: PageGraphs) -> dict[str, PageGraphs]:
    """What is to be there after a change, by the letter of `PageGraphs`."""
    if change.drop:
        return {name: each for name, each in model.items() if name != change.url}
    if change.nquads is None:
        before = model[change.url].nquads if change.url in model else b""
        change = PageGraphs(change.url, before, change.fetch)
    return {**model, change.url: change}


def fresh(model: Mapping[str, PageGraphs]) -> tuple[frozenset[str], GraphCounts]:
    """A new graph of these pages alone."""
    with TemporaryDirectory() as folder:
        store = GraphStore.open(Path(folder))
        store.replace(list(model.values()))
        counts = store.counts
        del store
        return kept(Path(folder)), counts


def test_tables_are_written_when_there_is_much_in_memory_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.index.graph.store.MOST_FRESH", 100)

    def tables() -> int:
        return len(list(tmp_path.rglob("*.sst")))

    store, at_first = GraphStore.open(tmp_path), tables()
    store.replace([page(0, 1)])
    store.flush()
    assert tables() == at_first
    for number in range(1, 40):
        store.replace([page(number, 1)])
        store.flush()
    store.close()  # when nothing is being written any more
    assert tables() > at_first
    del store
    assert kept(tmp_path) == fresh({url(n): page(n, 1) for n in range(40)})[0]


@settings(max_examples=15)
@given(STEPS, st.integers(1, 4))
def test_whatever_happens_in_whatever_order_the_graph_equals_a_fresh_one(
    steps: list[tuple[str, int, int]], batch: int
) -> None:
    model: dict[str, PageGraphs] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = GraphStore.open(folder)
        waiting: list[PageGraphs] = []
        for what, number, version in steps:
            if what in ("close", "crash"):
                if what == "close":
                    store.close()
                del store
                store = GraphStore.open(folder)
                continue
            change = step(what, number, version)
            model = after(model, change)
            waiting.append(change)
            if len(waiting) >= batch:
                assert store.replace(waiting) == []
                waiting = []
        store.replace(waiting)
        counts = store.counts
        del store
        assert (kept(folder), counts) == fresh(model)


def test_counts_are_exact_after_a_crash_too(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    inner = PageGraphs(url(4), f"<urn:s> <urn:p> <urn:o> <{url(4)}#graph-1> .".encode(), b"")
    # What a page itself says about sizes is not counted.
    boast = PageGraphs(url(5), f'<{url(5)}> {TRIPLES} "99" <{url(5)}> .'.encode(), about(5))
    assert store.replace([page(1), page(2, size=0), page(3), inner, boast]) == []
    expected = GraphCounts(pages=5, graphs=6, quads=24)
    assert store.counts == expected
    del store
    assert not (tmp_path / "counts.json").exists()
    store = GraphStore.open(tmp_path)
    assert store.counts == expected
    store.close()
    assert (tmp_path / "counts.json").exists()
    del store
    assert GraphStore.open(tmp_path).counts == expected


def test_a_refused_page_stays_as_it_was_and_the_others_go_on(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([page(1)])
    foreign = PageGraphs(url(1), page(2).nquads, about(1, version=1))
    (refused,) = store.replace([foreign, page(3)])
    assert refused.url == url(1)
    assert "not the page's to write" in refused.message
    del store
    assert kept(tmp_path) == fresh({url(1): page(1), url(3): page(3)})[0]


def test_a_name_that_no_page_can_have_is_refused_whatever_is_to_be_done(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    for name in ("http://a.test/?a|b", "http://a.test/#fetch"):
        for drop in (False, True):
            (refused,) = store.replace([PageGraphs(name, b"", b"", drop=drop)])
            assert refused.url == name


def test_a_page_that_the_engine_cannot_write_is_left_as_it_was(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([page(1), page(2)])
    # Read without its checks, to have something that nothing should let through.
    broken = f"<http://x.test/{{}}> <urn:p> <urn:o> <{url(1)}> .".encode()
    quads = frozenset(ox.parse(broken, format=ox.RdfFormat.N_QUADS, lenient=True))
    gone = frozenset({ox.NamedNode(f"{url(2)}#graph-0")})
    changes = {
        url(1): Change(quads, dropped=frozenset({ox.NamedNode(url(1))})),
        url(2): Change(frozenset(), dropped=gone, counts=GraphCounts(0, -1, -1)),
    }
    assert [each.url for each in store._update(changes)] == [url(1)]
    assert store.counts == GraphCounts(2, 3, 21)
    del store
    assert len([quad for quad in kept(tmp_path) if quad.endswith(f"<{url(1)}>")]) == 10


def test_a_page_twice_in_one_batch_is_taken_in_turn(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    kept_again = PageGraphs(url(1), None, about(1, version=7))
    store.replace([page(1), page(1, version=1), kept_again])
    assert store.counts == GraphCounts(1, 2, 11)
    del store
    last = PageGraphs(url(1), page(1, version=1).nquads, about(1, version=7))
    assert kept(tmp_path) == fresh({url(1): last})[0]


def test_graphs_that_a_page_no_longer_has_are_gone_not_empty(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([page(1)])
    store.replace([page(1, version=1)])
    store.replace([PageGraphs(url(2), b"", about(2))])
    store.replace([PageGraphs(url(2), None, b"", drop=True)])
    store.replace([PageGraphs(url(9), None, b"", drop=True)])
    del store
    names = ox.Store.read_only(str(tmp_path / "quads")).named_graphs()
    expected = [url(1), f"{url(1)}#fetch", f"{url(1)}#graph-1"]
    assert sorted(str(name)[1:-1] for name in names) == expected


def test_statements_that_are_hard_to_write_survive_a_replacement(tmp_path: Path) -> None:
    name = url(1)
    said = [
        r'<http://x.test/> <http://x.test/p> "a\"\\\n\r\t\u0001\u007F\u2028<>{}"@ar--rtl',
        r'<http://x.test/> <http://x.test/p> <<( _:a <http://x.test/p> "é\U0001F600"@en )>>',
        r'_:a <http://x.test/\u00e9> "1.0"^^<http://x.test/type>',
        r"<http://x.test/#'()*;,> <http://x.test/p> <urn:x:%7B>",
    ]
    first, second = ([f"{each} <{name}> ." for each in part] for part in (said[:2], said[1:]))
    store = GraphStore.open(tmp_path)
    for lines in (first, second, first):
        assert not store.replace([PageGraphs(name, "\n".join(lines).encode(), about(1))])
    del store
    expected = fresh({name: PageGraphs(name, "\n".join(first).encode(), about(1))})
    assert kept(tmp_path) == expected[0]
    assert len(expected[0]) == 4


def test_readers_of_a_snapshot_see_whole_pages(tmp_path: Path) -> None:
    store = GraphStore.open(tmp_path)
    store.replace([page(1)])
    snapshot = store.snapshot()
    store.replace([page(1, version=1), page(2)])
    assert shown(ox.Store.read_only(str(snapshot))) == fresh({url(1): page(1)})[0]
    store.release(snapshot)
    now = shown(ox.Store.read_only(str(store.snapshot())))
    assert now == fresh({url(1): page(1, version=1), url(2): page(2)})[0]


# Replaces pages without end, says what it will do, and what is done.
WRITER = """
import sys
from pathlib import Path
from random import Random
from tests.index.made_pages import PAGES, page
from gossamer.index.graph.store import GraphStore
store, chance = GraphStore.open(Path(sys.argv[1])), Random(sys.argv[2])
for version in range(int(sys.argv[3]), 10**6):
    numbers = chance.sample(range(PAGES), 6)
    print("begin", version, *numbers, flush=True)
    assert not store.replace([page(number, version) for number in numbers])
    store.flush()
    print("done", version, flush=True)
"""


class Known:
    """What a writer has said about each page: flushed for certain, or begun."""

    def __init__(self) -> None:
        self.flushed: dict[int, int] = {}
        self.begun: dict[int, set[int]] = {}
        self.version = 0

    def hear(self, lines: list[str]) -> None:
        numbers: list[int] = []
        for line in lines:
            what, version, *rest = line.split()
            self.version = int(version) + 1
            if what == "begin":
                numbers = [int(each) for each in rest]
                for number in numbers:
                    self.begun.setdefault(number, set()).add(int(version))
            else:
                self.found(dict.fromkeys(numbers, int(version)))

    def found(self, versions: Mapping[int, int]) -> None:
        self.flushed.update(versions)
        for number in versions:
            self.begun.pop(number, None)

    def possible(self, number: int) -> set[int | None]:
        return {self.flushed.get(number), *self.begun.get(number, ())}


def killed_writer(folder: Path, known: Known, chance: random.Random) -> None:
    """Let a process write, and kill it at some moment."""
    run = [sys.executable, "-c", WRITER, str(folder), str(chance.random()), str(known.version)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(chance.randrange(1, 30))]
        time.sleep(chance.random() * 0.02)
        writer.kill()
        said += writer.stdout.readlines()
    known.hear([line for line in said if line.endswith("\n")])


def versions_kept(folder: Path) -> dict[int, int]:
    """Which version of each page is there, by the statements about its fetch."""
    store = ox.Store.read_only(str(folder / "quads"))
    found = store.quads_for_pattern(None, ox.NamedNode(f"{V}version"), None, None)
    names = {f"{url(number)}#fetch": number for number in range(PAGES)}
    return {names[str(quad.subject)[1:-1]]: int(str(quad.object)[1:-1]) for quad in found}


@pytest.mark.timeout(1800)
def test_after_a_kill_every_page_is_there_whole_and_none_that_was_flushed_is_lost(
    tmp_path: Path, full_size: bool
) -> None:
    chance, known = random.Random(7), Known()
    for _ in range(50 if full_size else 6):
        killed_writer(tmp_path, known, chance)
        present = versions_kept(tmp_path)
        for number in range(PAGES):
            assert present.get(number) in known.possible(number)
        whole, counts = fresh({url(n): page(n, version) for n, version in present.items()})
        assert kept(tmp_path) == whole
        assert GraphStore.open(tmp_path).counts == counts
        known.found(present)
    assert len(known.flushed) > PAGES // 2


LARGE_WRITER = """
import sys
from pathlib import Path
from gossamer.index.graph import store
from tests.index.graph.test_store import large_page
store.LARGE = 1_000
graph = store.GraphStore.open(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), 10**6):
    print(number, flush=True)
    assert not graph.replace([large_page(number)])
    graph.flush()
    print("done", flush=True)
"""
LARGE_SIZE = 3_000


def large_page(number: int) -> PageGraphs:
    name = url(number)
    said = (f'<{name}#{n}> <{V}p> "{number} {n}" <{name}> .\n' for n in range(LARGE_SIZE))
    return PageGraphs(name, "".join(said).encode(), about(number, 1))


def test_a_large_page_is_there_as_any_other_and_can_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LARGE", 1_000)
    graph = GraphStore.open(tmp_path / "large")
    assert not graph.replace([page(0, 1), large_page(1), page(2, 1), large_page(3)])
    assert not graph.replace([large_page(1), page(3, 2)])
    counts = graph.counts
    del graph
    whole, expected = fresh(
        {each.url: each for each in (*map(page, (0, 2, 3), (1, 1, 2)), large_page(1))}
    )
    assert kept(tmp_path / "large") == whole
    assert counts == expected


def test_after_a_kill_every_large_page_is_there_whole_and_none_that_was_flushed_is_lost(
    tmp_path: Path, full_size: bool
) -> None:
    chance, first = random.Random(7), 0
    for _ in range(20 if full_size else 3):
        run = [sys.executable, "-c", LARGE_WRITER, str(tmp_path), str(first)]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline() for _ in range(chance.choice([1, 3]))]
            time.sleep(chance.random() * 0.1)
            writer.kill()
            said += [line for line in writer.stdout.readlines() if line.endswith("\n")]
        begun = len([line for line in said if line != "done\n"])
        graph = ox.Store.read_only(str(tmp_path / "quads"))
        sizes = [
            sum(1 for _ in graph.quads_for_pattern(None, None, None, ox.NamedNode(url(number))))
            for number in range(first, first + begun)
        ]
        whole = said.count("done\n")
        assert sizes[:whole] == [LARGE_SIZE] * whole
        assert set(sizes[whole:]) <= {0, LARGE_SIZE}
        first += begun
    assert first > 2


class Disk:
    """Takes tables when it is told to."""

    def __init__(self, *, ready: bool = True) -> None:
        self.go_on = threading.Event()
        self.written = 0
        self.error: OSError | None = None
        if ready:
            self.go_on.set()

    def write(self) -> None:
        """Take a table."""
        assert self.go_on.wait(patience(60))
        if self.error:
            raise self.error
        self.written += 1


def test_tables_are_written_every_so_many_quads() -> None:
    disk = Disk()
    tables = Tables(disk.write, 10)
    for _ in range(10):
        tables.grew(4)
        tables.keep_up()
    tables.close()
    assert disk.written == 3


def test_what_somebody_else_wrote_is_not_written_again() -> None:
    disk = Disk()
    tables = Tables(disk.write, 10)
    for _ in range(5):
        tables.grew(8)
        tables.keep_up()
        tables.written()
    tables.close()
    assert disk.written == 0


def test_nobody_waits_for_one_table_but_for_two() -> None:
    disk = Disk(ready=False)
    tables = Tables(disk.write, 1)
    tables.grew(1)
    tables.keep_up()
    assert disk.written == 0
    tables.grew(1)
    threading.Timer(0.05, disk.go_on.set).start()
    tables.keep_up()
    assert disk.written >= 1
    tables.close()
    assert disk.written == 2


def test_what_went_wrong_is_told_the_next_time_and_tried_again() -> None:
    disk = Disk()
    disk.error = OSError("no room")
    tables = Tables(disk.write, 1)
    tables.grew(1)
    tables.keep_up()
    tables.grew(1)
    with pytest.raises(OSError, match="no room"):
        tables.keep_up()
    disk.error = None
    tables.keep_up()
    tables.close()
    assert disk.written == 1
