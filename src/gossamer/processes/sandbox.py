"""The sandbox of a process that reads hostile bytes: Landlock, seccomp and limits, set by itself.

Nothing here needs rights, and nothing here is undone. Where the kernel lacks a part, the others
hold; where it has one and refuses to set it, the process does not start.
"""

import os
import resource
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from gossamer.processes.importable import python_rights
from gossamer.processes.landlock import (
    EXECUTE,
    READ,
    READ_FILE,
    WRITE,
    WRITE_FILE,
    add_rights,
    landlock_version,
    restrict_files,
)
from gossamer.processes.seccomp import filter_calls, forbid_new_privileges, missing_seccomp

OPEN_FILES: Final = 64  # for imports; the engines of graph and words open hundreds
LINKS_SINCE: Final = (
    2  # the version of Landlock that lets files be linked and moved between folders
)
PROC: Final = Path("/proc")
NULL: Final = Path("/dev/null")
# To find a host by its name, and to trust its certificate.
NETWORK_READS: Final = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
)


_HIDDEN: Final[set[str]] = set()


def hide_folder(folder: Path) -> None:
    """Keep processes that are started from now on from reading a folder.

    Data folders are hidden once they are in use: they may lie where Python looks for modules.
    """
    _HIDDEN.add(str(folder.resolve()))


def hidden_folders() -> tuple[str, ...]:
    """All folders that processes are kept from reading."""
    return tuple(sorted(_HIDDEN))


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a process may do beside computing, reading Python's files and answering its owner."""

    reads: tuple[str, ...] = ()  # files and folders
    writes: tuple[str, ...] = ()  # likewise; reads them too
    programs: tuple[str, ...] = ()  # files that it may run
    network: bool = False  # TCP and UDP, to anybody
    priorities: bool = False  # of its threads
    open_files: int | None = OPEN_FILES  # at most; None: as many as before
    cpu_seconds: int | None = None  # of its whole life, then the kernel ends it
    # Not to be read, even where they lie in Python's folders.
    hides: tuple[str, ...] = field(default_factory=hidden_folders)

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """The sandbox again, from what JSON made of it."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
        }
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Confinement:
    """What this machine has to confine a process with."""

    landlock: int  # the version of the kernel's; 0 for none
    missing: tuple[str, ...]  # what it lacks and why, a clause each

    @property
    def sentence(self) -> str:
        """What confines a process, in the words of `gossamer status`."""
        parts = [f"landlock {self.landlock}"] if self.landlock else []
        if not any(each.startswith("seccomp") for each in self.missing):
            parts.append("seccomp")
        if sys.platform == "linux":
            parts.append("no new privileges")
        without = f"without {'; '.join(self.missing)}" if self.missing else ""
        return ", ".join([*parts, *filter(None, [without])])


def find_confinement(*, writes: bool = False) -> Confinement:
    """What this machine has for a process that writes files, or for one that does not."""
    version, no_seccomp = landlock_version(), missing_seccomp()
    missing = []
    if not version:
        why = "the kernel has none" if sys.platform == "linux" else "only Linux has it"
        missing.append(f"landlock ({why}): files and TCP are not guarded")
    elif writes and version < LINKS_SINCE:
        missing.append(f"landlock {LINKS_SINCE} (the kernel has {version}): files are not guarded")
        version = 0
    elif version < 4:
        missing.append(f"landlock 4 (the kernel has {version}): TCP is guarded by seccomp alone")
    elif version < 6:
        missing.append(f"landlock 6 (the kernel has {version}): signals by seccomp alone")
    if no_seccomp is not None:
        missing.append(f"seccomp ({no_seccomp}): system calls are not filtered")
    return Confinement(version, tuple(missing))


def confinement_record() -> dict[str, str]:
    """What confines each kind of process, in the words of `gossamer status`."""
    reads, writes = find_confinement().sentence, find_confinement(writes=True).sentence
    return {"workers": reads, "queries": reads, "graph": writes, "words": writes}


def enter_sandbox(sandbox: Sandbox) -> None:
    """Lock this process in, for good. It has one thread so far: others would stay outside."""
    limit_resources(sandbox)
    if sys.platform != "linux":
        return
    forbid_new_privileges()
    if landlock_version() >= (LINKS_SINCE if sandbox.writes else 1):
        _check_alone()
        _hold_on(sandbox)
        restrict_files(add_rights(file_rights(sandbox)), tcp=sandbox.network)
    if missing_seccomp() is None:
        filter_calls(
            sockets=sandbox.network,
            programs=bool(sandbox.programs),
            files=bool(sandbox.writes),
            threads=sandbox.priorities,
        )


def limit_resources(sandbox: Sandbox) -> None:
    """Open few files, let none grow where the process is not to write any, and end at last."""
    if sandbox.cpu_seconds is not None:
        with suppress(OSError, ValueError):  # the system has us at less already
            # Both limits alike: the kernel kills, as a stranger would, and blames no page.
            resource.setrlimit(resource.RLIMIT_CPU, (sandbox.cpu_seconds, sandbox.cpu_seconds))
    if sandbox.open_files is not None:
        with suppress(OSError, ValueError):  # the system has us at less already
            limits = sandbox.open_files, sandbox.open_files
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    if not sandbox.writes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def file_rights(sandbox: Sandbox) -> Iterator[tuple[Path, int]]:
    """Paths and what may be done below them."""
    hidden = [Path(each).resolve() for each in sandbox.hides]
    network = NETWORK_READS if sandbox.network else ()
    run = EXECUTE if sandbox.programs else 0  # the loader of programs is a library
    for path, rights in python_rights(sys.path, hidden):
        yield path, rights | run if rights & READ_FILE else rights
    for each in (*sandbox.reads, *network):
        yield Path(each).resolve(), READ
    for each in sandbox.writes:
        yield Path(each).resolve(), WRITE
    for each in sandbox.programs:
        yield Path(each).resolve(), READ_FILE | EXECUTE
    yield NULL, READ_FILE | WRITE_FILE


def _hold_on(sandbox: Sandbox) -> None:
    """Keep folders below /proc open: the kernel makes them anew, without rights, once it drops them."""
    for each in sandbox.writes:
        if PROC in (path := Path(each).resolve()).parents and path.exists():
            os.open(path, os.O_PATH | os.O_CLOEXEC)


def _check_alone() -> None:
    threads = len([*Path("/proc/self/task").iterdir()]) if Path("/proc/self/task").is_dir() else 1
    if threads > 1:
        raise RuntimeError(f"{threads} threads run already: a sandbox would hold for one of them")
