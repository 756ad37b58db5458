"""A writer that goes on until it is killed: `python endless.py FOLDER FIRST-NUMBER`.

Pages are made from their numbers, so that whoever kills it knows what must be there. A line
is printed when a batch was reported written: its places.
"""

import random
import sys
from datetime import UTC, datetime
from pathlib import Path

from gossamer import config
from gossamer.archive.exchange import Exchange
from gossamer.archive.writer import Archive
from gossamer.model import BodyState, Fetched, Url

BATCH = 8
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def numbered(number: int) -> Exchange:
    """A page, small or large, that does not compress."""
    chance = random.Random(number)
    body = chance.randbytes(chance.choice([0, 10, 2000, 60_000, 1_000_000]))
    url = Url(f"http://site.test/{number}")
    asked = (("Host", "site.test"),)
    whole = BodyState.WHOLE
    return Exchange(Fetched(url, 200, (), body, whole, "1.1", None, NOON, NOON, NOON, asked))


def main() -> None:
    settings = config.Archive(max_file_bytes=10_000_000)
    archive = Archive(Path(sys.argv[1]), settings, node="killed")
    for start in range(int(sys.argv[2]), 1 << 40, BATCH):
        places = archive.write([numbered(number) for number in range(start, start + BATCH)])
        sys.stdout.write(" ".join(map(str, places)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
