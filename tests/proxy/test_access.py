import base64
from pathlib import Path

import pytest
from tests.proxy.proxied import run, running

from gossamer.config import Proxy
from gossamer.errors import ConfigError
from gossamer.proxy.access import Door, checked_place
from gossamer.proxy.passwords import Cost, User
from gossamer.proxy.refusals import Refused
from gossamer.service.listening import Address

ANNA = str(User.new("anna", "secret", Cost(10, 1, 1)))
EVERYWHERE = Address("0.0.0.0", 8718)


def basic(text: str) -> str:
    return "Proxy-Authorization: Basic " + base64.b64encode(text.encode()).decode()


def test_an_open_proxy_is_not_opened() -> None:
    with pytest.raises(ConfigError, match=r"proxy\.networks"):
        checked_place(EVERYWHERE, Proxy())
    assert checked_place(EVERYWHERE, Proxy(users=(ANNA,))) == EVERYWHERE
    assert checked_place(EVERYWHERE, Proxy(networks=("10.0.0.0/8",))) == EVERYWHERE
    assert checked_place(Address("127.0.0.1", 1), Proxy()) == Address("127.0.0.1", 1)


def test_users_prove_who_they_are(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(users=(ANNA,))) as proxied:
            for lines in (
                (),
                (basic("anna:wrong"),),
                (basic("bert:secret"),),
                ("Proxy-Authorization: x",),
            ):
                reply = await proxied.get("http://a.test/", *lines)
                assert reply.status == 407
                assert reply.headers["proxy-authenticate"].startswith("Basic ")
            assert proxied.web.asked == []
            reply = await proxied.get("http://a.test/", basic("anna:secret"))
            assert reply.status == 200
            assert "proxy-authorization" not in proxied.web.pages()[0].headers
            assert [event.client for event in proxied.events] == ["127.0.0.1"] * 4 + ["anna"]  # type: ignore[attr-defined]  # they are all `Proxied`

    run(work())


def test_networks_are_let_in_and_this_machine() -> None:
    door = Door(Proxy(networks=("10.1.0.0/16",)))
    assert door.admits("10.1.2.3")
    assert door.admits("::ffff:10.1.2.3")
    assert door.admits("127.0.0.1")
    assert door.admits("::1")
    assert not door.admits("10.2.0.1")
    assert not door.admits("fe80::1%eth0")


def test_users_may_come_from_anywhere_unless_networks_are_named() -> None:
    assert Door(Proxy(users=(ANNA,))).admits("192.0.2.1")
    assert not Door(Proxy(users=(ANNA,), networks=("10.0.0.0/8",))).admits("192.0.2.1")


def test_who_is_not_let_in_hears_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            monkeypatch.setattr(proxied.serving.door, "admits", lambda peer: False)
            async with proxied.connected() as client:
                assert (await client.reply()).status == 403
                assert await client.is_closed()

    run(work())


def test_credentials_are_given_once() -> None:
    async def work() -> None:
        door = Door(Proxy(users=(ANNA,)))
        given = basic("anna:secret").partition(": ")[2].encode()
        assert await door.client("x", {b"proxy-authorization": [given]}) == "anna"
        assert isinstance(await door.client("x", {b"proxy-authorization": [given, given]}), Refused)

    run(work())
