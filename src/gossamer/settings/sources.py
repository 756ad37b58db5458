"""Where configuration comes from: runtime changes, command lines, environment, file, defaults.

The strongest source that speaks of a key wins. Every value is checked where it
stands, so that a refusal can name the file or variable, the key, the value and
what would be right; an unknown key is refused too.
"""

import difflib
import json
import tomllib
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from gossamer import values
from gossamer.config import Config
from gossamer.errors import ConfigError

ENVIRONMENT_PREFIX = "GOSSAMER_"
NOT_SETTINGS = ("GOSSAMER_DATA", "GOSSAMER_TEST_")  # read elsewhere
FILE_NAME = "gossamer.toml"
MASK = "***"
RUNTIME = "runtime change (runtime.json)"
KEPT = "command line of an earlier crawl"
ALL_NODES = "all nodes of the crawl"


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that can be configured."""

    name: str  # "politeness.delay"
    kind: Any  # its type, as the field has it
    default: object
    doc: str
    flag: str | None
    at_least: float | None
    secret: bool
    holds_keys: bool  # in its addresses
    local: bool  # REST cannot change it

    def read(self, raw: object) -> object:
        """The typed value; `ValueError` says what would be right."""
        return values.read(self.kind, raw, at_least=self.at_least)

    @property
    def is_switch(self) -> bool:
        """Whether its flag takes no value: it is on or off, or `--no-…` takes something away."""
        return self.kind is bool or (self.flag or "").startswith("--no-")

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return ENVIRONMENT_PREFIX + self.name.replace(".", "_").upper()

    def shown(self, value: object) -> str:
        """The value for people, on one line: sizes with a unit, secrets masked."""
        value = self.masked(value)
        if self.name.endswith("_bytes") and isinstance(value, int):
            return values.written_size(value)
        return " ".join(values.written(value).split())

    def masked(self, value: object) -> object:
        """The value without what nobody else may see."""
        if self.secret and value not in (None, ()):
            return MASK
        if self.holds_keys and isinstance(value, Mapping):
            return {
                name: " ".join(map(masked_address, str(each).split()))
                for name, each in value.items()
            }
        if self.holds_keys and isinstance(value, str):
            return masked_address(value)
        return value


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and where it came from."""

    value: object
    source: str

    def record(self, name: str) -> dict[str, object]:
        """The value of this key and its source as JSON has them, a secret masked."""
        value = values.as_json(keys()[name].masked(self.value))
        return {"value": value, "source": self.source}


@dataclass(frozen=True, slots=True)
class Settings:
    """A configuration, and the source of each of its values."""

    config: Config
    each: Mapping[str, Setting]

    @classmethod
    def of(cls, each: Mapping[str, Setting]) -> "Settings":
        """The settings that these values make together; each key has one."""
        return cls(_assembled(each), MappingProxyType(dict(each)))

    def record(self) -> dict[str, dict[str, object]]:
        """Each value and its source as JSON has them, secrets masked."""
        return {name: setting.record(name) for name, setting in self.each.items()}


def masked_address(address: str) -> str:
    """The server of an address: user, path and query may hold a key."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return MASK
    if not host or parts.scheme not in ("http", "https"):
        return MASK
    bare = parts.username is None and parts.path in ("", "/") and not parts.query
    server = f"{parts.scheme}://[{host}]{port}" if ":" in host else f"{parts.scheme}://{host}{port}"
    return f"{server}/" if bare and not parts.fragment else f"{server}/{MASK}"


@cache
def keys() -> Mapping[str, Key]:
    """Every key by its name, in the order of the options page."""
    return MappingProxyType({key.name: key for key in _keys()})


def _keys() -> Iterator[Key]:
    for section, section_type in typing.get_type_hints(Config).items():
        kinds = typing.get_type_hints(section_type)
        defaults = section_type()
        for field in fields(section_type):
            default = getattr(defaults, field.name)
            yield Key(f"{section}.{field.name}", kinds[field.name], default, **field.metadata)


def key_named(name: str, where: str) -> Key:
    """The key of that name, or a refusal that suggests the nearest one."""
    if name in keys():
        return keys()[name]
    # Somebody who forgets the section, or misspells the key, meant the likeliest whole name.
    by_last = {each.rpartition(".")[2]: each for each in keys()}
    near = difflib.get_close_matches(name, keys(), n=1, cutoff=0.75)
    near = near or [
        by_last[each]
        for each in difflib.get_close_matches(name.rpartition(".")[2], by_last, n=1, cutoff=0.7)
    ]
    hint = f"Did you mean {near[0]}?" if near else "`gossamer config` lists all keys."
    raise ConfigError(f"{where}: {name} is not a key. {hint}")


def read_value(name: str, raw: object, where: str) -> object:
    """One value from one source, checked; the refusal names both."""
    # Imported when there is a value to check: the checks bring the parts that use the values.
    from gossamer.settings.checks import CHECKS

    key = key_named(name, where)
    try:
        value = key.read(raw)
        if name in CHECKS and value is not None:
            CHECKS[name](value)
    except (ValueError, ConfigError) as error:
        if key.secret or key.holds_keys:  # the sentence would repeat it
            kind = values.described(key.kind)
            raise ConfigError(f"{where}: {name}: the value is not right; it is {kind}.") from None
        if isinstance(error, ValueError):
            raise ConfigError(f"{where}: {name}: {error}.") from None
        said = str(error)  # often begins with the flag, which may be where the value stands
        raise ConfigError(said if said.startswith(where) else f"{where}: {said}") from None
    return value


def read_remote_value(name: str, raw: object | None, where: str) -> object:
    """Check a value that came over the network: some keys are for the machine's own users alone."""
    if key_named(name, where).local:
        raise ConfigError(
            f"{where}: {name} cannot be set from elsewhere. Write it into gossamer.toml, or use "
            f"`gossamer config set {name}=…` at the machine."
        )
    return None if raw is None else read_value(name, raw, where)


def settle(
    *,
    runtime: Mapping[str, object] = MappingProxyType({}),
    command_line: Mapping[str, object] = MappingProxyType({}),
    shared: Mapping[str, object] = MappingProxyType({}),
    kept: Mapping[str, object] = MappingProxyType({}),
    environment: Mapping[str, str] = MappingProxyType({}),
    file: Mapping[str, object] = MappingProxyType({}),
) -> Settings:
    """The configuration that these sources make together, strongest first."""
    each = {name: Setting(key.default, "default") for name, key in keys().items()}
    spoken = [
        *((name, raw, FILE_NAME) for name, raw in file.items()),
        *_from_environment(environment),
        *((name, raw, KEPT) for name, raw in kept.items()),
        *((name, raw, ALL_NODES) for name, raw in shared.items()),
        *((name, raw, "command line") for name, raw in command_line.items()),
        *((name, raw, RUNTIME) for name, raw in runtime.items()),
    ]
    for name, raw, source in spoken:
        each[name] = Setting(read_value(name, raw, source), source)
    return Settings.of(each)


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    by_variable = {key.variable: name for name, key in keys().items()}
    for variable, text in sorted(environment.items()):
        if not variable.startswith(ENVIRONMENT_PREFIX) or variable.startswith(NOT_SETTINGS):
            continue
        if variable not in by_variable:
            near = difflib.get_close_matches(variable, by_variable, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ConfigError(f"environment: {variable} sets nothing we know.{hint}")
        yield by_variable[variable], text, f"environment ({variable})"


def _assembled(each: Mapping[str, Setting]) -> Config:
    sections = {}
    for section, section_type in typing.get_type_hints(Config).items():
        named = {
            field.name: each[f"{section}.{field.name}"].value for field in fields(section_type)
        }
        sections[section] = section_type(**named)
    return Config(**sections)


def read_file(path: Path) -> Mapping[str, object]:
    """The keys that `gossamer.toml` sets, by dotted name; none where there is no file."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not readable as TOML: {error}.") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}.") from None
    return dict(_dotted(tables, path))


def _dotted(tables: Mapping[str, object], path: Path) -> Iterator[tuple[str, object]]:
    for section, table in tables.items():
        if not isinstance(table, Mapping):
            yield key_named(section, str(path)).name, table
        else:
            yield from ((f"{section}.{name}", raw) for name, raw in table.items())


def read_runtime(path: Path) -> Mapping[str, object]:
    """The changes made with `gossamer config set`, kept in the data folder."""
    try:
        changes = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path}: not readable ({error}); delete it to drop the changes."
        ) from None
    if not isinstance(changes, dict):
        raise ConfigError(f"{path}: not a JSON object; delete it to drop the changes.")
    return changes
