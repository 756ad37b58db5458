"""Options of reports from the configuration: files of shapes are read, names of profiles looked up."""

from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from gossamer import __version__
from gossamer.config import Config
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.report.options import ReportOptions
from gossamer.report.profile import profile_names
from gossamer.report.shapes import SUFFIXES, read_shapes


def report_options(config: Config, data: DataFolder) -> ReportOptions:
    """What pages are to be checked by, with the vocabularies of a data folder; `ConfigError` names what there is not."""
    names, shapes = list[str](), list[str]()
    for each in config.report.profiles:
        if Path(each).suffix in SUFFIXES:
            shapes.append(_shapes(Path(each).expanduser()))
        elif each in profile_names():
            names.append(each)
        else:
            raise ConfigError(
                f"--profile: there is no profile {each!r}. There are {', '.join(profile_names())}; "
                f"or name a file with shapes in SHACL ({', '.join(SUFFIXES)})."
            )
    files = sorted(data.vocabularies_folder.glob("*.txt"))
    added = tuple(each.read_text(encoding="utf-8") for each in files)
    return ReportOptions(tuple(dict.fromkeys(names)), "".join(shapes), added)


def check_mark(options: ReportOptions) -> str:
    """What pages are checked with: those that were checked with something else are checked again."""
    texts = "".join((options.shapes, *options.vocabularies))
    digest = blake2b(texts.encode(), digest_size=8).hexdigest() if texts else ""
    return " ".join((__version__, *sorted(options.profiles), digest)).rstrip()


def _shapes(path: Path) -> str:
    if find_spec("pyshacl") is None:
        raise ConfigError(
            f"--profile {path}: shapes need pySHACL. Install it with: pip install 'gossamer[shacl]'"
        )
    try:
        return read_shapes(path.read_bytes(), path.suffix)
    except OSError as error:
        raise ConfigError(f"--profile: {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ConfigError(f"--profile: {path} has no shapes that we can use: {error}.") from None
