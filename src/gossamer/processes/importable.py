"""Which files and folders Python needs to read to import modules, and no others.

Python's own folders are read as a whole. Other folders on the module path may be anything (a
project, a home folder): of these only modules, packages and what describes them count.
"""

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.processes.landlock import READ, READ_DIR

_OWN_PATHS: Final = ("stdlib", "platstdlib", "purelib", "platlib")
_OWN_NAMES: Final = frozenset({"site-packages", "dist-packages", "lib-dynload"})
_MODULES: Final = (".py", ".pyc", ".so", ".zip", ".egg", ".pth")
_DESCRIPTIONS: Final = (".dist-info", ".egg-info", ".egg-link")
_LIBRARIES: Final = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64")
_MORE: Final = (
    "/usr/local/lib",
    "/nix/store",
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
    "/dev/urandom",
)


def python_rights(path: Iterable[str], hidden: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    """What imports from this module path may do below which paths: to read, or to list alone.

    Nothing in hidden folders is read, wherever they lie.
    """
    away = tuple(hidden)
    entries = [entry for each in path if (entry := Path(each).resolve()) not in away]
    for place in {*_python_places(entries)}:
        yield from outside(place, away)
    for entry in entries:
        # Python finds modules by listing the folder. Landlock cannot allow that for a folder
        # without those below it: names are seen there, contents are not.
        if any(_importable(entry)):
            yield entry, READ_DIR


def outside(path: Path, hidden: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    """To read the path, or what of it lies outside hidden folders.

    A path inside a hidden folder was asked for by name, and stays.
    """
    away = [each for each in hidden if each.is_relative_to(path)]
    if not away:
        yield path, READ
    elif path not in away:
        yield path, READ_DIR
        with suppress(OSError):
            for child in path.iterdir():
                real = child.resolve()
                is_inside = real.is_relative_to(path)  # and no link to somewhere else
                if is_inside and not any(real.is_relative_to(each) for each in away):
                    yield from outside(real, away)


def _python_places(entries: Iterable[Path]) -> Iterator[Path]:
    """The files and folders, with the shared libraries that modules need."""
    own = {Path(sysconfig.get_path(each)).resolve() for each in _OWN_PATHS}
    for entry in entries:
        if entry in own or entry.name in _OWN_NAMES or not entry.is_dir():
            yield entry
        else:
            yield from _importable(entry)
    yield from own
    yield Path(__file__).resolve().parent.parent
    yield from _editable()
    yield from _libraries()


def _importable(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        for entry in folder.iterdir():
            if entry.name.endswith(_MODULES + _DESCRIPTIONS) or (
                entry.name.isidentifier() and _is_package(entry)
            ):
                yield entry.resolve()


def _is_package(folder: Path) -> bool:
    """Whether a folder has modules, or packages: with `__init__.py` or not."""
    with suppress(OSError):
        for entry in folder.iterdir():
            if entry.suffix in (".py", ".so") or (entry / "__init__.py").exists():
                return True
    return False


def _editable() -> Iterator[Path]:
    """Packages that were installed as links to a project, where these are not on the path."""
    for name, module in list(sys.modules.items()):
        if name.startswith("__editable__"):
            for place in getattr(module, "MAPPING", {}).values():
                yield Path(place).resolve()


def _libraries() -> Iterator[Path]:
    """Where shared libraries are: the usual places, and wherever those lie that are loaded."""
    yield from (Path(each).resolve() for each in (*_LIBRARIES, *_MORE))
    yield Path(sys.base_prefix).resolve() / "lib"
    for each in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if each:
            yield Path(each).resolve()
    with suppress(OSError):
        lines = Path("/proc/self/maps").read_text().splitlines()
        loaded = {line[73:].rpartition("/")[0] for line in lines if ".so" in line[73:]}
        yield from (Path(each).resolve() for each in loaded if each.startswith("/"))
