"""A certificate authority of our own, on this machine, for those who want HTTPS looked into.

A program that trusts it lets whoever has its key read and forge its traffic. So the key is readable by
its owner alone from its first byte on, is made and replaced in one step, lasts two years, and can
be confined to the names that it is for.

By RFC 5280 §4.2.1.10 a list of permitted names confines names of its own kind alone, so each kind has a
list. For a kind of which nothing is permitted the list names something that nobody can have; and all
addresses of a version of which none is permitted are excluded besides. Distinguished names are left alone:
many clients refuse a critical extension that mentions them, and none takes a site's name from there.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from gossamer.errors import GossamerError

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

Network = IPv4Network | IPv6Network
NOBODYS: Final = "invalid"  # RFC 2606: no host is called so
CERTIFICATE, KEY = "ca.pem", "ca-key.pem"
LIFETIME: Final = timedelta(days=730)  # long enough to trust it once, short enough to be forgotten
SKEW: Final = timedelta(days=1)  # clocks of clients may be slow
NEEDS: Final = (
    "To make certificates, Gossamer needs the package `cryptography`. Install it: "
    "pip install 'gossamer[intercept]'"
)
_ALL: Final = {4: ip_network("0.0.0.0/0"), 6: ip_network("::/0")}
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class AuthorityError(GossamerError):
    """The local authority is not there, or cannot be used; says what to do."""


@dataclass(frozen=True, slots=True)
class Authority:
    """The authority: its certificate, which may be known to all, and its key."""

    folder: Path
    certificate: "x509.Certificate"
    key: "EllipticCurvePrivateKey"

    @property
    def file(self) -> Path:
        """The certificate as a file, for those who are to trust it."""
        return self.folder / CERTIFICATE

    @property
    def fingerprint(self) -> str:
        """By which people recognise it: SHA-256, in pairs."""
        from cryptography.hazmat.primitives import hashes

        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def name(self) -> str:
        """The name of the authority."""
        from cryptography.x509 import NameOID

        (title,) = self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        return str(title.value)

    @property
    def expires_at(self) -> datetime:
        """The moment at which its certificate expires."""
        return self.certificate.not_valid_after_utc

    @property
    def only(self) -> tuple[str, ...]:
        """The domains and networks that it is confined to; none where it speaks for all."""
        return permitted_hosts(self.certificate)

    @property
    def is_for_servers_alone(self) -> bool:
        """Whether nothing but certificates of servers is believed of it; older ones say no such thing."""
        from cryptography import x509

        found = [each.value for each in self.certificate.extensions]
        return any(isinstance(each, x509.ExtendedKeyUsage) for each in found)

    def covers(self, name: str) -> bool:
        """Whether clients believe it about a host; a tunnel is better for one that it may not name."""
        confined = self.only
        return not confined or is_permitted(name, confined)

    def check(self, now: datetime) -> None:
        """Raise `AuthorityError` if it has expired."""
        if self.expires_at <= now:
            raise AuthorityError(
                f"The certificate authority in {self.folder} expired on {self.expires_at:%Y-%m-%d}. "
                "Make a new one, and have it trusted: gossamer ca create --anew"
            )

    @classmethod
    def load(cls, folder: Path, now: datetime) -> Self:
        """The authority in a folder; refused where somebody else could have its key."""
        if not (folder / CERTIFICATE).exists():
            raise AuthorityError(
                f"There is no certificate authority in {folder}. Make one: gossamer ca create"
            )
        _require()
        loaded = cls(folder, *_read(folder))
        loaded.check(now)
        return loaded

    @classmethod
    def create(
        cls, folder: Path, now: datetime, *, only: Sequence[str] = (), anew: bool = False
    ) -> Self:
        """Make an authority; where there is one, only `anew` replaces it, key and all."""
        _require()
        certificate, key = _made(only, now)
        try:
            _make_sure(folder, anew=anew)
            _put_in_place(folder, certificate, key)
        except OSError as error:
            raise AuthorityError(f"{folder} cannot be made: {error.strerror}.") from None
        return cls.load(folder, now)


def key_usage(*names: str) -> "x509.KeyUsage":
    """What a key is for, and nothing else."""
    from cryptography import x509

    known = (
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
        "key_cert_sign",
        "crl_sign",
        "encipher_only",
        "decipher_only",
    )
    return x509.KeyUsage(**{name: name in names for name in known})


def network_of(text: str) -> Network | None:
    """The network or address that is written so; None where it is no address."""
    try:
        return ip_network(text.strip("[]"))
    except ValueError:
        return None


def constraints_for(only: Sequence[str]) -> "x509.NameConstraints":
    """The extension that confines an authority to these domains and networks."""
    from cryptography import x509

    networks = [network for each in only if (network := network_of(each)) is not None]
    domains = [each for each in only if network_of(each) is None] or [NOBODYS]
    permitted: list[x509.GeneralName] = [x509.DNSName(each) for each in domains]
    permitted += [x509.IPAddress(each) for each in networks]
    permitted += [x509.RFC822Name(NOBODYS), x509.UniformResourceIdentifier(NOBODYS)]
    versions = {each.version for each in networks}
    excluded = [x509.IPAddress(every) for version, every in _ALL.items() if version not in versions]
    return x509.NameConstraints(permitted, excluded or None)


def permitted_hosts(certificate: "x509.Certificate") -> tuple[str, ...]:
    """The domains and networks that an authority is confined to; none where it speaks for all."""
    from cryptography import x509

    try:
        found = certificate.extensions.get_extension_for_class(x509.NameConstraints)
    except x509.ExtensionNotFound:
        return ()
    hosts = [
        str(each.value)
        for each in found.value.permitted_subtrees or ()
        if isinstance(each, x509.DNSName | x509.IPAddress)
    ]
    return tuple(each for each in hosts if each != NOBODYS)


def is_permitted(name: str, permitted: Sequence[str]) -> bool:
    """Whether a host is among those; an address only by a network."""
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return any(name == domain or name.endswith("." + domain) for domain in permitted)
    networks = [network for each in permitted if (network := network_of(each)) is not None]
    return any(address in network for network in networks)


def _make_sure(folder: Path, *, anew: bool) -> None:
    """Refuse to replace what is not an authority, or is one that is to stay."""
    found = {each.name for each in folder.iterdir()} if folder.exists() else set()
    if strangers := sorted(found - {CERTIFICATE, KEY}):
        raise AuthorityError(
            f"{folder} holds other things, such as {strangers[0]}, and an authority wants a folder "
            "of its own. Nothing was changed. Name one that does not exist yet as proxy.authority."
        )
    if found and not anew:
        raise AuthorityError(
            f"There is a certificate authority in {folder} already. To replace it and "
            "destroy its key: gossamer ca create --anew"
        )


def _require() -> None:
    try:
        import cryptography  # noqa: F401 (whether it is there is the question)
    except ImportError:
        raise AuthorityError(NEEDS) from None


def _read(folder: Path) -> "tuple[x509.Certificate, EllipticCurvePrivateKey]":
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    secret = folder / KEY
    try:
        if secret.stat().st_mode & _OTHERS:
            raise AuthorityError(
                f"{secret} can be read by others, who could forge every site for you. Make a new "
                f"authority: gossamer ca create --anew (or, if nobody has: chmod 600 '{secret}')"
            )
        certificate = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
        key = load_pem_private_key(secret.read_bytes(), None)
    except OSError as error:
        raise AuthorityError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError):
        raise AuthorityError(_damaged(folder)) from None
    if not isinstance(key, EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise AuthorityError(_damaged(folder))
    return certificate, key


def _damaged(folder: Path) -> str:
    return (
        f"The certificate authority in {folder} is damaged. Make a new one, and have it trusted: "
        "gossamer ca create --anew"
    )


def _made(only: Sequence[str], now: datetime) -> tuple[bytes, bytes]:
    """A certificate and its key, as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key = ec.generate_private_key(ec.SECP256R1())
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    title = f"Gossamer proxy {now:%Y-%m-%d} {identifier.digest.hex()[:8]}"
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, title)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SKEW)
        .not_valid_after(now + LIFETIME)
        # It signs for sites, and makes no further authorities.
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(key_usage("key_cert_sign", "crl_sign"), critical=True)
        # For servers alone: no mail, no programs and no clients are believed because of it.
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
    )
    if only:
        builder = builder.add_extension(constraints_for(only), critical=True)
    certificate = builder.sign(key, hashes.SHA256())
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return certificate.public_bytes(Encoding.PEM), secret


def _put_in_place(folder: Path, certificate: bytes, key: bytes) -> None:
    """Both files or none: they are made in a folder that only we can enter, which is then renamed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _write(new / KEY, key, 0o600)
        _write(new / CERTIFICATE, certificate, 0o644)
        new.chmod(0o755)  # whoever is to trust it may read it
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
            folder.rename(old)
            new.rename(folder)
            shutil.rmtree(old)
        else:
            new.rename(folder)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _write(path: Path, content: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        os.fchmod(file.fileno(), mode)  # whatever the umask: a certificate is there to be read
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
