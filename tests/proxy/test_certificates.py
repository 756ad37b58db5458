import asyncio
import os
import socket
import ssl
import stat
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.slowness import patience

from gossamer.proxy.authority import LIFETIME, Authority, AuthorityError
from gossamer.proxy.certificates import RENEW_BEFORE, Certificates

NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("data") / "ca", NOW)


def contexts(certificates: Certificates, names: Sequence[str]) -> list[ssl.SSLContext]:
    """Contexts for some hosts, asked for at the same time."""

    async def ask() -> list[ssl.SSLContext]:
        return await asyncio.gather(*map(certificates.certificate_for, names))

    return asyncio.run(ask())


def shaken_hands(authority: Authority, context: ssl.SSLContext, name: str) -> ssl.SSLObject | None:
    """A client that trusts the authority connects to a host by its name."""
    ours, theirs = socket.socketpair()
    trusting = ssl.create_default_context(cafile=str(authority.file))

    def serve() -> None:
        try:
            with context.wrap_socket(theirs, server_side=True) as served:
                served.recv(1)
        except OSError:
            theirs.close()

    thread = Thread(target=serve)
    thread.start()
    try:
        with trusting.wrap_socket(ours, server_hostname=name) as secure:
            assert secure.getpeercert()
            secure.send(b"x")
            return secure._sslobj  # type: ignore[attr-defined, no-any-return]  # what was agreed
    finally:
        ours.close()
        thread.join(patience(60))


@pytest.mark.parametrize(
    "name", ["a.test", "xn--bcher-kva.test", "127.0.0.1", "::1", "x" * 60 + ".long.test"]
)
def test_a_client_that_trusts_the_authority_believes_us(authority: Authority, name: str) -> None:
    (context,) = contexts(Certificates(authority), [name])
    assert shaken_hands(authority, context, name) is not None


def test_it_is_for_that_host_alone(authority: Authority) -> None:
    (context,) = contexts(Certificates(authority), ["a.test"])
    with pytest.raises(ssl.SSLCertVerificationError, match=r"(?i)hostname mismatch"):
        shaken_hands(authority, context, "b.test")


def test_nobody_else_believes_us(authority: Authority, tmp_path: Path) -> None:
    other = Authority.create(tmp_path / "ca", NOW)
    (context,) = contexts(Certificates(other), ["a.test"])
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken_hands(authority, context, "a.test")


def test_one_that_is_confined_is_not_believed_about_others(tmp_path: Path) -> None:
    confined = Authority.create(tmp_path / "ca", NOW, only=["a.test"])
    certificates = Certificates(confined)
    inside, outside = contexts(certificates, ["www.a.test", "b.test"])
    assert certificates.covers("www.a.test")
    assert shaken_hands(confined, inside, "www.a.test") is not None
    assert not certificates.covers("b.test")
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        shaken_hands(confined, outside, "b.test")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_one_that_is_confined_is_not_believed_about_addresses(tmp_path: Path, address: str) -> None:
    confined = Authority.create(tmp_path / "ca", NOW, only=["a.test"])
    (context,) = contexts(Certificates(confined), [address])
    with pytest.raises(ssl.SSLCertVerificationError, match="excluded subtree"):
        shaken_hands(confined, context, address)


def test_each_host_has_one_made_once(authority: Authority) -> None:
    certificates = Certificates(authority)
    one, two, other = contexts(certificates, ["a.test", "A.test.", "b.test"])
    assert one is two
    assert one is not other
    assert contexts(certificates, ["a.test"]) == [one]
    assert contexts(certificates, ["[::1]"]) == contexts(certificates, ["::1"])


def test_so_many_are_remembered_and_no_more(authority: Authority) -> None:
    certificates = Certificates(authority, most=2)
    first, second = contexts(certificates, ["a.test", "b.test"])
    assert contexts(certificates, ["a.test"]) == [first]
    contexts(certificates, ["c.test"])
    assert contexts(certificates, ["a.test"]) == [first]
    assert contexts(certificates, ["b.test"]) != [second]


def test_one_is_made_anew_before_it_expires(authority: Authority) -> None:
    now = [NOW]
    certificates = Certificates(authority, lambda: now[0])
    (first,) = contexts(certificates, ["a.test"])
    now[0] += timedelta(days=5)
    assert contexts(certificates, ["a.test"]) == [first]
    now[0] += timedelta(days=2) - RENEW_BEFORE + timedelta(seconds=1)
    assert contexts(certificates, ["a.test"]) != [first]


def test_none_outlives_the_authority(authority: Authority) -> None:
    from cryptography import x509

    late = NOW + LIFETIME - timedelta(hours=3)
    certificates = Certificates(authority, lambda: late)
    contexts(certificates, ["a.test"])
    chain = certificates._certificate("a.test", min(late + timedelta(days=7), authority.expires_at))
    assert x509.load_pem_x509_certificate(chain).not_valid_after_utc <= authority.expires_at


def test_the_last_ones_are_made_once_and_none_after_its_end(authority: Authority) -> None:
    now = [authority.expires_at - timedelta(hours=3)]
    certificates = Certificates(authority, lambda: now[0])
    (last,) = contexts(certificates, ["a.test"])
    now[0] = authority.expires_at - timedelta(seconds=1)
    assert contexts(certificates, ["a.test"]) == [last]
    for after in (timedelta(0), timedelta(days=2)):
        now[0] = authority.expires_at + after
        for name in ("a.test", "b.test"):
            with pytest.raises(AuthorityError, match="gossamer ca create --anew"):
                contexts(certificates, [name])


def test_keys_are_loaded_where_no_file_can_be_made(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not there"))
    (context,) = contexts(Certificates(authority), ["a.test"])
    assert shaken_hands(authority, context, "a.test") is not None


def test_a_system_without_files_in_memory_gets_one_with_an_encrypted_key(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen = list[bytes]()

    load = ssl.SSLContext.load_cert_chain

    def look(context: ssl.SSLContext, name: str, **more: Any) -> None:
        seen.append(Path(name).read_bytes())
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
        load(context, name, **more)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", look)
    (context,) = contexts(Certificates(authority), ["a.test"])
    monkeypatch.undo()
    assert b"ENCRYPTED PRIVATE KEY" in seen[0]
    assert b"BEGIN PRIVATE KEY" not in seen[0]
    assert [*tmp_path.iterdir()] == []
    assert shaken_hands(authority, context, "a.test") is not None
