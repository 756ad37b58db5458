"""Packages that only some need: loaded when they are asked for, and named where they are missing."""

from importlib import import_module
from types import ModuleType
from typing import Final

from gossamer.errors import GossamerError

OURS: Final = {
    "pyarrow": "gossamer[data]",
    "xlsxwriter": "gossamer[data]",
    "duckdb": "gossamer[sql]",
    "pyspark": "gossamer[spark]",
}
"""What brings them; all others are the user's own."""


class MissingPackageError(GossamerError, ImportError):
    """A package that is not installed; the text says which line installs it."""


def needed(module: str) -> ModuleType:
    """A module of a package that need not be there; raises `MissingPackageError`."""
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] != package:
            raise  # it is there, and lacks something itself
        bringing = OURS.get(package, package)
        raise MissingPackageError(f"This needs {package}: pip install '{bringing}'") from None
