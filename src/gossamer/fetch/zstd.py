"""`zstd` of this Python, in the library since 3.14 and before that as its backport; or None without it."""

import sys

try:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
except ImportError:  # a Python built without it
    zstd = None  # type: ignore[assignment]  # whoever uses it can do without

__all__ = ["zstd"]
