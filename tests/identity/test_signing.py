"""Signatures of requests: the RFC's own example, and a library that is not ours."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from tests.identity.verifier import Verifier

from gossamer.identity.directory import directory_body
from gossamer.identity.keys import SigningKey
from gossamer.identity.signing import (
    LIFETIME,
    SignatureTerms,
    new_nonce,
    request_fields,
    signature_base,
    signature_fields,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AGENT = "https://bot.test"
# RFC 9421, appendix B.1.4
TEST_KEY = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
"""
# Appendix B.2.6
EXAMPLE = [
    ('"date"', "Tue, 20 Apr 2021 02:07:55 GMT"),
    ('"@method"', "POST"),
    ('"@path"', "/foo"),
    ('"@authority"', "example.com"),
    ('"content-type"', "application/json"),
    ('"content-length"', "18"),
]
TERMS = ';created=1618884473;keyid="test-key-ed25519"'
SIGNATURE = (
    "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
)


def terms(keyid: str, ago: timedelta = timedelta(0)) -> SignatureTerms:
    created = datetime.now(UTC) - ago
    return SignatureTerms(keyid, created, created + LIFETIME, new_nonce(b"nonce" * 8))


def test_the_example_of_the_rfc_is_signed_as_it_has_it() -> None:
    base = signature_base(EXAMPLE, TERMS).decode().splitlines()
    assert base[-1] == (
        '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length")'
        + TERMS
    )
    key = load_pem_private_key(TEST_KEY, None)
    _, (name, signature) = signature_fields(key, EXAMPLE, TERMS)  # type: ignore[arg-type]
    assert (name, signature) == ("Signature", f"sig1=:{SIGNATURE}:")


def test_the_key_of_the_rfc_has_the_thumbprint_that_others_give_it() -> None:
    """As in draft-meunier-http-message-signatures-directory, which shows this very key."""
    private = load_pem_private_key(TEST_KEY, None)
    seed = private.private_bytes_raw()  # type: ignore[union-attr]
    public = private.public_key().public_bytes_raw()  # type: ignore[union-attr]
    assert base64.urlsafe_b64encode(public) == b"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs="
    key = SigningKey(seed, public, NOW, NOW)
    assert key.keyid == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"


@pytest.fixture
def key() -> SigningKey:
    return SigningKey.make(NOW, NOW)


def verifier_of(key: SigningKey) -> Verifier:
    verifier = Verifier(lambda: directory_body([key]))
    verifier.refresh()
    return verifier


def test_a_signed_request_is_let_in_once(key: SigningKey) -> None:
    fields = dict(request_fields(key.private, "a.test", AGENT, terms(key.keyid)))
    verifier = verifier_of(key)
    assert verifier.refusal("http://a.test/x?y", fields) is None
    assert verifier.refusal("http://a.test/x?y", fields) == "replayed"


def test_a_signature_is_good_for_one_authority_only(key: SigningKey) -> None:
    fields = dict(request_fields(key.private, "a.test", AGENT, terms(key.keyid)))
    assert verifier_of(key).refusal("http://b.test/", fields) is not None
    assert verifier_of(key).refusal("http://a.test:8080/", fields) is not None


@pytest.mark.parametrize("ago", [2 * LIFETIME, timedelta(days=1), -timedelta(hours=1)])
def test_a_signature_of_another_time_is_refused(key: SigningKey, ago: timedelta) -> None:
    fields = dict(request_fields(key.private, "a.test", AGENT, terms(key.keyid, ago)))
    assert verifier_of(key).refusal("http://a.test/", fields) is not None


def test_a_signature_by_a_key_of_somebody_else_is_refused(key: SigningKey) -> None:
    other = SigningKey.make(NOW, NOW)
    fields = dict(request_fields(other.private, "a.test", AGENT, terms(other.keyid)))
    assert verifier_of(key).refusal("http://a.test/", fields) is not None
    # Nor by ours in name alone.
    fields = dict(request_fields(other.private, "a.test", AGENT, terms(key.keyid)))
    assert verifier_of(key).refusal("http://a.test/", fields) is not None


def test_another_address_of_keys_cannot_be_put_in(key: SigningKey) -> None:
    fields = dict(request_fields(key.private, "a.test", AGENT, terms(key.keyid)))
    fields["Signature-Agent"] = '"https://evil.test"'
    assert verifier_of(key).refusal("http://a.test/", fields) is not None
