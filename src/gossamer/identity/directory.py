"""The directory of public keys, as servers fetch it (draft-meunier-http-message-signatures-directory). Pure."""

import json
from collections.abc import Sequence
from typing import Final

from gossamer.identity.keys import OVERLAP, SigningKey, public_set

DIRECTORY_PATH: Final = "/.well-known/http-message-signatures-directory"
DIRECTORY_TYPE: Final = "application/http-message-signatures-directory+json"
MAX_AGE: Final = int(
    OVERLAP.total_seconds()
)  # seconds that servers may keep it: keys are published earlier


def directory_body(keys: Sequence[SigningKey]) -> bytes:
    """The directory that lists some keys."""
    return (json.dumps(public_set(keys), indent=2) + "\n").encode()
