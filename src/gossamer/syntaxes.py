"""The words of `--only`: which syntaxes a user asks for."""

from collections.abc import Iterable

from gossamer.errors import ConfigError
from gossamer.model import Syntax

NONE = "none"  # a crawl for links alone


def wanted_syntaxes(names: Iterable[str]) -> frozenset[Syntax] | None:
    """The syntaxes that the words name; None where there are no words: all of them."""
    words = set(names)
    if not words:
        return None
    unknown = sorted(words - {NONE} - set(Syntax))
    if unknown:
        known = ", ".join(Syntax)
        raise ConfigError(f"--only: {unknown[0]!r} is no syntax; there are {known}, and {NONE}.")
    return frozenset(Syntax(word) for word in words if word != NONE)
