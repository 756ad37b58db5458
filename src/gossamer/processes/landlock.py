"""Landlock: which files this process may reach from here on, and that it may not speak TCP.

It needs no rights, cannot be taken back, and holds for the thread that asks and those it starts.
What a kernel does not know yet is left out: each version (ABI) knows all that came before it.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

# The same numbers on all machines.
CREATE_RULESET: Final = 444
ADD_RULE: Final = 445
RESTRICT_SELF: Final = 446
GET_VERSION: Final = 1
PATH_BENEATH: Final = 1

EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
TRUNCATE: Final = 1 << 14
IOCTL_DEV: Final = 1 << 15
# Rights over files by the version that brought them: execute to make_sym, refer, truncate, ioctl.
FILE_RIGHTS: Final = ((1, (1 << 13) - 1), (2, 1 << 13), (3, TRUNCATE), (5, IOCTL_DEV))
TCP: Final = 0b11  # bind and connect, by version 4
SCOPES: Final = 0b11  # abstract unix sockets and signals, by version 6
OF_A_FILE: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV  # not of a folder alone
READ: Final = READ_FILE | READ_DIR
# All but running programs and speaking to devices.
WRITE: Final = ((1 << 15) - 1) & ~EXECUTE

_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """Which version of Landlock the kernel has; 0 for none, or where it is switched off."""
    if sys.platform != "linux":
        return 0
    return max(0, _call(CREATE_RULESET, None, 0, GET_VERSION))


def restrict_files(rights: Mapping[Path, int], *, tcp: bool = False) -> int:
    """Allow ourselves these rights below these paths and no others; the version that sees to it.

    Paths that do not exist are left out. Needs no_new_privs first. Raises `OSError` where the
    kernel refuses.
    """
    version = landlock_version()
    handled = handled_rights(version)
    ruleset = _ruleset(version, handled, tcp=tcp)
    try:
        for path, wanted in rights.items():
            _allow(ruleset, path, wanted & handled)
        if _call(RESTRICT_SELF, ruleset, 0) < 0:
            raise _failed("Landlock cannot be set")
    finally:
        os.close(ruleset)
    return version


def handled_rights(version: int) -> int:
    """The rights over files that a version knows."""
    return sum(bits for since, bits in FILE_RIGHTS if version >= since)


def add_rights(rights: Iterable[tuple[Path, int]]) -> dict[Path, int]:
    """The rights of each path together."""
    found: dict[Path, int] = {}
    for path, wanted in rights:
        found[path] = found.get(path, 0) | wanted
    return found


def _ruleset(version: int, handled: int, *, tcp: bool) -> int:
    fields = [handled]
    if version >= 4:
        fields.append(0 if tcp else TCP)
    if version >= 6:
        fields.append(SCOPES)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _call(CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        raise _failed("Landlock cannot be set up")
    return ruleset


def _allow(ruleset: int, path: Path, wanted: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it is not there, or not for us anyway
        return
    try:
        if not path.is_dir():
            wanted &= OF_A_FILE
        rule = struct.pack("=Qi", wanted, descriptor)
        if wanted and _call(ADD_RULE, ruleset, PATH_BENEATH, rule, 0) < 0:
            raise _failed(f"Landlock does not take {path}")
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: int | bytes | None) -> int:
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(_LIBC.syscall(ctypes.c_long(number), *wide))


def _failed(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what} ({errno.errorcode.get(number, number)})")
