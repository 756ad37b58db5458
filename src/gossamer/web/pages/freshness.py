"""`/freshness`: how fresh pages are kept, as expected and as measured, together and by host."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.service.freshness import PARAMETERS, find_freshness
from gossamer.service.routes import Call, Route
from gossamer.web.addresses import address
from gossamer.web.rendering import PAGE_REPLY, page_answer
from gossamer.web.wording import counted

_LEAST_RATE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class FreshHost:
    """A host's row: shares in percent, as they are told."""

    host: str
    pages: int
    expected: str
    measured: str
    looks: str
    changes_every: str
    asked: str


@dataclass(frozen=True, slots=True)
class FreshnessPage:
    """The contents of the page."""

    total: Mapping[str, Any]
    verdict: str
    hosts: Sequence[FreshHost]
    host: str
    first: str | None
    next: str | None


async def freshness(call: Call) -> Response:
    """Serve how fresh pages are kept."""
    found = await find_freshness(call)
    host = call.given["host"] or ""
    page = FreshnessPage(
        total=found,
        verdict=_verdict(found),
        hosts=[*map(_row, found["hosts"])],
        host=host,
        first=address("/freshness") if call.given["after"] or host else None,
        next=address("/freshness", after=found["next"]) if found["next"] else None,
    )
    return page_answer(call, "freshness.html", page)


def _verdict(found: Mapping[str, Any]) -> str:
    pages = counted(found["pages"], "page")
    if found["expected"] is None:
        return f"{pages} are kept fresh."
    so = f"{pages} are expected to be fresh for {_share(found['expected'])} of the time."
    if found["measured"] is None:
        return f"{so} No page has been looked at again yet."
    return f"{so} By their looks they were fresh for {_share(found['measured'])}."


def _row(host: Mapping[str, Any]) -> FreshHost:
    return FreshHost(
        host=host["host"],
        pages=host["pages"],
        expected=_share(host["expected"]),
        measured=_share(host["measured"]),
        looks=f"{host['looks']:,.0f}",
        changes_every=_days(host["rate"]),
        asked=f"{host['asked']:,.1f}",
    )


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def _days(rate: float | None) -> str:
    if rate is None or rate < _LEAST_RATE:
        return "–"
    days = 1 / rate
    if days < 1:
        return f"{24 * days:.1f} h"
    return f"{days:,.1f} d" if days < 10 else f"{days:,.0f} d"


ROUTES: Final = (
    Route(
        path="/freshness",
        summary="How fresh pages are kept",
        handler=freshness,
        parameters=PARAMETERS,
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
