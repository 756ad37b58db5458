import base64
from pathlib import Path

import pytest
from tests.proxy.proxied import run, running

from gossamer.config import Proxy
from gossamer.errors import ConfigError
from gossamer.http.listening import Address
from gossamer.proxy.access import (
    USUAL,
    AccessControl,
    Cost,
    User,
    checked_place,
    checked_users,
    told_of_cheap,
)
from gossamer.proxy.refusals import Refused

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
    door = AccessControl(Proxy(networks=("10.1.0.0/16",)))
    assert door.admits("10.1.2.3")
    assert door.admits("::ffff:10.1.2.3")
    assert door.admits("127.0.0.1")
    assert door.admits("::1")
    assert not door.admits("10.2.0.1")
    assert not door.admits("fe80::1%eth0")


def test_users_may_come_from_anywhere_unless_networks_are_named() -> None:
    assert AccessControl(Proxy(users=(ANNA,))).admits("192.0.2.1")
    assert not AccessControl(Proxy(users=(ANNA,), networks=("10.0.0.0/8",))).admits("192.0.2.1")


def test_who_is_not_let_in_hears_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied:
            monkeypatch.setattr(proxied.parts.access, "admits", lambda peer: False)
            async with proxied.connected() as client:
                assert (await client.reply()).status == 403
                assert await client.is_closed()

    run(work())


def test_credentials_are_given_once() -> None:
    async def work() -> None:
        door = AccessControl(Proxy(users=(ANNA,)))
        given = basic("anna:secret").partition(": ")[2].encode()
        assert await door.client("x", {b"proxy-authorization": [given]}) == "anna"
        assert isinstance(await door.client("x", {b"proxy-authorization": [given, given]}), Refused)

    run(work())


QUICK = Cost(10, 1, 1)
# As an older Gossamer wrote it, for the password "secret".
OLD = "bert:scrypt:c2pzLCF5HpHbDWvnKzE+dQ==:lp4pjB6vivpchz6g+1Cd3ydPhcm2ou9HN/+Bj7YxOsVDZcexrWQ06UKWDRNf8v7ur1SQ1+Fu0FZXGzD0YZKcYg=="


def test_a_user_is_read_back_and_knows_the_password() -> None:
    text = str(User.new("anna", "sécret: yes", QUICK))
    (user,) = checked_users((text,))
    assert user.name == "anna"
    assert user.has("sécret: yes")
    assert not user.has("secret: yes")
    assert "yes" not in text


def test_equal_passwords_do_not_look_equal() -> None:
    assert User.new("a", "x", QUICK).digest != User.new("a", "x", QUICK).digest


@pytest.mark.parametrize(
    "text",
    [
        "anna",
        "anna:secret",
        "anna:md5:eA==:eA==",
        ":scrypt:eA==:eA==",
        "a:scrypt:?:?",
        "a:scrypt-30-8-1:eA==:eA==",
        "a:scrypt-15-99-99:eA==:eA==",
        "a:scrypt-1-1-1:eA==:eA==",
        "a:scrypt-15-8:eA==:eA==",
        "a:scrypt--15-8-3:eA==:eA==",
    ],
)
def test_what_is_no_user_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ConfigError) as error:
        User.read(text)
    assert "secret" not in str(error.value)


def test_a_name_has_no_colon() -> None:
    with pytest.raises(ConfigError):
        User.new("a:b", "x")


def test_a_line_of_before_counts_as_ever_and_people_hear_of_it() -> None:
    user = User.read(OLD)
    assert user.has("secret")
    assert not user.has("secrets")
    assert user.is_cheap
    new = str(User.new("anna", "x"))
    assert new.startswith(f"anna:{USUAL}:")
    told = told_of_cheap((OLD, new))
    assert told is not None
    assert "bert" in told
    assert "anna" not in told
    assert told_of_cheap((new,)) is None


def test_a_guess_takes_the_memory_and_the_work_that_are_advised() -> None:
    # https://cheatsheetseries.owasp.org: N = 2^15, r = 8, p = 3, or as much in another form.
    assert USUAL.work >= Cost(15, 8, 3).work
