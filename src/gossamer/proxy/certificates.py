"""Certificates for hosts, made by the local authority as they are needed, kept in memory only."""

import asyncio
import os
import secrets
import ssl
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gossamer.moments import now_utc
from gossamer.proxy.authority import SKEW, Authority, key_usage

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

LIFETIME: Final = timedelta(days=7)
RENEW_BEFORE: Final = timedelta(days=1)  # a connection may go on for a while
MOST: Final = 1024  # hosts that are remembered
_LONGEST_COMMON_NAME: Final = 64  # of a certificate's subject; the full name is in its extension


class Certificates:
    """What to show a client that connects to a host through us."""

    def __init__(
        self, authority: Authority, now: Callable[[], datetime] = now_utc, most: int = MOST
    ) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self._authority, self._now, self._most = authority, now, most
        # One key for all hosts of this run. It is in no file, ever (`_load`).
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._made: OrderedDict[str, tuple[datetime, ssl.SSLContext]] = OrderedDict()
        self._making: dict[str, asyncio.Task[ssl.SSLContext]] = {}

    @property
    def authority_pem(self) -> bytes:
        """The certificate of the authority, which clients have to trust, as PEM."""
        from cryptography.hazmat.primitives.serialization import Encoding

        return self._authority.certificate.public_bytes(Encoding.PEM)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the authority, by which people recognise it."""
        return self._authority.fingerprint

    def covers(self, name: str) -> bool:
        """Whether clients that trust the authority believe it about a host."""
        return self._authority.covers(name)

    async def certificate_for(self, name: str) -> ssl.SSLContext:
        """A context for the server's side of a connection, with a certificate for that host.

        The name as it stands in a canonical URL; addresses of version 6 with or without brackets.
        Raises `AuthorityError` where the authority is at its end.
        """
        name = name.strip("[]").lower().rstrip(".")
        known = self._made.get(name)
        if known is not None and known[0] > self._now():
            self._made.move_to_end(name)
            return known[1]
        self._authority.check(self._now())
        making = self._making.get(name)
        if making is None:
            making = self._making[name] = asyncio.create_task(self._make(name))
            making.add_done_callback(lambda _: self._making.pop(name))
        # Whoever leaves does not take it from the others who wait for it.
        return await asyncio.shield(making)

    async def _make(self, name: str) -> ssl.SSLContext:
        until, last = self._now() + LIFETIME, self._authority.expires_at
        context = await asyncio.to_thread(self._context, name, min(until, last))
        # One that ends with the authority is as good as another would be.
        self._made[name] = (until - RENEW_BEFORE if until < last else last, context)
        self._made.move_to_end(name)
        if len(self._made) > self._most:
            self._made.popitem(last=False)
        return context

    def _context(self, name: str, until: datetime) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        _load(context, self._certificate(name, until), self._key)
        return context

    def _certificate(self, name: str, until: datetime) -> bytes:
        """The certificate of a host, as PEM."""
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.serialization import Encoding
        from cryptography.x509.oid import ExtendedKeyUsageOID

        authority = self._authority
        address = _address(name)
        # Some clients take a common name for a host's, and an address is none.
        title = name[:_LONGEST_COMMON_NAME] if address is None else f"address {name}"
        subject = [x509.NameAttribute(x509.NameOID.COMMON_NAME, title)]
        alternative = x509.DNSName(name) if address is None else x509.IPAddress(address)
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(x509.Name(subject))
            .issuer_name(authority.certificate.subject)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(max(self._now() - SKEW, authority.certificate.not_valid_before_utc))
            .not_valid_after(until)
            .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(key_usage("digital_signature"), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(signer, critical=False)
            .sign(authority.key, hashes.SHA256())
        )
        return certificate.public_bytes(Encoding.PEM)


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _load(context: ssl.SSLContext, certificate: bytes, key: "ec.EllipticCurvePrivateKey") -> None:
    """Give a certificate and its key to Python's `ssl`, which takes both from files alone.

    Where the system has files that are in memory alone, it is such a file. Else it is one that only we
    can read, for a moment, in which the key is encrypted with a password that nobody knows.
    """
    if hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir():
        _load_from_memory(context, certificate + _written(key))
    else:
        _load_encrypted(context, certificate, key)


def _load_from_memory(context: ssl.SSLContext, chain: bytes) -> None:
    with os.fdopen(os.memfd_create("gossamer", os.MFD_CLOEXEC), "wb") as file:
        file.write(chain)
        file.flush()
        context.load_cert_chain(f"/proc/self/fd/{file.fileno()}")


def _load_encrypted(
    context: ssl.SSLContext, certificate: bytes, key: "ec.EllipticCurvePrivateKey"
) -> None:
    password = secrets.token_hex().encode()
    descriptor, name = tempfile.mkstemp(prefix="gossamer-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(certificate + _written(key, password))
        context.load_cert_chain(name, password=password)
    finally:
        Path(name).unlink()


def _written(key: "ec.EllipticCurvePrivateKey", password: bytes | None = None) -> bytes:
    """A key as PEM."""
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    hidden = NoEncryption() if password is None else BestAvailableEncryption(password)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hidden)
