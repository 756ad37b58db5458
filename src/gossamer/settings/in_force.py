"""Settings in force: what a process that runs goes by, and what waits for a reload or for its next start.

`gossamer.toml` is read when a process starts, and again when somebody asks for that (`gossamer config
reload`, SIGHUP). Its edits wait until then, so that a change of one key never applies another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.settings.sources import Setting, Settings, read_file

IsLive = Callable[[str], bool]
"""Whether a key can be changed while a process runs."""

Until = Literal["reload", "restart"]
"""What a value waits for."""

STAYS: Final = "The values in force stay."


@dataclass(frozen=True, slots=True)
class WaitingSetting:
    """A value that is not in force yet."""

    setting: Setting
    until: Until

    def record(self, name: str) -> dict[str, object]:
        """The value, its source and what it waits for, as JSON has them."""
        return {**self.setting.record(name), "until": self.until}


def take_up(before: Settings, wanted: Settings, is_live: IsLive) -> Settings:
    """The settings in force that a running process makes of those that are wanted."""
    return Settings.of(
        {
            name: setting
            if is_live(name) or setting.value == before.each[name].value
            else before.each[name]
            for name, setting in wanted.each.items()
        }
    )


def waiting(now: Settings, written: Settings, is_live: IsLive) -> dict[str, WaitingSetting]:
    """The values, by key, that were written down somewhere and are not in force."""
    return {
        name: WaitingSetting(setting, "reload" if is_live(name) else "restart")
        for name, setting in written.each.items()
        if setting.value != now.each[name].value
    }


def in_force_record(
    now: Settings, written: Callable[[], Settings], is_live: IsLive
) -> dict[str, object]:
    """Each value in force and its source, with what waits; and why the sources are wrong now, if so."""
    refused, waits = None, {}
    try:
        waits = waiting(now, written(), is_live)
    except ConfigError as error:
        refused = f"{error} {STAYS}"
    told = {
        name: {**each, "waiting": waits[name].record(name) if name in waits else None}
        for name, each in now.record().items()
    }
    return {"settings": told, "refused": refused}


def settings_look(data: DataFolder) -> object:
    """The look of what tells of changes: different once there is one, though nobody has read it."""
    return _look_of(data.runtime_file), _look_of(data.reload_file)


@dataclass(slots=True)
class SettingsFile:
    """The values of `gossamer.toml` as a process goes by them: those of its start or the last reload."""

    data: DataFolder
    values: Mapping[str, object] = field(init=False)
    _seen: object = field(init=False)

    def __post_init__(self) -> None:
        self._seen = _look_of(self.data.reload_file)
        self.values = read_file(self.data.settings_file)

    def look(self, check: Callable[[Mapping[str, object]], object]) -> None:
        """Read the file again if a reload was asked for; values that do not pass the check are left.

        Whoever asked for the reload was told that they are wrong.
        """
        seen = _look_of(self.data.reload_file)
        if seen == self._seen:
            return
        self._seen = seen
        try:
            values = read_file(self.data.settings_file)
            check(values)
        except ConfigError:
            return
        self.values = values


def _look_of(file: Path) -> object:
    """How a file looks: otherwise once it was changed, though nobody has read it."""
    try:
        seen = file.stat()
    except OSError:
        return "not there"
    return seen.st_ino, seen.st_mtime_ns, seen.st_size


def ask_for_reload(data: DataFolder, written: Callable[[], Settings]) -> None:
    """Have the file taken up as it is now; raises `ConfigError` if it is wrong, and nothing changes."""
    try:
        written()
    except ConfigError as error:
        raise ConfigError(f"{error} {STAYS}") from None
    data.ask_for_reload()
