"""The module that needs the SDK, which is an extra; where it is missing, which line installs it."""

from importlib import import_module
from types import ModuleType
from typing import Final

from gossamer.errors import GossamerError

MISSING: Final = "MCP needs its SDK. Install it with: pip install 'gossamer[mcp]'"
_PACKAGES: Final = ("mcp", "mcp_types")


class NoMcpError(GossamerError):
    """The SDK is not installed; the text says which line installs it."""


def load_server() -> ModuleType:
    """`gossamer.mcp.server`, which takes a second to load; raises `NoMcpError`."""
    try:
        return import_module("gossamer.mcp.server")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _PACKAGES:
            raise
        raise NoMcpError(MISSING) from None
