"""Signatures of requests by RFC 9421, as Web Bot Auth asks for them. Pure.

A signature covers the authority that is asked and the address of the directory with our keys
(draft-meunier-web-bot-auth-architecture, section 4.2). So it is good for one host, and for as long as `Lifetime` says.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TAG: Final = "web-bot-auth"
DIRECTORY_TAG: Final = "http-message-signatures-directory"
LABEL: Final = "sig1"
LIFETIME: Final = timedelta(minutes=5)  # a request is sent at once; clocks of servers may differ
NONCE_BYTES: Final = 32  # unlikely to come twice, as RFC 9421, section 7.2.2 asks

Component = tuple[str, str]  # an identifier with its parameters, as it is written, and the value


@dataclass(frozen=True, slots=True)
class SignatureTerms:
    """What a signature says of itself."""

    keyid: str
    created: datetime
    expires: datetime
    nonce: str
    tag: str = TAG

    def __str__(self) -> str:
        return (
            f";created={int(self.created.timestamp())};expires={int(self.expires.timestamp())}"
            f';keyid="{self.keyid}";alg="ed25519";nonce="{self.nonce}";tag="{self.tag}"'
        )


def signature_base(components: Sequence[Component], terms: str) -> bytes:
    """The text that is signed (RFC 9421, section 2.5)."""
    lines = [f"{name}: {value}" for name, value in components]
    return "\n".join([*lines, f'"@signature-params": {_covered(components)}{terms}']).encode()


def signature_fields(
    key: "Ed25519PrivateKey", components: Sequence[Component], terms: str
) -> tuple[tuple[str, str], tuple[str, str]]:
    """The fields `Signature-Input` and `Signature` for some components."""
    signature = base64.b64encode(key.sign(signature_base(components, terms))).decode()
    return (
        ("Signature-Input", f"{LABEL}={_covered(components)}{terms}"),
        ("Signature", f"{LABEL}=:{signature}:"),
    )


def request_fields(
    key: "Ed25519PrivateKey", authority: str, agent_url: str, terms: SignatureTerms
) -> tuple[tuple[str, str], ...]:
    """The fields that sign a request to an authority (`example.org`, `example.org:8080`)."""
    agent = f'"{agent_url}"'
    components = [('"@authority"', authority), ('"signature-agent"', agent)]
    return (("Signature-Agent", agent), *signature_fields(key, components, str(terms)))


def directory_fields(
    key: "Ed25519PrivateKey", authority: str, terms: SignatureTerms
) -> tuple[tuple[str, str], ...]:
    """The fields that sign our directory as an answer to a request: so nobody else can offer it as theirs."""
    return signature_fields(key, [('"@authority";req', authority)], str(terms))


def new_nonce(random: bytes) -> str:
    """Random bytes as a nonce."""
    return base64.b64encode(random).decode()


def _covered(components: Sequence[Component]) -> str:
    return "(" + " ".join(name for name, _ in components) + ")"
