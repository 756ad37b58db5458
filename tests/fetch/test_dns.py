"""Names asked for from a real DNS server, on loopback."""

import asyncio
import os
import subprocess
import sys
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from tests.fetch.name_server import AAAA, REFUSED, SERVER_FAILURE, A, Name, naming
from tests.slowness import patience

from gossamer.errors import ConfigError
from gossamer.fetch import resolve
from gossamer.fetch.names import Found, Unreachable
from gossamer.fetch.resolve import DnsNames, SystemNames, checked_servers, name_service
from gossamer.model import Cause

V4, V6 = "93.184.215.14", "2606:4700::1111"


def look_up(host: str, **known: Name) -> Found | Unreachable:
    """What is found out about a name where DNS knows only these names of `.org`."""

    async def run() -> Found | Unreachable:
        async with naming({f"{each}.org": name for each, name in known.items()}) as server:
            names = DnsNames([server.address])
            try:
                return await asyncio.wait_for(names.look_up(host), patience(30))
            finally:
                names.close()

    return asyncio.run(run())


def found(answer: Found | Unreachable) -> Found:
    assert isinstance(answer, Found), answer
    return answer


def unreachable(answer: Found | Unreachable) -> Unreachable:
    assert isinstance(answer, Unreachable), answer
    return answer


def test_a_name_has_addresses_of_both_kinds_and_the_time_they_hold() -> None:
    answer = found(look_up("www.org", www=Name([V4, V6], ttl=77)))
    assert set(answer.addresses) == {ip_address(V4), ip_address(V6)}
    assert answer.ttl == timedelta(seconds=77)


def test_an_alias_that_holds_for_less_time_shortens_the_whole() -> None:
    known = Name([V4], ttl=300, alias_of="real.org", alias_ttl=20)
    answer = found(look_up("www.org", www=known))
    assert answer.addresses == (ip_address(V4),)
    assert answer.ttl == timedelta(seconds=20)


@pytest.mark.parametrize(
    ("host", "cause"),
    [
        ("gone.org", Cause.NO_SUCH_NAME),
        ("empty.org", Cause.NO_SUCH_NAME),
        ("a!b.org", Cause.NO_SUCH_NAME),
        (f"{'a' * 64}.org", Cause.NO_SUCH_NAME),
        (f"{'a.' * 200}org", Cause.NO_SUCH_NAME),
        ("failing.org", Cause.NAME_LOOKUP),
        ("refused.org", Cause.NAME_LOOKUP),
        ("garbled.org", Cause.NAME_LOOKUP),
    ],
)
def test_every_way_to_fail_has_its_cause(host: str, cause: Cause) -> None:
    answer = look_up(
        host,
        empty=Name(),
        failing=Name(code=SERVER_FAILURE),
        refused=Name(code=REFUSED),
        garbled=Name([V4, V6], trailing=b"\xff" * 9),
    )
    assert unreachable(answer).cause is cause
    assert host in unreachable(answer).why


def test_where_one_kind_of_address_is_never_answered_the_other_is_enough() -> None:
    answer = found(look_up("www.org", www=Name([V4], silent=[AAAA])))
    assert answer.addresses == (ip_address(V4),)


def test_an_address_within_an_address_is_handed_on_for_the_guard_to_see() -> None:
    answer = found(look_up("www.org", www=Name(["::ffff:10.0.0.1", "64:ff9b::7f00:1"])))
    assert set(answer.addresses) == {ip_address("::ffff:a00:1"), ip_address("64:ff9b::7f00:1")}


def test_a_name_is_asked_for_as_it_stands_and_never_below_a_search_domain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LOCALDOMAIN", "office.org")
    answer = look_up("wiki", **{"wiki.office": Name([V4])})
    assert unreachable(answer).cause is Cause.NO_SUCH_NAME


def test_many_names_are_asked_for_at_once() -> None:
    async def run() -> None:
        known = {f"h{n}.org": Name([f"198.51.100.{n}"]) for n in range(50)}
        async with naming(known) as server:
            names = DnsNames([server.address])
            answers = await asyncio.gather(*(names.look_up(name) for name in known))
            names.close()
            addresses = [str(found(each).addresses[0]) for each in answers]
            assert addresses == [f"198.51.100.{n}" for n in range(50)]
            assert set(server.asked) == {(name, kind) for name in known for kind in (A, AAAA)}

    asyncio.run(run())


def test_closing_ends_those_who_still_wait() -> None:
    async def run() -> None:
        async with naming({"www.org": Name(silent=[A, AAAA])}) as server:
            names = DnsNames([server.address])
            waiting = asyncio.create_task(names.look_up("www.org"))
            await asyncio.wait_for(server.heard.wait(), patience(30))
            names.close()
            assert (
                unreachable(await asyncio.wait_for(waiting, patience(30))).cause
                is Cause.NAME_LOOKUP
            )

    asyncio.run(run())


def test_an_answer_that_nobody_waits_for_any_more_is_dropped_in_silence() -> None:
    code = """
import asyncio, pycares
from gossamer.fetch.resolve import DnsNames
async def run():
    names = DnsNames(["127.0.0.1:9"])
    asyncio.ensure_future(names.look_up("www.org"))
    await asyncio.sleep(0)
    return names
names = asyncio.run(run())
names.close()
"""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ, timeout=patience(60)
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_hosts_file_of_the_system_is_heeded() -> None:
    lines = (line.partition("#")[0].split() for line in Path("/etc/hosts").read_text().splitlines())
    pairs = [(name, fields[0]) for fields in lines for name in fields[1:]]
    # c-ares knows `localhost` by itself.
    named = [pair for pair in pairs if not pair[0].startswith(("localhost", "ip6-"))]
    if not named:
        pytest.skip("needs hosts: /etc/hosts names nobody but localhost")
    name, address = named[0]
    assert ip_address(address) in found(look_up(name)).addresses


def test_dns_is_asked_where_it_can_be() -> None:
    names = name_service(["127.0.0.1:9"])
    names.close()
    assert isinstance(names, DnsNames)


def test_without_the_library_the_system_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "pycares", None)
    names = name_service()
    names.close()
    assert isinstance(names, SystemNames)
    with pytest.raises(ConfigError, match=r"fetch\.name_servers cannot be used"):
        name_service(["127.0.0.1:9"])


def test_where_dns_cannot_be_set_up_the_system_is_asked() -> None:
    code = """
import resource, socket
from gossamer.fetch.resolve import name_service
first_free = socket.socket()
resource.setrlimit(resource.RLIMIT_NOFILE, (first_free.fileno(), 4096))
print(type(name_service()).__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=True,
    )
    assert done.stdout == "SystemNames\n"


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("192.0.2.53", "192.0.2.53:53"),
        (" 127.0.0.1:5353 ", "127.0.0.1:5353"),
        ("2001:db8::53", "[2001:db8::53]:53"),
        ("[::1]:5353", "[::1]:5353"),
    ],
)
def test_a_server_is_an_address_with_or_without_a_port(text: str, server: str) -> None:
    assert checked_servers([text]) == (server,)


@pytest.mark.parametrize(
    "text", ["", "dns.example.org", "1.1.1.1:", "1.1.1.1:0", "1.1.1.1:65536", "[::1]", "1.1.1.1,x"]
)
def test_what_is_no_server_names_the_key(text: str) -> None:
    with pytest.raises(ConfigError, match=r"fetch\.name_servers: .* is not a server"):
        checked_servers([text])
