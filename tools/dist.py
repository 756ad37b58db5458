"""`make dist`: the wheel and the source archive in `dist/`, with the same bytes each time.

Every time in them is that of the last commit (`SOURCE_DATE_EPOCH`, where it is set, overrules), the
scripts of the pages are inside, and a wheel that is built from the source archive has the same bytes
as one that is built here.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "dist"
MANIFEST = "src/gossamer/web/static/built/.vite/manifest.json"
KINDS = ("sdist", "wheel")
EPOCH = "SOURCE_DATE_EPOCH"


class CannotBuildError(Exception):
    """What is missing, and what to do."""


def build(root: Path, out: Path, epoch: int, kinds: Sequence[str] = KINDS) -> list[Path]:
    """Build the archives of a source tree into a folder."""
    if not (root / MANIFEST).is_file():
        raise CannotBuildError(
            "The scripts of the pages are not built, and the wheel has to hold them. "
            "Build them with npm: make web"
        )
    wanted = [word for kind in kinds for word in ("-t", kind)]
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *wanted, "-d", str(out)],
        cwd=root,
        env={**os.environ, EPOCH: str(epoch)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CannotBuildError(f"hatchling could not build them:\n{done.stderr.strip()}")
    return sorted(out.glob("gossamer-*"))


def epoch_of(root: Path) -> int:
    """The time that all files in the archives have."""
    given = os.environ.get(EPOCH)
    if given is None:
        asked = ["git", "log", "-1", "--format=%ct"]
        try:
            given = subprocess.run(
                asked, cwd=root, capture_output=True, text=True, check=True
            ).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            raise CannotBuildError(
                f"There is no git history here that tells a time. Give one: {EPOCH}=0 make dist"
            ) from None
    if not (given.isascii() and given.isdigit()):
        raise CannotBuildError(f"{EPOCH} is a number of seconds since 1970, not {given!r}.")
    return int(given)


def uncommitted(root: Path) -> int:
    """How many files differ from the last commit."""
    asked = ["git", "status", "--porcelain"]
    try:
        done = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return 0
    return len(done.stdout.splitlines())


def lines(archives: list[Path]) -> Iterator[str]:
    """Each archive with its size and hash, as `sha256sum -c` reads the latter."""
    for archive in archives:
        content = archive.read_bytes()
        yield f"{hashlib.sha256(content).hexdigest()}  {archive.name}  ({len(content):,} bytes)"


def main() -> None:
    """Build them, and put them into `dist/` once both are there."""
    epoch = epoch_of(ROOT)
    if changed := uncommitted(ROOT):
        print(f"Beware: {changed} files here differ from the last commit.", file=sys.stderr)
    OUT.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=OUT, prefix="building-") as made:
        archives = build(ROOT, Path(made), epoch)
        for old in OUT.glob("gossamer-*"):
            old.unlink()
        archives = [archive.rename(OUT / archive.name) for archive in archives]
    for line in lines(archives):
        print(line)
    print(f"They are in {OUT.relative_to(ROOT)}/. To try the wheel: pip install dist/*.whl")


if __name__ == "__main__":
    try:
        main()
    except CannotBuildError as error:
        sys.exit(str(error))
