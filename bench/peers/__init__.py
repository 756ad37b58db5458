"""The peers that live in an environment of their own, and where that is."""

from pathlib import Path

PEERS = Path(__file__).resolve().parent
PYTHON = PEERS.parents[1] / ".venv-peers" / "bin" / "python"


def are_here() -> None:
    """Leave with a sentence where they were not set up."""
    if not PYTHON.exists():
        raise SystemExit("The peers are not here: run `make bench`, which sets them up.")
