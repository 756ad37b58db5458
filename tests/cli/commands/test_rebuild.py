import json
from collections.abc import Callable

import pytest
from tests.cli.conftest import Gossamer
from tests.index.damage import break_tables

from gossamer.folder.data import DataFolder


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("rebuild")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr


def test_a_crawl_without_an_archive_is_left_alone(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("rebuild")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 pages read anew: 0 changed, 0 quads added, 0 removed.\n"
    assert small_crawl.graph_folder.exists()


def asides(data: DataFolder) -> list[str]:
    return [path.name for path in data.path.glob("graph-*")]


def spoil_tables(data: DataFolder) -> None:
    break_tables(data.graph_folder)


def spoil_manifest(data: DataFolder) -> None:
    for file in data.graph_folder.glob("quads/MANIFEST*"):
        file.write_bytes(b"junk" * 100)


def spoil_format(data: DataFolder) -> None:
    (data.graph_folder / "format").write_text("gossamer graph 99\n")


@pytest.mark.parametrize("spoil", [spoil_tables, spoil_manifest, spoil_format])
def test_a_graph_that_cannot_be_used_is_put_aside_and_another_is_made(
    here: Gossamer, small_crawl: DataFolder, spoil: Callable[[DataFolder], None]
) -> None:
    spoil(small_crawl)
    asked = here("query", "SELECT * { ?s ?p ?o }")
    assert asked.returncode == 1
    assert "`gossamer rebuild` puts it aside and makes it anew from the archive." in asked.stderr
    status = here("status")
    assert status.returncode == 0
    assert "`gossamer rebuild`" in status.stdout
    done = here("rebuild")
    assert done.returncode == 0
    (aside,) = asides(small_crawl)
    assert f"put aside as {small_crawl.path.name}/{aside}" in done.stderr
    assert "What 2 pages said could not be made anew: the archive has no copy." in done.stderr
    assert here("query", "ASK { ?s ?p ?o }").stdout == "false\n"
    assert here("rebuild").stderr == ""
    assert asides(small_crawl) == [aside]


def test_a_graph_that_is_whole_is_put_aside_when_that_is_wanted(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    done = here("rebuild", "--anew", "--json")
    record = json.loads(done.stdout)
    assert (record["lost"], [record["aside"].rpartition("/")[2]]) == (2, asides(small_crawl))


def test_one_that_was_broken_off_is_taken_up_where_it_is(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    (small_crawl.graph_folder / "unfinished").touch()
    assert "making it anew was broken off" in here("query", "ASK {}").stderr
    assert here("rebuild").returncode == 0
    assert asides(small_crawl) == []
    assert here("query", "ASK {}").returncode == 0
