from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer
from tests.columnar.worlds import Archives, ask, write_archives

from gossamer.demo.world import World


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    return write_archives(
        tmp_path_factory.mktemp("archives"), World(seed=6, pages=30, hosts=4), files=2
    )


def test_the_command_tells_what_it_did(
    gossamer: Gossamer, archives: Archives, tmp_path: Path
) -> None:
    pattern = str(archives.paths[0].parent / "part-0[01].warc.gz")
    done = gossamer("extract", pattern, "--to", "parquet", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "of 2 files in out" in done.stderr
    again = gossamer("extract", pattern, "nowhere.warc.gz", "--to", "parquet", "-o", "out")
    assert again.returncode == 1
    assert "nowhere.warc.gz: There is no such file or folder." in again.stderr
    assert "2 files had been read before." in again.stderr
    assert gossamer("extract", pattern, "--to", "parquet").returncode == 2


def test_statements_about_pages_are_there_when_they_are_asked_for(
    gossamer: Gossamer, archives: Archives, tmp_path: Path
) -> None:
    name = archives.names[0]
    gossamer("extract", name, "--to", "parquet", "-o", "all", "--page")
    lines = gossamer("extract", name).stdout.splitlines()
    ((count,),) = ask(f"SELECT count(*) FROM '{tmp_path}/all/quads/*.parquet'")
    assert count == len(lines)
    without = gossamer("extract", name, "--no-page").stdout.splitlines()
    assert len(without) < len(lines)
