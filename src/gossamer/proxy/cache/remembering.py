"""What a pure function says of a value, remembered where the value is short.

Programs and sites say the same short things again and again. Long ones would fill the memory, and
whoever sends them may send another one each time.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

SHORT: Final = 1024  # bytes

T = TypeVar("T")


def remembering(most: int) -> Callable[[Callable[[bytes], T]], Callable[[bytes], T]]:
    """Have a function remember what it said of so many short values."""

    def decorated(function: Callable[[bytes], T]) -> Callable[[bytes], T]:
        remembered = lru_cache(most)(function)

        @wraps(function)
        def asked(value: bytes) -> T:
            return remembered(value) if len(value) <= SHORT else function(value)

        return asked

    return decorated
