"""Tokens that let programs change things: how long one has to be, and how one is made.

Tokens of files, of the environment and of earlier versions may be short for now, with a warning:
refusing them would lock people out of what worked.
"""

import secrets
from typing import Final

from gossamer.errors import ConfigError

KEY: Final = "service.token"
NEW: Final = "new"  # in the place of a token: make one
LEAST_CHARACTERS: Final = 16  # of any alphabet: more than can be guessed over a network
_MADE_BYTES: Final = 24


def make_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(_MADE_BYTES)


def is_short(token: str | None) -> bool:
    """Whether a token could be guessed."""
    return token is not None and len(token.strip()) < LEAST_CHARACTERS


def check_new(name: str, raw: object, where: str) -> None:
    """Refuse a token that is too short, where it is set anew; raises `ConfigError`."""
    if name == KEY and isinstance(raw, str) and is_short(raw):
        raise ConfigError(
            f"{where}: a token has {LEAST_CHARACTERS} characters or more, or it is guessed. "
            f"`gossamer config set {KEY}={NEW}` makes one, and so does `gossamer serve --token "
            f"{NEW}` for one run."
        )
