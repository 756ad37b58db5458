"""`/changes`: what pages say otherwise than before, by entity: before and after, the latest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.history.asking import KINDS
from gossamer.history.telling import BeforeAfter, befores_and_afters, name_of, types_of
from gossamer.service.changes import PLACE, SELECTING, find_changes
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import whole
from gossamer.web.addresses import address
from gossamer.web.rendering import PAGE_REPLY, page_answer

USUAL: Final = 50
MOST_ON_A_PAGE: Final = 500
FIRST: Final = 6  # properties of an entity that are in sight at once
TITLES: Final[Mapping[str, str]] = {"new": "New", "changed": "Changed", "gone": "Gone"}


@dataclass(frozen=True, slots=True)
class KindChoice:
    """A filter for the list: one kind of change, or all."""

    title: str
    address: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One entity that changed on a page."""

    entity: str
    name: str
    types: str
    kind: str
    page: str
    at: str
    pairs: Sequence[BeforeAfter]
    first: int = FIRST


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """The contents of the page."""

    changes: Sequence[ShownChange]
    given: Mapping[str, str]
    choices: Sequence[KindChoice]
    titles: Mapping[str, str]
    pages: int
    since: str | None
    feed: str
    more: str | None


async def changes(call: Call) -> Response:
    """Serve changes, with before and after."""
    found = await find_changes(call)
    given = call.given
    asked: dict[str, Any] = {
        "since": given["since"] or None,
        "until": given["until"] or None,
        **{name: [*filter(None, given[name])] or None for name in ("host", "type", "property")},
        "page": given["page"] or None,
        "entity": given["entity"] or None,
    }
    kinds = given["kind"] or None
    page = ChangesPage(
        changes=[*map(_shown, found["changes"])],
        given={
            name: " ".join(value) if isinstance(value, list) else value or ""
            for name, value in asked.items()
        },
        choices=[
            KindChoice("All", address("/changes", **asked), is_on=not kinds),
            *(
                KindChoice(
                    TITLES[kind],
                    address("/changes", **asked, kind=kind),
                    is_on=kind in (kinds or ()),
                )
                for kind in KINDS
            ),
        ],
        titles=TITLES,
        pages=found["pages"],
        since=found["since"],
        feed=address("/changes.atom", **asked, kind=kinds),
        more=address("/changes", **asked, kind=kinds, after=found["next"])
        if found["next"]
        else None,
    )
    return page_answer(call, "changes.html", page)


def _shown(change: Mapping[str, Any]) -> ShownChange:
    return ShownChange(
        entity=change["entity"],
        name=name_of(change),
        types=types_of(change),
        kind=change["kind"],
        page=change["page"],
        at=change["at"],
        pairs=befores_and_afters(change),
    )


ROUTES: Final = (
    Route(
        path="/changes",
        summary="What pages say otherwise than before",
        handler=changes,
        parameters=(
            *SELECTING,
            PLACE,
            Parameter(name="limit", doc="Most.", schema=whole(1, MOST_ON_A_PAGE), default=USUAL),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
