"""Somebody has the key of an authority that is confined: what they sign is believed by nobody."""

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID as Use

from gossamer.proxy.authority import Authority

OPENSSL = shutil.which("openssl")
NOW = datetime.now(UTC)
DNS, IP, MAIL, URI = x509.DNSName, x509.IPAddress, x509.RFC822Name, x509.UniformResourceIdentifier

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="needs the openssl program")


@pytest.fixture(scope="module")
def confined(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(
        tmp_path_factory.mktemp("a") / "ca", NOW, only=["a.test", "192.0.2.0/24"]
    )


@pytest.fixture(scope="module")
def of_names(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("n") / "ca", NOW, only=["a.test"])


@pytest.fixture(scope="module")
def of_addresses(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("i") / "ca", NOW, only=["192.0.2.0/24"])


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("f") / "ca", NOW)


def forged(
    authority: Authority,
    folder: Path,
    *names: x509.GeneralName,
    use: x509.ObjectIdentifier | None = Use.SERVER_AUTH,
    title: str = "forged",
) -> Path:
    """A certificate that the thief signs."""
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, title)]))
        .issuer_name(authority.certificate.subject)
        .public_key(ec.generate_private_key(ec.SECP256R1()).public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(hours=1))
        .not_valid_after(NOW + timedelta(days=1))
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    if use is not None:
        builder = builder.add_extension(x509.ExtendedKeyUsage([use]), critical=False)
    path = folder / "forged.pem"
    path.write_bytes(builder.sign(authority.key, hashes.SHA256()).public_bytes(Encoding.PEM))
    return path


def is_believed(authority: Authority, leaf: Path, purpose: str = "sslserver") -> bool:
    assert OPENSSL is not None
    said = subprocess.run(
        [OPENSSL, "verify", "-CAfile", str(authority.file), "-purpose", purpose, str(leaf)],
        capture_output=True,
        check=False,
    )
    return said.returncode == 0


@pytest.mark.parametrize("name", [DNS("a.test"), DNS("www.a.test"), IP(ip_address("192.0.2.7"))])
def test_what_it_is_for_is_believed(
    confined: Authority, tmp_path: Path, name: x509.GeneralName
) -> None:
    assert is_believed(confined, forged(confined, tmp_path, name))


@pytest.mark.parametrize(
    "name",
    [
        DNS("bank.test"),
        DNS("nota.test"),
        IP(ip_address("192.0.3.1")),
        IP(ip_address("2001:db8::1")),
        MAIL("ceo@bank.test"),
        MAIL("ceo@a.test"),
        URI("https://bank.test/"),
        URI("spiffe://a.test/db"),
    ],
)
def test_a_thief_signs_for_no_other_name_of_any_kind(
    confined: Authority, tmp_path: Path, name: x509.GeneralName
) -> None:
    assert not is_believed(confined, forged(confined, tmp_path, name))
    assert not is_believed(confined, forged(confined, tmp_path, DNS("a.test"), name))


def test_one_of_names_signs_for_no_address_and_one_of_addresses_for_no_name(
    of_names: Authority, of_addresses: Authority, tmp_path: Path
) -> None:
    assert is_believed(of_names, forged(of_names, tmp_path, DNS("a.test")))
    assert not is_believed(of_names, forged(of_names, tmp_path, IP(ip_address("192.0.2.7"))))
    assert is_believed(of_addresses, forged(of_addresses, tmp_path, IP(ip_address("192.0.2.7"))))
    assert not is_believed(of_addresses, forged(of_addresses, tmp_path, DNS("a.test")))
    assert not is_believed(of_addresses, forged(of_addresses, tmp_path, title="bank.test"))


@pytest.mark.parametrize(
    ("purpose", "use"),
    [
        ("sslclient", Use.CLIENT_AUTH),
        ("smimesign", Use.EMAIL_PROTECTION),
        ("sslclient", None),
        ("smimesign", None),
    ],
)
def test_no_authority_signs_for_anything_but_servers(
    free: Authority, tmp_path: Path, purpose: str, use: x509.ObjectIdentifier | None
) -> None:
    assert is_believed(free, forged(free, tmp_path, DNS("bank.test")))
    assert not is_believed(free, forged(free, tmp_path, DNS("bank.test"), use=use), purpose)
