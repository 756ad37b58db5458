"""A server that lets in signed requests only, checked by a library that is not ours."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, algorithms
from http_message_signatures.exceptions import InvalidSignature

from gossamer.identity.signing import TAG


@dataclass
class Verifier:
    """Knows the keys of a directory, and which nonces it has seen."""

    fetch: Callable[[], bytes]  # the directory, as it is now
    nonces: set[str] = field(default_factory=set)
    _keys: dict[str, Ed25519PublicKey] = field(default_factory=dict)

    def refresh(self) -> None:
        """Fetch the directory."""
        for key in json.loads(self.fetch())["keys"]:
            octets = base64.urlsafe_b64decode(key["x"] + "=")
            self._keys[key["kid"]] = Ed25519PublicKey.from_public_bytes(octets)

    def _resolver(self) -> Any:
        return SimpleNamespace(resolve_public_key=self._keys.get)

    def refusal(self, url: str, headers: Mapping[str, str]) -> str | None:
        """Why a request is not let in; None where it is."""
        request: Any = SimpleNamespace(method="GET", url=url, headers=dict(headers))
        verifier = HTTPMessageVerifier(
            signature_algorithm=algorithms.ED25519,
            key_resolver=self._resolver(),
        )
        try:
            (found,) = verifier.verify(
                request, expect_tag=TAG, require_components=("@authority", "signature-agent")
            )
        except InvalidSignature as error:
            return str(error) or "wrong"
        if found.nonce is None or found.nonce in self.nonces:
            return "replayed"
        self.nonces.add(found.nonce)
        return None
