"""`/audit`: whether the crawl was polite, according to the log."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from gossamer.politeness.audit import HostAudit, audited, sent_requests
from gossamer.service.routes import Call, Route
from gossamer.service.trace import recent_requests
from gossamer.web.rendering import PAGE_REPLY, page_answer

LOOKED_AT: Final = 20_000  # requests; `gossamer audit` looks at all of them
MOST_SHOWN: Final = 500  # hosts, the worst first


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The contents of the page: how each host was treated."""

    audits: Sequence[HostAudit]
    hosts: int
    requests: int
    violations: int
    is_cut: bool  # there may be older requests


async def audit(call: Call) -> Response:
    """Serve the table of hosts."""
    found = await audits_of(call)
    requests = sum(each.requests for each in found)
    page = AuditPage(
        audits=found[:MOST_SHOWN],
        hosts=len(found),
        requests=requests,
        violations=sum(each.violations for each in found),
        is_cut=requests >= LOOKED_AT,
    )
    return page_answer(call, "audit.html", page)


async def audits_of(call: Call, host: str | None = None) -> list[HostAudit]:
    """Audit the hosts of the last requests of all nodes, those with violations first."""
    requests = await recent_requests(call, LOOKED_AT, host)
    return await asyncio.to_thread(lambda: audited(sent_requests(requests)))


ROUTES: Final = (
    Route(
        path="/audit", summary="Were we polite?", handler=audit, replies=PAGE_REPLY, is_page=True
    ),
)
