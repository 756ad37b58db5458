"""A folder as an object: asked beside its owner and without, from loops and threads, by people who interrupt."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.api.shop import make_shop
from tests.owner.small_crawl import made
from tests.slowness import patience

import gossamer as package
from gossamer import Folder, Iri, QuadRows, Rows
from gossamer.api.loop_thread import ClosedError
from gossamer.config import Config
from gossamer.errors import DataFolderError, FolderInUseError, GossamerError
from gossamer.folder.data import DataFolder
from gossamer.owner import folder_keeper
from gossamer.owner.messages import ask
from gossamer.owner.opening import answer_folder
from gossamer.owner.questions import MakeWay, Who
from gossamer.owner.unix_socket import NoOwnerError, Owner

SAYS = (
    "SELECT ?page ?o (STRLEN(?o) AS ?n) { GRAPH ?page { ?s <http://v.test/says> ?o } } ORDER BY ?o"
)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(made(tmp_path_factory.mktemp("crawl") / "gossamer-data")).path


@pytest.fixture
def data(crawl: Path) -> Iterator[Folder]:
    with package.open(crawl) as data:
        yield data


@contextmanager
def owned_by_another(folder: Path) -> Iterator[None]:
    """Somebody else owns the folder, and answers, in a loop and a thread of their own."""
    ready, over = threading.Event(), threading.Event()

    async def own() -> None:
        data = DataFolder(folder)
        with data.owned(timedelta(seconds=patience(10))):
            async with answer_folder("crawl", data, Config()):
                ready.set()
                await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(own()))
    thread.start()
    try:
        assert ready.wait(patience(30))
        yield
    finally:
        over.set()
        thread.join()


def owner_of(folder: Path) -> str | None:
    try:
        return str(asyncio.run(ask(Owner(DataFolder(folder).socket_file), Who()))["command"])
    except NoOwnerError:
        return None


def test_rows_are_typed(data: Folder) -> None:
    found = data.query(SAYS)
    assert isinstance(found, Rows)
    assert found.columns == ("page", "o", "n")
    assert found.rows()[0] == {"page": "http://a.test/good", "o": "one", "n": 3}
    assert isinstance(found[0]["page"], Iri)
    assert found.column("n") == [3, 5, 3]
    assert (found.cut, data.query(SAYS, limit=1).cut) == (False, True)
    unbound = data.query("SELECT ?a ?b { VALUES (?a ?b) { (1 UNDEF) } }")
    assert unbound.rows() == [{"a": 1, "b": None}]
    with pytest.raises(KeyError, match="no column 'x'; there are page, o, n"):
        found.column("x")


def test_where_there_are_no_rows_it_is_told_what_was_probably_meant(data: Folder) -> None:
    nothing = data.query("SELECT ?o { ?s <http://v.test/syas> ?o }")
    assert len(nothing) == 0
    assert any("v.test/says" in hint for hint in nothing.hints), nothing.hints
    assert "v.test/says" in repr(nothing)


def test_yes_and_no_and_statements_are_what_they_are(data: Folder) -> None:
    assert data.query("ASK { ?s ?p 'three' }") is True
    assert data.query("ASK { ?s ?p 'four' }") is False
    said = data.query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o FILTER (?o = 'three') }")
    assert isinstance(said, QuadRows)
    (quad,) = said.quads
    assert isinstance(quad, ox.Quad)
    assert said.rows() == [
        {"subject": "http://a.test/odd", "predicate": "http://v.test/says", "object": "three"}
    ]
    assert [*ox.parse(said.nquads, ox.RdfFormat.N_QUADS)] == [quad]


def test_rows_come_one_by_one_and_the_rest_is_left(data: Folder) -> None:
    rows = data.stream("SELECT ?o { ?s <http://v.test/says> ?o } ORDER BY ?o")
    assert next(rows) == {"o": "one"}
    rows.close()  # type: ignore[attr-defined]  # which a generator has
    assert len([*data.stream(SAYS)]) == 3
    with pytest.raises(GossamerError, match="Only the rows of a SELECT"):
        next(data.stream("ASK {}"))


def test_what_is_said_has_the_pages_that_say_it(data: Folder) -> None:
    entity = data.entity("http://a.test/good")
    assert entity is not None
    assert (entity.label, entity.pages, entity.values("says")) == (
        "one",
        ("http://a.test/good",),
        ["one", "two"],
    )
    assert entity[0]["page"] == "http://a.test/good"
    assert data.entity("http://a.test/nosuch") is None


def test_words_vocabulary_and_status_are_there(data: Folder) -> None:
    found = data.search("three")
    assert (found.total, found[0]["label"]) == (1, "three")
    assert found[0]["alike"] == 0
    assert data.search("three", host="b.test", fold=False).total == 0
    assert data.vocabulary().column("iri") == ["http://v.test/says"]
    assert data.status()["graph"]["quads"] == 3


def test_a_url_is_explained_from_what_is_known(data: Folder) -> None:
    odd = data.explain("a.test/odd")
    assert (odd["url"], odd["robots"]) == ("http://a.test/odd", None)
    assert odd["page"]["state"] == "settled"
    assert odd["page"]["told"][0]["message"] == "A comma too many."
    assert data.explain("http://a.test/nosuch")["page"] is None


def test_what_is_wrong_with_a_query_is_a_sentence(data: Folder) -> None:
    with pytest.raises(package.GossamerError, match="This is no SPARQL query: line 1"):
        data.query("SELECT nonsense {")
    with pytest.raises(GossamerError, match="would change the graph"):
        data.query("INSERT DATA { <a:b> <a:b> <a:b> }")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no data folder .*gossamer crawl"):
        package.open(tmp_path / "nosuch")
    assert not (tmp_path / "nosuch").exists()
    with pytest.raises(DataFolderError, match="There is no crawl in"):
        package.open(tmp_path)


def test_an_owner_is_asked(crawl: Path) -> None:
    with owned_by_another(crawl), package.open(crawl) as data:
        assert data.query("ASK {}") is True
        assert data.status()["owner"]["command"] == "crawl"
        assert len(data.table("Nosuch", host="a.test")) == 0


def test_owners_may_change_between_two_questions(data: Folder, crawl: Path) -> None:
    assert data.status()["owner"]["command"] == "python"
    assert asyncio.run(ask(Owner(DataFolder(crawl).socket_file), MakeWay()))["command"] == "python"
    with owned_by_another(crawl):
        assert data.status()["owner"]["command"] == "crawl"
    assert data.query("ASK {}") is True


def test_commands_that_send_get_the_folder_however_often_it_is_asked(
    data: Folder, crawl: Path
) -> None:
    over = threading.Event()

    def ask_on() -> None:
        while not over.wait(0.02):
            data.query("ASK {}")

    with ThreadPoolExecutor(1) as threads:
        asking = threads.submit(ask_on)
        try:
            # Nobody listens there, which is an answer too.
            command = [str(Path(sys.executable).with_name("gossamer")), "check", "http://a.test:1/"]
            done = subprocess.run(
                [*command, "--connect-to", "*.test=127.0.0.1:9", "--data", str(crawl)],
                capture_output=True,
                text=True,
                timeout=patience(60),
                check=False,
            )
        finally:
            over.set()
        asking.result(patience(30))
    assert "in use by process" not in done.stderr
    assert "http://a.test:1/" in done.stdout


def test_the_folder_is_let_go_when_it_is_closed(crawl: Path) -> None:
    with package.open(crawl) as data:
        data.query("ASK {}")
        assert owner_of(crawl) == "python"
    with DataFolder(crawl).owned(timedelta(0)):
        pass
    with pytest.raises(ClosedError, match="Open it again"):
        data.query("ASK {}")
    assert "closed" in repr(data)
    data.close()  # once more does no harm


def test_it_closes_on_exceptions(crawl: Path) -> None:
    with pytest.raises(ZeroDivisionError), package.open(crawl) as data:
        raise ZeroDivisionError(data.query("ASK {}"))
    with DataFolder(crawl).owned(timedelta(0)):
        pass


def test_a_running_loop_and_threads_may_ask(data: Folder) -> None:
    async def notebook() -> bool:
        return bool(data.query("ASK {}"))

    assert asyncio.run(notebook()) is True
    with ThreadPoolExecutor(4) as threads:
        assert len({len(each) for each in threads.map(data.query, [SAYS] * 8)}) == 1


def test_whoever_has_the_folder_and_does_not_answer_is_told_of(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_keeper, "WAIT_SECONDS", 0.1)
    with (
        DataFolder(crawl).owned(timedelta(seconds=patience(10))),
        package.open(crawl) as data,
        pytest.raises(FolderInUseError, match="answers no questions"),
    ):
        data.query("ASK {}")


INTERRUPTED = """
import gossamer, os, signal, sys, threading
data = gossamer.open(sys.argv[1])
data.query("ASK {}")
try:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    data.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?p ?q ?r }")
except KeyboardInterrupt:
    print("interrupted", data.query("ASK {}"))
"""


def test_an_interruption_ends_the_question_and_leaves_the_folder_as_it_was(crawl: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(crawl)],
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted True\n", "")
    with DataFolder(crawl).owned(timedelta(seconds=patience(10))):
        pass


def test_importing_gossamer_loads_next_to_nothing() -> None:
    count = "import gossamer, sys; print(sum(n.startswith('gossamer') for n in sys.modules), 'asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]


def test_a_child_process_opens_a_folder_of_its_own(data: Folder) -> None:
    data.query("ASK {}")
    child = os.fork()
    if not child:
        try:
            data.query("ASK {}")
        except ClosedError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_things_of_a_type_are_a_table(tmp_path: Path) -> None:
    with package.open(make_shop(tmp_path / "shop").path) as data:
        columns = ["name", "offers.price", "offers.priceCurrency", "brand.name"]
        prices = data.table("Product", columns=columns)
        frame = prices.df()
        assert frame.dtypes["offers.price"] == "float64"
        assert sorted(frame["name"]) == ["Chair", "Desk <b>", "Lamp"]
        (lamp,) = (row for row in prices if row["name"] == "Lamp")
        assert isinstance(lamp["id"], Iri)
        assert [lamp[name] for name in columns] == ["Lamp", 19.9, "EUR", "Northwind"]
        several = data.table("Product", columns=["offers.price"], lists=True)
        assert str(several.arrow().schema.field("offers.price").type) == "list<item: double>"
        assert sorted(len(each) for each in several.pl()["offers.price"]) == [1, 1, 2]
        assert len(data.table("Product", host="b.test")) == 1
        assert data.table("Product", limit=1).cut
        nothing = data.table("Prodct")
        assert (len(nothing), "Did you mean Product" in nothing.hints[0]) == (0, True)
        assert data.table("Product", ["nosuch"]).hints == ("No entity has nosuch.",)
