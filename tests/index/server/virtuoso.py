"""A real Virtuoso on loopback, from Debian's package, or a skip that says why there is none."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from tests.ports import free_port
from tests.slowness import patience

from gossamer.index.server.address import Server

MOST_ROWS = 2_000
PATIENCE = patience(60)  # seconds for it to make its own tables
SETTINGS = """
[Database]
DatabaseFile = {folder}/v.db
TransactionFile = {folder}/v.trx
ErrorLogFile = {folder}/v.log
LockFile = {folder}/v.lck
xa_persistent_file = {folder}/v.pxa
FileExtend = 20
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx

[Parameters]
ServerPort = 127.0.0.1:{sql}
DirsAllowed = {allowed}
NumberOfBuffers = 4000
MaxDirtyBuffers = 3000
CheckpointInterval = 0

[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 5

[SPARQL]
ResultSetMaxRows = {most}
"""


@contextmanager
def virtuoso(
    folder: Path, *, sql: int | None = None, reads: Path | None = None
) -> Iterator[Server]:
    """Where it is, as long as this lasts; with its own protocol on a port, and a folder that its loader may read."""
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("needs virtuoso: install it with `make servers`")
    http, sql = free_port(), sql or free_port()
    allowed = folder if reads is None else f"{folder}, {reads}"
    settings = folder / "virtuoso.ini"
    settings.write_text(
        SETTINGS.format(folder=folder, allowed=allowed, http=http, sql=sql, most=MOST_ROWS)
    )
    command = [program, "+foreground", "+configfile", str(settings)]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{http}/sparql-auth"
    try:
        _wait(process, address.removesuffix("-auth"))
        yield Server(address, user="dba", password="dba")
    finally:
        process.kill()
        process.wait()


def _wait(process: "subprocess.Popen[bytes]", address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            urlopen(address).close()
        except URLError:
            assert process.poll() is None, "it does not start"
            assert time.monotonic() < deadline, "it takes too long to start"
            time.sleep(0.05)
        else:
            return
