"""The filter, read by a small machine as the kernel reads it: for machines that we are not on, too."""

import errno
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pytest

from gossamer.processes import seccomp
from gossamer.processes.seccomp import (
    ALLOW,
    ARCHITECTURES,
    CLONE,
    CLONE3,
    FCNTL,
    IF_ANY_BIT,
    IF_AT_LEAST,
    IF_EQUAL,
    KILL,
    LOAD,
    NEVER,
    ON_A_PROCESS,
    OPEN_ATTRIBUTES,
    PRIORITIES,
    PROGRAMS,
    REFUSE,
    RETURN,
    SOCKETS,
    Call,
    filter_steps,
    missing_seccomp,
)

OURS, OTHERS = 4711, 1
REFUSED = REFUSE | errno.EPERM
TESTS: dict[int, Callable[[int, int], bool]] = {
    IF_EQUAL: lambda left, right: left == right,
    IF_AT_LEAST: lambda left, right: left >= right,
    IF_ANY_BIT: lambda left, right: bool(left & right),
}
machines = pytest.mark.parametrize("machine", ARCHITECTURES)
TABLES = [
    each
    for each in vars(seccomp).values()
    if isinstance(each, MappingProxyType) and all(isinstance(call, Call) for call in each.values())
]
CALLS = {name: call for table in TABLES for name, call in table.items() if isinstance(call, Call)}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def answer(machine: str, number: int, *arguments: int, mark: int | None = None, **may: bool) -> int:
    """What the kernel would do about a call."""
    allowed = {"sockets": False, "programs": False, "files": False, "threads": False, **may}
    steps = filter_steps(machine, OURS, **allowed)
    values = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("IIQ6Q", number, mark or ARCHITECTURES[machine], 0, *values)
    at, held = 0, 0
    while True:
        code, then, otherwise, value = struct.unpack("HBBI", steps[at])
        at += 1
        if code == RETURN:
            return int(value)
        if code == LOAD:
            (held,) = struct.unpack_from("I", data, value)
        else:
            at += then if TESTS[code](held, value) else otherwise


@machines
def test_calls_that_nobody_needs_are_refused(machine: str) -> None:
    for table in (NEVER, SOCKETS, PROGRAMS, OPEN_ATTRIBUTES, PRIORITIES):
        for call in table.values():
            if (number := getattr(call, machine)) is not None:
                assert answer(machine, number) == REFUSED


@machines
def test_reading_and_writing_go_on(machine: str) -> None:
    for number in {"x86_64": (0, 1, 9, 202), "aarch64": (63, 64, 222, 98)}[machine]:
        assert answer(machine, number) == ALLOW


@machines
def test_other_architectures_and_x32_are_killed(machine: str) -> None:
    assert answer(machine, 1, mark=0x4000_0003) == KILL  # i386
    assert answer(machine, 0x4000_0001) == KILL


@machines
def test_threads_are_no_processes(machine: str) -> None:
    clone, clone3 = getattr(CLONE, machine), getattr(CLONE3, machine)
    assert answer(machine, clone, 0x3D0F00) == ALLOW  # as glibc makes a thread
    assert answer(machine, clone, 0x1200011) == REFUSED  # as glibc forks
    assert answer(machine, clone, 0x4111) == REFUSED  # vfork
    assert answer(machine, clone3) == REFUSE | errno.ENOSYS
    assert answer(machine, clone, 0x1200011, programs=True) == ALLOW


@machines
def test_signals_and_limits_are_for_ourselves(machine: str) -> None:
    for name, call in ON_A_PROCESS.items():
        number = getattr(call, machine)
        assert answer(machine, number, OURS) == ALLOW
        assert answer(machine, number, OTHERS) == REFUSED
        assert answer(machine, number, 0) == (REFUSED if "kill" in name else ALLOW)
        assert answer(machine, number, 0xFFFF_FFFF_FFFF_FFFF) == REFUSED


@machines
def test_nobody_else_is_sent_signals_by_a_descriptor(machine: str) -> None:
    fcntl = getattr(FCNTL, machine)
    assert [answer(machine, fcntl, 3, command) for command in (8, 10, 15)] == [REFUSED] * 3
    assert [answer(machine, fcntl, 3, command) for command in (1, 2, 3, 4, 6)] == [ALLOW] * 5


@machines
def test_a_network_is_no_unix_socket(machine: str) -> None:
    number = getattr(SOCKETS["socket"], machine)
    answers = [answer(machine, number, family, sockets=True) for family in (1, 2, 10, 16, 17)]
    assert answers == [REFUSED, ALLOW, ALLOW, REFUSED, REFUSED]
    assert answer(machine, getattr(SOCKETS["connect"], machine), sockets=True) == ALLOW
    assert answer(machine, getattr(SOCKETS["listen"], machine), sockets=True) == REFUSED


@pytest.mark.skipif(missing_seccomp() is not None, reason="needs seccomp: another system")
def test_a_filtered_process_keeps_the_socket_it_has_and_gets_no_other() -> None:
    run = """
import socket, threading
from gossamer.processes.seccomp import filter_calls, forbid_new_privileges
one, other = socket.socketpair()
forbid_new_privileges()
def attempt():
    try:
        socket.socket()
    except PermissionError:
        print("refused")
begin = threading.Event()
before = threading.Thread(target=lambda: begin.wait() and attempt())
before.start()
filter_calls()
begin.set()
before.join()
one.sendall(b"still here")
print(other.recv(20))
attempt()
thread = threading.Thread(target=attempt)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True)
    assert done.stdout.splitlines() == [b"refused", b"b'still here'", b"refused", b"refused"]


@pytest.mark.parametrize("machine", HEADERS)
def test_no_number_stands_for_two_calls(machine: str) -> None:
    numbers = [getattr(call, machine) for call in CALLS.values()]
    there = [number for number in numbers if number is not None]
    assert len(there) == len(set(there)) > 90


@pytest.mark.parametrize("machine", HEADERS)
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("needs the headers of the kernel: not installed")
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text(), re.M)
    known = {name: int(number) for name, number in found}
    for name, call in CALLS.items():
        if name in known:
            assert (name, getattr(call, machine)) == (name, known[name])
    assert sum(name in known for name in CALLS) > 80
