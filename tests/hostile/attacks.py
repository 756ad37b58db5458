"""What somebody who took a process over would try, as functions that run inside of it.

Each says `refused`, or what it got. They look at nothing that could hurt, should they succeed.
"""

import ctypes
import errno
import json
import mmap
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

REFUSED: Final = "refused"
_REFUSALS: Final = {errno.EPERM, errno.EACCES}
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
# getpid() of i386 (`mov eax, 20; int 0x80; ret`) and of x32 (`mov eax, 0x40000027; syscall; ret`).
INT80: Final = bytes.fromhex("b814000000 cd80 c3")
X32: Final = bytes.fromhex("b827000040 0f05 c3")
NUMBERS: Final = {  # of system calls, on x86-64 and on aarch64
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "mount": (165, 40),
    "pidfd_open": (434, 434),
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
}


def outcome(attack: Callable[[], object]) -> str:
    """What became of an attack."""
    try:
        got = attack()
    except OSError as error:
        return REFUSED if error.errno in _REFUSALS else f"{type(error).__name__}: {error}"
    return f"got {got!r}"[:200]


def try_all(told: Mapping[str, Any]) -> dict[str, str]:
    """The outcome of each attack, or of those that `told` names beside where they are to go."""
    tried = attacks(told)
    names = [name for name in told.get("only", tried) if name not in told.get("without", ())]
    return {name: outcome(tried[name]) for name in names}


def act(job: bytes) -> bytes:
    """A job of a page worker: all attacks, or one that is named."""
    told = json.loads(job)
    if "call" in told:
        return str(run_code(bytes.fromhex(told["call"]))).encode()
    if "look" in told:
        return json.dumps({each: outcome(Path(each).read_bytes) for each in told["look"]}).encode()
    return json.dumps(try_all(told)).encode()


def attacks(told: Mapping[str, Any]) -> dict[str, Callable[[], object]]:
    """All that is tried, by name."""
    folder, port, owner = Path(told["folder"]), told["port"], told["owner"]
    outside = folder.parent / "outside.txt"
    return {
        "connect by TCP": lambda: socket.create_connection(("127.0.0.1", port), 5),
        "connect by TCP, version 6": lambda: socket.socket(socket.AF_INET6),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)),
        "send a datagram": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "ask the owner": lambda: _connect(str(folder / "gossamer.sock")),
        "ask an abstract socket": lambda: _connect(told["abstract"]),
        "make a pair of sockets": socket.socketpair,
        "read gossamer.toml": (folder / "gossamer.toml").read_bytes,
        "read frontier.db": (folder / "frontier.db").read_bytes,
        "read a token": (folder / "token").read_bytes,
        "read /etc/passwd": Path("/etc/passwd").read_bytes,
        "list the data folder": lambda: [*folder.iterdir()],
        "list the root": lambda: [*Path("/").iterdir()],
        "read the owner's memory": Path(f"/proc/{owner}/mem").read_bytes,
        "read the owner's environment": Path(f"/proc/{owner}/environ").read_bytes,
        "delete frontier.db": (folder / "frontier.db").unlink,
        "rename frontier.db": lambda: (folder / "frontier.db").rename(folder / "gone"),
        "empty frontier.db": lambda: os.truncate(folder / "frontier.db", 0),
        "link to frontier.db": lambda: os.link(folder / "frontier.db", folder / "link"),
        "change the rights of frontier.db": lambda: (folder / "frontier.db").chmod(0o644),
        "change the dates of frontier.db": lambda: os.utime(folder / "frontier.db", (1, 1)),
        "write beside the folder": lambda: outside.write_text("here"),
        "make a folder": lambda: (folder / "new").mkdir(),
        "make a pipe": lambda: os.mkfifo(folder / "pipe"),
        "make a symbolic link": lambda: (folder / "symlink").symlink_to("/"),
        "write to /tmp": lambda: Path("/tmp/gossamer-was-here").write_text("here"),
        "write to /dev/shm": lambda: Path("/dev/shm/gossamer-was-here").write_text("here"),
        "fork": _fork,
        "run a program": lambda: subprocess.run(["/bin/true"], check=True),
        "become a program": lambda: os.execv("/bin/true", ["true"]),
        "signal the owner": lambda: os.kill(owner, 0),
        "signal the owner's group": lambda: os.kill(0, signal.SIGCONT),
        "attach to the owner": lambda: _call("ptrace", 16, owner, 0, 0),
        "read the owner's memory at once": lambda: _call("process_vm_readv", owner, 0, 0, 0, 0, 0),
        "open the owner": lambda: _call("pidfd_open", owner, 0),
        "limit the owner": lambda: _call("prlimit64", owner, 7, 0, 0),
        "move the owner": lambda: _call("sched_setaffinity", owner, 8, b"\xff" * 8),
        "io_uring": lambda: _call("io_uring_setup", 1, b"\0" * 120),
        "bpf": lambda: _call("bpf", 0, 0, 0),
        "perf events": lambda: _call("perf_event_open", 0, 0, 0, 0, 0),
        "userfaultfd": lambda: _call("userfaultfd", 0),
        "keys": lambda: _call("keyctl", 0, -3, 0),
        "new namespaces": lambda: _call("unshare", 0x1000_0000),
        "mount": lambda: _call("mount", 0, 0, 0, 0, 0),
    }


def use_threads() -> bool:
    """Whether threads still work: they are no processes."""
    ran = []
    thread = threading.Thread(target=lambda: ran.append(True))
    thread.start()
    thread.join()
    return bool(ran)


def run_code(code: bytes) -> int:
    """Call machine code."""
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(address)())


def _connect(address: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    return connection


def _fork() -> int:
    if (child := os.fork()) == 0:
        os._exit(0)
    return child


def _call(name: str, *arguments: int | bytes) -> int:
    number = NUMBERS[name][os.uname().machine == "aarch64"]
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    done = int(_LIBC.syscall(ctypes.c_long(number), *wide))
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done
