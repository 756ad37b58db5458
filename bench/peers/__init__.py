"""The peers that live in an environment of their own, and where that is."""

import sys
from pathlib import Path
from typing import Final

PEERS = Path(__file__).resolve().parent
PYTHON = PEERS.parents[1] / ".venv-peers" / "bin" / "python"
HOW_TO_GET_THEM: Final = (
    "The peers are not here, so only ours is measured: `make bench` sets them up."
)


def are_here() -> bool:
    """Whether they were set up; a sentence says so where they were not."""
    if not PYTHON.exists():
        print(HOW_TO_GET_THEM, file=sys.stderr)
    return PYTHON.exists()
