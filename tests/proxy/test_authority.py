import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from tests.slowness import patience

from gossamer.proxy.authority import (
    CERTIFICATE,
    KEY,
    LIFETIME,
    Authority,
    AuthorityError,
    is_permitted,
    key_usage,
    network_of,
)

NOW = datetime(2026, 11, 16, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "ca"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_its_key_is_for_its_owner_and_its_certificate_for_all(folder: Path) -> None:
    authority = Authority.create(folder, NOW)
    assert mode(folder / KEY) == 0o600
    assert mode(authority.file) == 0o644
    assert [each.name for each in folder.parent.iterdir()] == ["ca"]
    assert Authority.load(folder, NOW).fingerprint == authority.fingerprint


def test_it_signs_for_sites_and_makes_no_further_authorities(folder: Path) -> None:
    made = Authority.create(folder, NOW)
    constraints = made.certificate.extensions.get_extension_for_class(x509.BasicConstraints)
    assert constraints.critical
    assert (constraints.value.ca, constraints.value.path_length) == (True, 0)
    usage = made.certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    assert usage == key_usage("key_cert_sign", "crl_sign")
    assert made.expires_at == NOW + LIFETIME


def test_it_is_replaced_only_when_that_is_wanted_and_then_key_and_all(folder: Path) -> None:
    first = Authority.create(folder, NOW)
    with pytest.raises(AuthorityError, match="--anew"):
        Authority.create(folder, NOW)
    assert Authority.load(folder, NOW).fingerprint == first.fingerprint
    second = Authority.create(folder, NOW, anew=True)
    assert second.key.public_key() != first.key.public_key()
    assert [each.name for each in folder.parent.iterdir()] == ["ca"]


@pytest.mark.parametrize("anew", [False, True])
def test_a_folder_with_other_things_is_left_as_it_is(folder: Path, anew: bool) -> None:
    first = Authority.create(folder, NOW)
    (folder / "thesis.txt").write_text("years of work")
    with pytest.raises(AuthorityError, match=r"thesis\.txt.*proxy\.authority") as raised:
        Authority.create(folder, NOW, anew=anew)
    assert "--anew" not in str(raised.value)
    assert (folder / "thesis.txt").read_text() == "years of work"
    assert Authority.load(folder, NOW).fingerprint == first.fingerprint


def test_an_empty_folder_becomes_one(folder: Path) -> None:
    folder.mkdir(parents=True)
    Authority.create(folder, NOW)
    assert {each.name for each in folder.iterdir()} == {CERTIFICATE, KEY}


def test_a_key_that_others_can_read_is_refused(folder: Path) -> None:
    Authority.create(folder, NOW)
    (folder / KEY).chmod(0o640)
    with pytest.raises(AuthorityError, match="can be read by others"):
        Authority.load(folder, NOW)


def test_where_there_is_none_the_way_to_one_is_named(folder: Path) -> None:
    with pytest.raises(AuthorityError, match="gossamer ca create"):
        Authority.load(folder, NOW)


@pytest.mark.parametrize("name", [CERTIFICATE, KEY])
def test_a_damaged_one_is_refused(folder: Path, name: str) -> None:
    Authority.create(folder, NOW)
    (folder / name).write_text("-----BEGIN NONSENSE-----")
    with pytest.raises(AuthorityError, match="damaged"):
        Authority.load(folder, NOW)


def test_a_key_of_another_one_is_refused(folder: Path, tmp_path: Path) -> None:
    Authority.create(folder, NOW)
    other = Authority.create(tmp_path / "other", NOW)
    (folder / KEY).write_bytes((other.folder / KEY).read_bytes())
    with pytest.raises(AuthorityError, match="damaged"):
        Authority.load(folder, NOW)


def test_a_key_that_is_missing_is_named(folder: Path) -> None:
    Authority.create(folder, NOW)
    (folder / KEY).unlink()
    with pytest.raises(AuthorityError, match=KEY):
        Authority.load(folder, NOW)


def test_an_expired_one_is_refused(folder: Path) -> None:
    Authority.create(folder, NOW)
    with pytest.raises(AuthorityError, match="expired on 2028-11-15"):
        Authority.load(folder, NOW + LIFETIME + timedelta(seconds=1))


def test_it_can_be_confined_to_domains(folder: Path) -> None:
    confined = Authority.create(folder, NOW, only=["example.org"])
    assert confined.only == ("example.org",)
    assert confined.covers("www.example.org")
    assert confined.covers("example.org")
    assert not confined.covers("notexample.org")
    assert not confined.covers("example.net")
    assert Authority.create(folder, NOW, anew=True).covers("example.net")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AuthorityError, match="cannot be made"):
        Authority.create(tmp_path / "file" / "ca", NOW)


WITHOUT = """
import sys
sys.modules["cryptography"] = None
from datetime import UTC, datetime
from pathlib import Path
from gossamer.proxy.authority import Authority, AuthorityError
try:
    Authority.create(Path(sys.argv[1]), datetime.now(UTC))
except AuthorityError as error:
    print(error)
"""


def test_without_the_package_it_says_what_to_install(folder: Path) -> None:
    run = [sys.executable, "-c", WITHOUT, str(folder)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=patience(60), check=True)
    assert "pip install 'gossamer[intercept]'" in done.stdout
    assert not folder.exists()


def test_one_of_an_older_gossamer_goes_on_working(folder: Path) -> None:
    made = Authority.create(folder, NOW, only=["a.test"])
    assert made.is_for_servers_alone
    old, builder = made.certificate, x509.CertificateBuilder()
    builder = (
        builder.subject_name(old.subject)
        .issuer_name(old.issuer)
        .public_key(made.key.public_key())
        .serial_number(old.serial_number)
        .not_valid_before(old.not_valid_before_utc)
        .not_valid_after(old.not_valid_after_utc)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints([x509.DNSName("a.test")], None), critical=True)
    )
    signed = builder.sign(made.key, hashes.SHA256())
    (folder / CERTIFICATE).write_bytes(signed.public_bytes(Encoding.PEM))
    loaded = Authority.load(folder, NOW)
    assert loaded.only == ("a.test",)
    assert loaded.covers("www.a.test")
    assert not loaded.covers("192.0.2.7")
    assert not loaded.is_for_servers_alone


PERMITTED = ("a.test", "192.0.2.0/24", "2001:db8::/32")


@pytest.mark.parametrize(
    "name", ["a.test", "www.a.test", "192.0.2.7", "2001:db8::1", "[2001:db8::1]"]
)
def test_what_is_named_is_permitted(name: str) -> None:
    assert is_permitted(name, PERMITTED)


@pytest.mark.parametrize("name", ["b.test", "nota.test", "test", "192.0.3.7", "::1", "0.2.0/24"])
def test_nothing_else_is(name: str) -> None:
    assert not is_permitted(name, PERMITTED)


def test_an_address_is_no_part_of_a_domain() -> None:
    assert not is_permitted("192.0.2.7", ("2.7", "a.test"))


def test_networks_are_told_from_names() -> None:
    assert str(network_of("192.0.2.7")) == "192.0.2.7/32"
    assert str(network_of("[2001:db8::1]")) == "2001:db8::1/128"
    assert network_of("a.test") is None
    assert network_of("192.0.2.7/24") is None  # which bits of it are meant nobody knows
