import asyncio
import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from gossamer.fetch.names import Found, Unreachable
from gossamer.fetch.resolve import SystemNames, addresses_in, system_look_up
from gossamer.model import Cause


def look_up(answer: Sequence[str] | Exception) -> Found | Unreachable:
    """What becomes of an answer of the system."""

    def system(name: str) -> Sequence[str]:
        assert name == "example.org."  # so that no search domain is tried
        assert threading.current_thread() is not threading.main_thread()
        if isinstance(answer, Exception):
            raise answer
        return answer

    names = SystemNames(system)
    try:
        return asyncio.run(names.look_up("example.org"))
    finally:
        names.close()


def test_each_address_is_named_once_in_the_order_of_the_system() -> None:
    found = look_up(["93.184.215.14", "2606:4700::1111", "93.184.215.14"])
    assert found == Found((ip_address("93.184.215.14"), ip_address("2606:4700::1111")), ttl=None)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), Cause.NO_SUCH_NAME),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), Cause.NAME_LOOKUP),
        (socket.gaierror(socket.EAI_FAIL, "failed"), Cause.NAME_LOOKUP),
        (OSError("no network"), Cause.NAME_LOOKUP),
        (UnicodeError("label too long"), Cause.NO_SUCH_NAME),
        ([], Cause.NO_SUCH_NAME),
    ],
)
def test_every_way_to_fail_has_its_cause(answer: Any, cause: Cause) -> None:
    failed = look_up(answer)
    assert isinstance(failed, Unreachable)
    assert failed.cause is cause
    assert "example.org" in failed.why


def test_the_system_finds_an_address_without_asking_anyone() -> None:
    assert system_look_up("127.0.0.1") == ["127.0.0.1"]


def test_names_of_the_systems_own_file_are_found_as_they_stand(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text(
        "# ours\n192.0.2.1 Wiki wiki.org # old\nfe80::1%eth0 wiki\n\n192.0.2.2 # wiki\n"
    )
    assert addresses_in(hosts, "wiki") == ["192.0.2.1", "fe80::1"]
    assert addresses_in(hosts, "wiki.org") == ["192.0.2.1"]
    assert addresses_in(hosts, "other") == addresses_in(tmp_path / "none", "wiki") == []
