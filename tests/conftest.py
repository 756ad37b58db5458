"""What all tests share: where the suites are, how big a run is, and what may be skipped."""

import os
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from psycopg import conninfo
from tests.frontier.server import Server, running

ROOT = Path(__file__).resolve().parent.parent
SUITES = Path(os.environ.get("GOSSAMER_TEST_SUITES", ROOT.parent / "shared" / "suites"))
REQUIRED = frozenset(os.environ.get("GOSSAMER_TEST_REQUIRE", "").replace(",", " ").split())

# A deadline per example is a wall-clock assertion: it fails on a busy machine only.
settings.register_profile("gossamer", deadline=None)
settings.load_profile("gossamer")


@pytest.fixture(scope="session")
def full_size() -> bool:
    """Whether this is `make soak`: the same tests, at full size."""
    return os.environ.get("GOSSAMER_TEST_SIZE") == "full"


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
