"""What `docs/operations.md` says about backups is done here, word by word."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.in_process import gossamer
from tests.owner.small_crawl import made
from tests.slowness import patience

PAGE = Path(__file__).resolve().parent.parent / "docs" / "operations.md"


def commands(beginning: str) -> list[str]:
    """The lines of its shell blocks that begin so, without what is said about them."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith(beginning)]


def shell(line: str, folder: Path) -> str:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 0, f"{line}: {done.stderr}"
    return done.stdout


def test_a_backup_is_restored_as_it_was(tmp_path: Path) -> None:
    asyncio.run(made(tmp_path / "gossamer-data"))
    query = "SELECT ?o { ?s <http://v.test/says> ?o } ORDER BY ?o"
    before = gossamer("query", query, "--to", "csv", "--data", str(tmp_path / "gossamer-data"))
    whole, small = commands("tar -czf")
    for line in (whole, small, *commands("mkdir -m 700"), *commands("tar -xzf")):
        shell(line, tmp_path)
    assert {path.name for path in (tmp_path / "restored").iterdir()} & {"graph", "words"} == set()
    assert (tmp_path / "restored" / "frontier.db").is_file()
    shell("tar -xzf gossamer-backup.tar.gz -C restored", tmp_path)
    shutil.rmtree(tmp_path / "gossamer-data")
    (status,) = commands("gossamer status --data restored")
    assert "2 with content" in shell(status, tmp_path)
    restored = str(tmp_path / "restored")
    assert gossamer("query", query, "--to", "csv", "--data", restored) == before
