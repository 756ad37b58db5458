"""`/report`: the structured data of a host, or of all: scores, what helps most, findings with their lines, types in use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.service.report import HOST, find_report
from gossamer.service.routes import Call, Route
from gossamer.web.rendering import PAGE_REPLY, page_answer

FEW_HOSTS: Final = 12  # that are in sight at once
BADGES: Final[Mapping[str, str]] = {"error": " badge--bad", "warning": " badge--warn", "info": ""}
NAMES: Final[Mapping[str, str]] = {"error": "error", "warning": "warning", "info": "note"}


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The contents of the page."""

    report: Mapping[str, Any]
    host: str | None
    hosts: Sequence[Mapping[str, Any]]
    more_hosts: int
    badges: Mapping[str, str]
    names: Mapping[str, str]


async def report(call: Call) -> Response:
    """Serve the report."""
    found = await find_report(call)
    page = ReportPage(
        report=found,
        host=found["host"],
        hosts=found["hosts"][:FEW_HOSTS],
        more_hosts=max(len(found["hosts"]) - FEW_HOSTS, 0) + found["more_hosts"],
        badges=BADGES,
        names=NAMES,
    )
    return page_answer(call, "report.html", page)


ROUTES: Final = (
    Route(
        path="/report",
        summary="The structured data of pages, as it was checked",
        handler=report,
        parameters=(HOST,),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
