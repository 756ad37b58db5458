"""A crawl whose archive, graph and words lie outside its data folder, by the commands that a user gives."""

import gzip
import json
import shutil
from pathlib import Path

from tests.in_process import gossamer, run_here

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World


def crawl(server: DemoServer, front: str, data: Path, *more: str) -> int:
    """Crawl some of a demo web; how many pages there are."""
    said = gossamer(
        *("crawl", front, "--data", str(data), "--scope", "any", "--delay", "0", "--json"),
        *("--exclude", "malice", "--connect-to", server.connect_to, *more),
    )
    return int(json.loads(said.splitlines()[-1])["pages"])


def test_parts_of_a_folder_move_to_other_disks_and_all_is_found_there(tmp_path: Path) -> None:
    data, disk = tmp_path / "data", tmp_path / "disk"
    disk.mkdir()
    world = World(seed=6, pages=30, hosts=2, crawl_delay=0)
    with DemoServer(world) as server:
        pages = crawl(server, world.front(0), data, "--max-pages", "10")
        before = gossamer("export", "--data", str(data))
        # Stop, move, set: as docs/archive.md has it.
        for part in ("graph", "words"):
            shutil.move(data / part, disk / part)
        (data / "gossamer.toml").write_text(
            f"""
            [index]
            graph_folder = "{disk / "graph"}"
            words_folder = "{disk / "words"}"
            [archive]
            folders = ["{disk / "warc"}"]
            """
        )
        assert gossamer("export", "--data", str(data)) == before
        assert crawl(server, world.front(0), data, "--max-pages", "30") > pages
    assert not (data / "graph").exists()
    assert not (data / "words").exists()
    assert [*disk.glob("warc/*.warc.gz")]
    told = json.loads(gossamer("status", "--json", "--data", str(data)))
    (home, other) = told["archive_folders"]
    assert (home["in_use"], other["in_use"], other["trouble"]) == (False, True, None)
    assert json.loads(gossamer("search", "a", "--json", "--limit", "1", "--data", str(data)))
    assert f"{disk / 'warc'}: " in gossamer("status", "--data", str(data))
    rebuilt = json.loads(gossamer("rebuild", "--json", "--data", str(data)))
    assert rebuilt["pages"] > pages
    assert (rebuilt["changed"], rebuilt["unreadable"]) == (0, 0)

    (disk / "warc").rename(disk / "away")
    for command in (("forget", world.front(0)), ("rebuild",)):
        done = run_here(*command, "--data", str(data))
        assert done.returncode == 1
        assert "needs all folders of the archive" in done.stderr
        assert str(disk / "warc") in done.stderr
    assert "Is its disk mounted?" in gossamer("status", "--data", str(data))
    (disk / "away").rename(disk / "warc")

    gone = json.loads(
        gossamer("forget", "--json", world.front(0).split("/")[2], "--data", str(data))
    )
    assert gone["records"] > 0
    for path in [*disk.glob("warc/*.gz"), *(data / "archive").glob("*.gz")]:
        assert f"WARC-Target-URI: {world.front(0)}".encode() not in gzip.decompress(
            path.read_bytes()
        )
