"""Forgets pages, and dies at a given step: `python dying.py FOLDER STEP ENDING…`.

A step is a file opened, renamed or removed in that folder. Each line printed is what a frontier
would have noted: the moves of one file.
"""

import json
import os
import sys
from pathlib import Path

from gossamer.archive.forget import forget

STEPS = ("open", "os.rename", "os.remove")


def main() -> None:
    folder, steps = sys.argv[1], int(sys.argv[2])

    def die_at_last(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal steps
        if event in STEPS and str(arguments[0]).startswith(folder):
            steps -= 1
            if steps == 0:
                os._exit(9)

    sys.addaudithook(die_at_last)
    for rewritten in forget(Path(folder), lambda url: url.endswith(tuple(sys.argv[3:]))):
        moved = {str(old): str(new) for old, new in rewritten.moved.items()}
        sys.stdout.write(json.dumps(moved) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
