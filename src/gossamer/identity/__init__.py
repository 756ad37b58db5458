"""The identity of a crawler: keys that sign its requests, and the directory by which servers check them.

    keys       the keys of a data folder: made, rotated, readable by their owner only
    signing    pure: the headers that sign one request (RFC 9421, Web Bot Auth)
    directory  the public keys as servers fetch them
    signer     signs for whoever sends, with the key in use at the moment

    create ──▶ in use ──rotate──▶ still published ──▶ dropped
               └── the next key is published first, and used when servers have had time to fetch it

Without an identity nothing is signed, and no library for it is loaded.
"""

from collections.abc import Callable
from datetime import datetime

from gossamer.config import Identity
from gossamer.folder.data import DataFolder
from gossamer.model import Url

_NOTHING: tuple[tuple[str, str], ...] = ()


def signature_by(
    data: DataFolder, identity: Identity, now: Callable[[], datetime]
) -> Callable[[Url], tuple[tuple[str, str], ...]]:
    """What gives the fields that say who sends a request; where none are wanted, nothing is loaded for them."""
    if identity == Identity():
        return lambda _: _NOTHING
    from gossamer.identity.signer import signer_for

    return signer_for(data, identity, now).sign
