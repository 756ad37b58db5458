"""The scripts of `examples/` run as they stand, against the demo web on loopback."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoServer]:
    with DemoServer(World(pages=30, hosts=2, crawl_delay=0)) as demo:
        yield demo


def run(folder: Path, demo: DemoServer, script: str, *words: str) -> str:
    """What a script prints, with settings that have it ask nothing but the demo web."""
    clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
    settings = {
        "GOSSAMER_FETCH_CONNECT_TO": f"*.test={demo.address}",
        "GOSSAMER_POLITENESS_DELAY": "0",
    }
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script), *words],
        cwd=folder,
        env={**clean, **settings},
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_crawl_becomes_a_data_frame(tmp_path: Path, demo: DemoServer) -> None:
    said = run(tmp_path, demo, "crawl_to_data_frame.py", "www.site0.test", "Event")
    assert said.splitlines()[1].split() == ["name", "page"]
    assert "http://www.site0.test/" in said
    assert not [*tmp_path.iterdir()]


def test_prices_of_a_shop_become_parquet(tmp_path: Path, demo: DemoServer) -> None:
    said = run(tmp_path, demo, "shop_prices.py", "www.site0.test", "prices.parquet")
    prices = pl.read_parquet(tmp_path / "prices.parquet")
    assert prices.schema["offers.price"] == pl.Float64
    assert prices["offers.price"].drop_nulls().len() > 0
    assert "mean" in said


def test_all_examples_are_listed() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    assert [
        path.name
        for path in EXAMPLES.glob("*.*")
        if path.name != "README.md" and f"]({path.name})" not in listed
    ] == []
