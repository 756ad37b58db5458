"""The `gossamer` command; `python -m gossamer` is the same."""

import atexit
import gc
import sys


def main() -> None:
    """Run it. Ctrl-C while the parts are still being loaded is as quiet as later."""
    # Nothing is garbage any more: to look for some at the end would take as long as to load all.
    atexit.register(gc.freeze)
    try:
        from gossamer.cli import program
        from gossamer.cli.errors import run

        run(program)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
