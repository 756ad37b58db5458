"""Expressions that users write and hostile texts are searched with: RE2, in linear time."""

from dataclasses import dataclass
from typing import Any, Final

import re2

from gossamer.errors import ConfigError
from gossamer.wording import quoted

MAX_EXPRESSION: Final = 4_096  # characters; a longer one is a list, and belongs in several
# Memory of one compiled expression and its matching. Where RE2 cannot keep its states it follows
# all of them at once, so time grows with the program: of 250 expressions made to be slow, the
# worst took 21 µs a byte within this bound, and 450 µs with eight times as much. Lists of
# suffixes or hosts, 3,000 characters long, still fit.
MAX_PROGRAM_BYTES: Final = 32 * 1024


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression, and the text it was made from."""

    text: str
    program: Any  # re2 brings no types

    def found_in(self, text: str) -> bool:
        """Whether the expression is found anywhere in the text."""
        return self.program.search(text) is not None


def compiled(key: str, text: str) -> Expression:
    """The expression of a key, or a `ConfigError` that says what is wrong, with a right one."""
    if len(text) > MAX_EXPRESSION:
        raise ConfigError(
            f"{key}: {quoted(text)} has {len(text)} characters; give several expressions "
            f"of at most {MAX_EXPRESSION} instead."
        )
    try:
        return Expression(text, re2.compile(text, _options()))
    except (re2.error, UnicodeEncodeError) as error:
        raise ConfigError(
            f"{key}: {quoted(text)} is not an expression of RE2 (it says: {_reason(error)}). RE2 has no "
            "look-around and no back-references, and bounds the size of an expression; "
            r"a right one is ^https://example\.org/news/ or \.pdf$"
        ) from None


def _reason(error: Exception) -> str:
    """What RE2 said, fit to be shown: it says it in bytes, and repeats what it was given."""
    if isinstance(error, UnicodeEncodeError):
        return quoted("not Unicode text")
    return quoted(error.args[0].decode(errors="replace"))


def _options() -> Any:  # noqa: ANN401 (re2 brings no types)
    options = re2.Options()
    options.max_mem = MAX_PROGRAM_BYTES
    options.never_capture = True
    options.log_errors = False  # RE2 would write to stderr itself
    return options
