"""The numbers of the system calls that confined processes are refused, by machine. A table.

A name without a number for a machine does not exist there. Numbers from 424 on are the same everywhere.
"""

from collections.abc import Mapping
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
