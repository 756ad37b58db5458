"""Seccomp: a filter of the system calls that this process may make from here on.

It needs no rights, cannot be taken back, and holds for all threads. The kernel remembers which
calls are always allowed, so that those cost nothing.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Mapping
from typing import Final

from gossamer.processes.system_calls import (
    ATTRIBUTES,
    CLONE,
    CLONE3,
    FCNTL,
    IOCTL,
    NEVER,
    ON_A_PROCESS,
    OPEN_ATTRIBUTES,
    PRCTL,
    PRIORITIES,
    PROGRAMS,
    SECCOMP,
    SOCKET,
    SOCKETS,
    Call,
)

# Of linux/filter.h, linux/seccomp.h and linux/prctl.h.
LOAD: Final = 0x20
IF_EQUAL: Final = 0x15
IF_AT_LEAST: Final = 0x35
IF_ANY_BIT: Final = 0x45
RETURN: Final = 0x06
ALLOW: Final = 0x7FFF_0000
REFUSE: Final = 0x0005_0000  # with an error number in the lower half
KILL: Final = 0x8000_0000  # all threads of the process
NUMBER: Final = 0  # where the filter finds the number of the call
ARCHITECTURE: Final = 4
PR_SET_PDEATHSIG: Final = 1
PR_GET_SECCOMP: Final = 21
PR_SET_NO_NEW_PRIVS: Final = 38
SECCOMP_SET_MODE_FILTER: Final = 1
SECCOMP_FILTER_FLAG_TSYNC: Final = 1
ARCHITECTURES: Final = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
X32: Final = 0x4000_0000  # a second table of calls of x86-64, by this bit
CLONE_THREAD: Final = 0x0001_0000
AF_INET: Final = 2
AF_INET6: Final = 10
SIGNAL_OWNERS: Final = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: who gets SIGIO
# TIOCSTI and TIOCLINUX type into a terminal; FIOSETOWN and SIOCSPGRP say who gets SIGIO.
TERMINAL_CALLS: Final = (0x5412, 0x541C, 0x8901, 0x8902)

_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def missing_seccomp() -> str | None:
    """Why there can be no filter here; None where there can."""
    if sys.platform != "linux":
        return "only Linux has it"
    if os.uname().machine not in ARCHITECTURES or sys.maxsize < 2**32:
        return f"not known for {os.uname().machine}"
    if _LIBC.prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0 and ctypes.get_errno() == errno.EINVAL:
        return "the kernel was built without it"
    return None


def forbid_new_privileges() -> None:
    """Let no program that is run from here on have more rights than we do."""
    if _LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise _failed("no_new_privs cannot be set")


def filter_calls(
    *, sockets: bool = False, programs: bool = False, files: bool = False, threads: bool = False
) -> None:
    """Refuse system calls but for these: TCP and UDP, new processes, rights of open files, priorities.

    Needs `forbid_new_privileges` first.
    """
    machine = os.uname().machine
    steps = filter_steps(
        machine, os.getpid(), sockets=sockets, programs=programs, files=files, threads=threads
    )
    code = ctypes.create_string_buffer(b"".join(steps), sum(map(len, steps)))
    filter_ = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    call = getattr(SECCOMP, machine)
    if _LIBC.syscall(
        ctypes.c_long(call),
        ctypes.c_long(SECCOMP_SET_MODE_FILTER),
        ctypes.c_long(SECCOMP_FILTER_FLAG_TSYNC),
        filter_,
    ):
        raise _failed("the filter of system calls cannot be set")


def filter_steps(
    machine: str, process: int, *, sockets: bool, programs: bool, files: bool, threads: bool
) -> list[bytes]:
    """The filter as a program for the kernel, one instruction each."""
    refused: list[Mapping[str, Call]] = [NEVER, ATTRIBUTES]
    refused += [] if sockets else [SOCKETS]
    refused += [] if programs else [PROGRAMS]
    refused += [] if files else [OPEN_ATTRIBUTES]
    refused += [] if threads else [PRIORITIES]
    steps = [
        _step(LOAD, ARCHITECTURE),
        _step(IF_EQUAL, ARCHITECTURES[machine], then=1),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
        _step(IF_AT_LEAST, X32, otherwise=1),
        _step(RETURN, KILL),
    ]
    for table in refused:
        for number in _numbers(table.values(), machine):
            steps += _refuse(number, errno.EPERM)
    for number in _numbers(ON_A_PROCESS.values(), machine):
        steps += _only_with(
            number, 0, (0, process) if number not in _kills(machine) else (process,)
        )
    if sockets:
        steps += _only_with(getattr(SOCKET, machine), 0, (AF_INET, AF_INET6))
        for name in ("bind", "listen", "accept", "accept4"):
            steps += _refuse(getattr(SOCKETS[name], machine), errno.EPERM)
    if not programs:
        # The flags of clone3 are out of a filter's reach: without it, libraries use clone.
        steps += _refuse(getattr(CLONE3, machine), errno.ENOSYS)
        steps += _threads_only(getattr(CLONE, machine))
    steps += _never_with(getattr(FCNTL, machine), 1, SIGNAL_OWNERS)
    steps += _never_with(getattr(IOCTL, machine), 1, TERMINAL_CALLS)
    steps += _never_with(getattr(PRCTL, machine), 0, (PR_SET_PDEATHSIG,))
    return [*steps, _step(RETURN, ALLOW)]


def _kills(machine: str) -> set[int | None]:
    """Those for which 0 would mean a whole group of processes."""
    return {getattr(ON_A_PROCESS[name], machine) for name in ("kill", "tkill", "tgkill")}


def _numbers(calls: Iterable[Call], machine: str) -> list[int]:
    return [number for call in calls if (number := getattr(call, machine)) is not None]


def _refuse(number: int, error: int) -> list[bytes]:
    return [_step(IF_EQUAL, number, otherwise=1), _step(RETURN, REFUSE | error)]


def _only_with(number: int, argument: int, values: tuple[int, ...]) -> list[bytes]:
    """Refuse a call but where an argument (its lower half) is one of these."""
    tests = [_step(IF_EQUAL, each, then=len(values) - at) for at, each in enumerate(values)]
    return _block(number, argument, [*tests, _step(RETURN, REFUSE | errno.EPERM)])


def _never_with(number: int, argument: int, values: tuple[int, ...]) -> list[bytes]:
    """Refuse a call where an argument (its lower half) is one of these."""
    last = len(values) - 1
    tests = [
        _step(IF_EQUAL, each, then=last - at, otherwise=int(at == last))
        for at, each in enumerate(values)
    ]
    return _block(number, argument, [*tests, _step(RETURN, REFUSE | errno.EPERM)])


def _threads_only(number: int) -> list[bytes]:
    tests = [_step(IF_ANY_BIT, CLONE_THREAD, then=1), _step(RETURN, REFUSE | errno.EPERM)]
    return _block(number, 0, tests)


def _block(number: int, argument: int, tests: list[bytes]) -> list[bytes]:
    """Steps for one call alone, which is allowed where they do not return."""
    body = [_step(LOAD, 16 + 8 * argument), *tests, _step(RETURN, ALLOW)]
    return [_step(IF_EQUAL, number, otherwise=len(body)), *body]


def _step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)


def _failed(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what} ({os.strerror(number)})")
