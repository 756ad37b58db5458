"""`/settings`: the values in force and where they come from, and what waits for a reload or a restart."""

import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from starlette.responses import Response

from gossamer import values
from gossamer.config import Config
from gossamer.service.configuration import keys_in_force
from gossamer.service.routes import Call, Route
from gossamer.settings.sources import MASK, Key, keys
from gossamer.web.rendering import PAGE_REPLY, page_answer


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting, for people."""

    name: str
    value: str
    source: str
    doc: str
    default: str  # what it is where nobody has set it
    waiting: str | None = None  # the value that is not in force yet
    waiting_source: str = ""
    until: str = ""

    @property
    def is_default(self) -> bool:
        """Whether nobody has set it."""
        return self.source == "default"


@dataclass(frozen=True, slots=True)
class Section:
    """The settings of one part of Gossamer."""

    name: str
    doc: str
    rows: Sequence[SettingRow]

    @property
    def changed(self) -> int:
        """How many of them somebody has set."""
        return sum(not row.is_default for row in self.rows)


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The contents of the page."""

    rows: Sequence[SettingRow]
    refused: str | None  # why gossamer.toml could not be taken up as it is

    @property
    def sections(self) -> Iterator[Section]:
        """The settings, by the part of their names before the dot."""
        kinds = typing.get_type_hints(Config)
        for name, rows in groupby(self.rows, lambda row: row.name.partition(".")[0]):
            yield Section(name, inspect.cleandoc(kinds[name].__doc__ or ""), [*rows])

    @property
    def changed(self) -> Sequence[SettingRow]:
        """The settings that somebody has set."""
        return [row for row in self.rows if not row.is_default]

    @property
    def waits(self) -> Sequence[SettingRow]:
        """The settings of which another value waits."""
        return [row for row in self.rows if row.waiting is not None]


async def settings(call: Call) -> Response:
    """Serve the table of settings."""
    every, refused = await keys_in_force(call)
    page = SettingsPage([_row(name, told) for name, told in every.items()], refused)
    return page_answer(call, "settings.html", page)


def _row(name: str, told: Mapping[str, Any]) -> SettingRow:
    key = keys()[name]
    row = (name, _shown(key, told["value"]), told["source"], told["doc"], key.shown(key.default))
    if (waits := told["waiting"]) is None:
        return SettingRow(*row)
    return SettingRow(*row, _shown(key, waits["value"]), waits["source"], waits["until"])


def _shown(key: Key, told: Any) -> str:  # noqa: ANN401 (what JSON has)
    """A value of a record, with its unit; secrets are masked already."""
    if told in (None, MASK) or key.holds_keys:
        return values.written(told)
    return key.shown(key.read(told))


ROUTES: Final = (
    Route(
        path="/settings",
        summary="The settings in force, and what waits",
        handler=settings,
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
