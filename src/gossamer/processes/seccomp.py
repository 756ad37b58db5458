"""Seccomp: a filter of the system calls that this process may make from here on.

It needs no rights, cannot be taken back, and holds for all threads. The kernel remembers which
calls are always allowed, so that those cost nothing.

The numbers of the calls that are refused are in tables, by machine. A name without a number for a machine
does not exist there. Numbers from 424 on are the same everywhere.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Call(NamedTuple):
    """The number of one system call on each machine; None where it has none."""

    x86_64: int | None
    aarch64: int | None


def _everywhere(number: int) -> Call:
    return Call(number, number)


# New connections; what a process was born with goes on.
SOCKETS: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "socket": Call(41, 198),
        "socketpair": Call(53, 199),
        "connect": Call(42, 203),
        "bind": Call(49, 200),
        "listen": Call(50, 201),
        "accept": Call(43, 202),
        "accept4": Call(288, 242),
    }
)
# New programs. New processes are told from new threads by the flags of `clone`.
PROGRAMS: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "execve": Call(59, 221),
        "execveat": Call(322, 281),
        "fork": Call(57, None),
        "vfork": Call(58, None),
    }
)
# Rights and dates of files by their paths: Landlock does not look at these.
ATTRIBUTES: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "chmod": Call(90, None),
        "fchmodat": Call(268, 53),
        "fchmodat2": _everywhere(452),
        "chown": Call(92, None),
        "lchown": Call(94, None),
        "fchownat": Call(260, 54),
        "setxattr": Call(188, 5),
        "lsetxattr": Call(189, 6),
        "removexattr": Call(197, 14),
        "lremovexattr": Call(198, 15),
        "setxattrat": _everywhere(463),
        "removexattrat": _everywhere(466),
        "file_setattr": _everywhere(469),
        "utime": Call(132, None),
        "utimes": Call(235, None),
        "futimesat": Call(261, None),
        "utimensat": Call(280, 88),
    }
)
# The same of files that are open: only whoever writes files needs them.
OPEN_ATTRIBUTES: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "fchmod": Call(91, 52),
        "fchown": Call(93, 55),
        "fsetxattr": Call(190, 7),
        "fremovexattr": Call(199, 16),
    }
)
PRIORITIES: Final[Mapping[str, Call]] = MappingProxyType(
    {"setpriority": Call(141, 140), "ioprio_set": Call(251, 30)}
)
# What nobody here needs, and whoever took a process over would try.
NEVER: Final[Mapping[str, Call]] = MappingProxyType(
    {
        # other processes: their memory, their descriptors, their signals
        "ptrace": Call(101, 117),
        "process_vm_readv": Call(310, 270),
        "process_vm_writev": Call(311, 271),
        "process_madvise": _everywhere(440),
        "process_mrelease": _everywhere(448),
        "kcmp": Call(312, 272),
        "pidfd_open": _everywhere(434),
        "pidfd_getfd": _everywhere(438),
        "pidfd_send_signal": _everywhere(424),
        "rt_sigqueueinfo": Call(129, 138),
        "rt_tgsigqueueinfo": Call(297, 240),
        "migrate_pages": Call(256, 238),
        "move_pages": Call(279, 239),
        # ways past a filter of system calls, and parts of the kernel with a history of holes
        "io_uring_setup": _everywhere(425),
        "io_uring_enter": _everywhere(426),
        "io_uring_register": _everywhere(427),
        "bpf": Call(321, 280),
        "perf_event_open": Call(298, 241),
        "userfaultfd": Call(323, 282),
        "add_key": Call(248, 217),
        "request_key": Call(249, 218),
        "keyctl": Call(250, 219),
        "personality": Call(135, 92),
        "modify_ldt": Call(154, None),
        "name_to_handle_at": Call(303, 264),
        "open_by_handle_at": Call(304, 265),
        "fanotify_init": Call(300, 262),
        "inotify_init": Call(253, None),
        "inotify_init1": Call(294, 26),
        # memory and queues that all processes of a user can find
        "shmget": Call(29, 194),
        "shmat": Call(30, 196),
        "shmctl": Call(31, 195),
        "semget": Call(64, 190),
        "semop": Call(65, 193),
        "semctl": Call(66, 191),
        "semtimedop": Call(220, 192),
        "msgget": Call(68, 186),
        "msgsnd": Call(69, 189),
        "msgrcv": Call(70, 188),
        "msgctl": Call(71, 187),
        "mq_open": Call(240, 180),
        "mq_unlink": Call(241, 181),
        # the machine: for root alone, but a container may run as root
        "mount": Call(165, 40),
        "umount2": Call(166, 39),
        "pivot_root": Call(155, 41),
        "chroot": Call(161, 51),
        "unshare": Call(272, 97),
        "setns": Call(308, 268),
        "open_tree": _everywhere(428),
        "move_mount": _everywhere(429),
        "fsopen": _everywhere(430),
        "fsconfig": _everywhere(431),
        "fsmount": _everywhere(432),
        "fspick": _everywhere(433),
        "mount_setattr": _everywhere(442),
        "open_tree_attr": _everywhere(467),
        "kexec_load": Call(246, 104),
        "kexec_file_load": Call(320, 294),
        "init_module": Call(175, 105),
        "finit_module": Call(313, 273),
        "delete_module": Call(176, 106),
        "reboot": Call(169, 142),
        "swapon": Call(167, 224),
        "swapoff": Call(168, 225),
        "quotactl": Call(179, 60),
        "quotactl_fd": _everywhere(443),
        "acct": Call(163, 89),
        "syslog": Call(103, 116),
        "iopl": Call(172, None),
        "ioperm": Call(173, None),
        "vhangup": Call(153, 58),
        "sethostname": Call(170, 161),
        "setdomainname": Call(171, 162),
        "settimeofday": Call(164, 170),
        "clock_settime": Call(227, 112),
        "adjtimex": Call(159, 171),
        "clock_adjtime": Call(305, 266),
    }
)
# Those that name a process by their first argument: allowed for ourselves.
ON_A_PROCESS: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "kill": Call(62, 129),
        "tkill": Call(200, 130),
        "tgkill": Call(234, 131),
        "prlimit64": Call(302, 261),
        "sched_setparam": Call(142, 118),
        "sched_setscheduler": Call(144, 119),
        "sched_setaffinity": Call(203, 122),
        "sched_setattr": Call(314, 274),
    }
)
CLONE: Final = Call(56, 220)
CLONE3: Final = _everywhere(435)
SOCKET: Final = SOCKETS["socket"]
FCNTL: Final = Call(72, 25)
IOCTL: Final = Call(16, 29)
PRCTL: Final = Call(157, 167)
SECCOMP: Final = Call(317, 277)

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
    """The calls for which 0 would mean a whole group of processes."""
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
