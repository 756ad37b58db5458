import re
from pathlib import Path
from types import MappingProxyType

import pytest

from gossamer.processes import system_calls
from gossamer.processes.system_calls import Call

TABLES = [each for each in vars(system_calls).values() if isinstance(each, MappingProxyType)]
CALLS = {name: call for table in TABLES for name, call in table.items() if isinstance(call, Call)}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


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
