"""`/site-owner`: for the owner of a crawled site: who crawls it, and what was requested."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.responses import Response

from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import AboutHost
from gossamer.politeness.audit import HostAudit
from gossamer.service.crawls import MOST_OF_A_HOST
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import text
from gossamer.service.trace import recent_requests
from gossamer.web.addresses import host_in
from gossamer.web.pages.audit import audits_of
from gossamer.web.rendering import PAGE_REPLY, page_answer

SHOWN: Final = 30  # requests


@dataclass(frozen=True, slots=True)
class SiteOwnerPage:
    """The page for site owners: who we are, and how one host was treated."""

    host: str | None
    told: Record  # who we are too
    contact: str | None  # as a link
    audit: HostAudit | None = None
    requests: Sequence[Mapping[str, Any]] = ()

    @property
    def is_known(self) -> bool:
        """Whether the crawl knows the host."""
        return bool(self.told["host"] or self.requests)


async def site_owner(call: Call) -> Response:
    """Serve the page, about a host if one is named."""
    host = host_named(call.given["host"] or "")
    told = await ask(call.parts.answering, AboutHost(host))
    page = SiteOwnerPage(host or None, told, contact_address(told["contact"]))
    if host:
        audits = await audits_of(call, host)
        requests = await recent_requests(call, SHOWN, host)
        page = replace(page, audit=audits[0] if audits else None, requests=requests)
    return page_answer(call, "site_owner.html", page)


def contact_address(contact: str | None) -> str | None:
    """A link to the configured contact of the crawl."""
    if contact is None or contact.startswith(("http://", "https://", "mailto:")):
        return contact
    return f"mailto:{contact}"


def host_named(typed: str) -> str:
    """The host in the text that a user typed, which may be a URL."""
    typed = typed.strip().lower()
    return host_in(typed if "//" in typed else f"//{typed}").rstrip(".")


ROUTES: Final = (
    Route(
        path="/site-owner",
        summary="For whoever runs a site that we crawl",
        handler=site_owner,
        parameters=(
            Parameter(name="host", doc="Whose host it is.", schema=text(most=MOST_OF_A_HOST)),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
