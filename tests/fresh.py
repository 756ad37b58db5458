"""An environment as users have it: an interpreter, our wheel, and what it depends on, nothing else."""

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from tests.test_project import closure, wanted


def base_install(place: Path, wheel: Path) -> Path:
    """Install a wheel without its extras, the dependencies lent by the environment of the tests."""
    python = _environment(sys.executable, place)
    packages = next(place.glob("lib/python*/site-packages"))
    for name in set(closure(wanted(""))):
        for top in {file.parts[0] for file in distribution(name).files or () if file.parts}:
            lent = Path(str(distribution(name).locate_file(top)))
            if top != ".." and lent.exists() and not (packages / top).exists():
                (packages / top).symlink_to(lent)
    _pip(python, "--no-deps", "--no-index", str(wheel))
    return place / "bin" / "gossamer"


def full_install(place: Path, wheel: Path, interpreter: str) -> Path:
    """Install a wheel with what the index has for it, as people do."""
    _pip(_environment(interpreter, place), str(wheel))
    return place / "bin" / "gossamer"


def interpreters() -> list[str]:
    """One interpreter of every Python that we support and the machine has."""
    found: dict[str, str] = {}
    managed = Path.home().glob(".pyenv/versions/3.*/bin/python3")
    for candidate in [*(f"python3.{minor}" for minor in range(11, 20)), *map(str, managed)]:
        told = subprocess.run(
            ["/usr/bin/env", candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        version = told.stdout.strip()
        if told.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 11):
            found.setdefault(version, candidate)
    return [found[version] for version in sorted(found)]


def _environment(interpreter: str, place: Path) -> Path:
    subprocess.run(
        ["/usr/bin/env", interpreter, "-m", "venv", "--without-pip", str(place)], check=True
    )
    return place / "bin" / "python"


def _pip(python: Path, *wanted: str) -> None:
    quiet = ("--disable-pip-version-check", "--quiet", "--no-compile")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", *quiet, *wanted],
        check=True,
        stdin=subprocess.DEVNULL,
    )
