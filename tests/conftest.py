"""What all tests share: where the suites are, how big a run is, and what may be skipped."""

import os
import signal
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import conninfo
from tests import forked
from tests.frontier.server import Server, running
from tests.slowness import SLOWNESS

from gossamer.processes import sandbox

ROOT = Path(__file__).resolve().parent.parent
SUITES = Path(os.environ.get("GOSSAMER_TEST_SUITES", ROOT.parent / "shared" / "suites"))
IS_FULL_SIZE = os.environ.get("GOSSAMER_TEST_SIZE") == "full"
REQUIRED = frozenset(os.environ.get("GOSSAMER_TEST_REQUIRE", "").replace(",", " ").split())

# Files that take longest. xdist hands out whole files in this order (`--no-loadscope-reorder`).
LONGEST = frozenset(
    f"tests/{name}.py"
    for name in (
        "cli/commands/test_serve",
        "crawl/test_durability",
        "crawl/test_malice",
        "crawl/test_many_nodes",
        "crawl/test_sparql_server",
        "e2e/test_crawling",
        "e2e/test_reading",
        "faults/test_faults",
        "frontier/test_crashes",
        "frontier/test_postgres",
        "hostile/test_slow_hosts",
        "service/test_controls",
        "test_benches",
    )
)

# Where processes start as in the product, and not as in `forked`.
STARTING = ("tests/processes/", "tests/reading/pool/", "tests/hostile/")

# With this, every process that a test starts compiles all modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell has what it starts in the background ignore Ctrl-C, and all that this starts in turn.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A deadline per example is a wall-clock assertion: it fails on a busy machine only. Where a change is
# judged (CI), examples are the same each time; people who run the tests try new ones.
settings.register_profile(
    "gossamer",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(REQUIRED),
)
settings.load_profile("gossamer")


@pytest.fixture(autouse=True)
def forget_hidden_folders() -> Iterator[None]:
    """Data folders of tests that are over need no hiding: it takes each process time at its start."""
    before = set(sandbox._HIDDEN)
    yield
    sandbox._HIDDEN.clear()
    sandbox._HIDDEN.update(before)


@pytest.fixture(scope="session")
def full_size() -> bool:
    """Whether this is `make soak`: the same tests, at full size."""
    return IS_FULL_SIZE


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder of public conformance suites, or a skip that says where it was looked for."""
    if not any(SUITES.glob("*/README.md")):
        pytest.skip(
            "needs suites: no conformance suites in ../shared/suites (GOSSAMER_TEST_SUITES)"
        )
    return SUITES


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server."""
    with running() as server:
        yield server


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """The address of an empty database."""
    with empty_database(server) as address:
        yield address


@contextmanager
def empty_database(server: Server) -> Iterator[str]:
    """The same for tests that want several."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield conninfo.make_conninfo(server.dsn, dbname=name)
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def pytest_configure() -> None:
    """Start processes the quick way, but in `make soak`."""
    if not IS_FULL_SIZE:
        forked.install()


def pytest_unconfigure() -> None:
    """End what waits for processes to be wanted."""
    forked.end()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Where the start of processes is tested, they start as in the product."""
    name = item.path.relative_to(ROOT).as_posix()
    forked.is_wanted = not name.startswith(STARTING)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long files first, so that no core waits for the last; on a slow machine, more time for all."""
    items.sort(key=lambda item: item.path.relative_to(ROOT).as_posix() not in LONGEST)
    if SLOWNESS > 1:
        usual = float(config.getoption("timeout") or config.getini("timeout"))
        for item in items:
            mark = item.get_closest_marker("timeout")
            seconds = float(mark.args[0]) if mark is not None else usual
            item.add_marker(pytest.mark.timeout(seconds * SLOWNESS), append=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where something is required (CI), a test that skips for want of it fails instead."""
    report = yield
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr)
        named = reason.partition("needs ")[2].partition(":")[0]
        if not named or named in REQUIRED:
            report.outcome = "failed"
            report.longrepr = f"skipped, but REQUIRE={' '.join(sorted(REQUIRED))} is set: {reason}"
    return report
