"""`/settings`: the values in force and where they come from, and what waits for a reload or a restart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer import values
from gossamer.service.configuration import keys_in_force
from gossamer.service.routes import Call, Route
from gossamer.web.rendering import PAGE_REPLY, page_answer


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting, for people."""

    name: str
    value: str
    source: str
    doc: str
    waiting: str | None = None  # the value that is not in force yet
    waiting_source: str = ""
    until: str = ""

    @property
    def is_default(self) -> bool:
        """Whether nobody has set it."""
        return self.source == "default"


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The contents of the page."""

    rows: Sequence[SettingRow]
    refused: str | None  # why gossamer.toml could not be taken up as it is

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
    row = (name, values.written(told["value"]), told["source"], told["doc"])
    if (waits := told["waiting"]) is None:
        return SettingRow(*row)
    return SettingRow(*row, values.written(waits["value"]), waits["source"], waits["until"])


ROUTES: Final = (
    Route(
        path="/settings",
        summary="The settings in force, and what waits",
        handler=settings,
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
