"""`/problems`: pages that failed, were refused or contain errors: by cause and host, the latest first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.responses import Response

from gossamer.frontier.protocol import Trouble
from gossamer.model import Syntax
from gossamer.owner.messages import ask
from gossamer.owner.questions import AboutPage
from gossamer.service.crawls import (
    MOST_OF_A_HOST,
    MOST_ON_A_PAGE,
    PLACE,
    find_problems,
)
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import one_of, text, whole
from gossamer.web.addresses import address
from gossamer.web.excerpts import Excerpt, excerpt
from gossamer.web.pages.page import copy_of
from gossamer.web.rendering import PAGE_REPLY, page_answer

USUAL: Final = 200
FIRST: Final = 5  # pages of a group that are in sight at once
SHOWN: Final = 10  # problems of a page
WITH_EXCERPTS: Final = 12  # pages, of which the copy is read
TITLES: Final[Mapping[str, str]] = {
    Trouble.FAILED: "Failed",
    Trouble.REFUSED: "Not asked for",
    Trouble.PROBLEMS: "Something wrong inside",
    Trouble.RETRY: "To be tried again",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter for the list."""

    title: str
    address: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class ProblemGroup:
    """Pages with which the same is wrong."""

    kind: str
    cause: str  # a word of ours, or a syntax; empty where nothing is known
    pages: Sequence[Mapping[str, Any]]
    hosts: Mapping[str, int]  # pages by host, the most first
    first: int = FIRST

    @property
    def sentence(self) -> str:
        """Why, where that is the same for all of the pages."""
        reasons = {_sentence(page) for page in self.pages}
        return reasons.pop() if len(reasons) == 1 else ""


@dataclass(frozen=True, slots=True)
class ProblemsPage:
    """The contents of the page: pages and their problems."""

    groups: Sequence[ProblemGroup]
    count: int
    host: str | None
    syntax: str | None
    choices: Sequence[Choice]
    syntaxes: Sequence[Choice]
    titles: Mapping[str, str]
    excerpts: Mapping[tuple[str, int, str], Excerpt]  # by page, line and message
    more: str | None


async def problems(call: Call) -> Response:
    """Serve pages with their problems."""
    host, kinds, limit = call.given["host"] or None, call.given["kind"], call.given["limit"]
    syntax = call.given["syntax"]
    found = await find_problems(call)
    pages = [page for page in found["pages"] if syntax is None or syntax in _syntaxes(page)]
    given = {"host": host, "kind": kinds or None, "syntax": syntax}
    given["limit"] = None if limit == USUAL else limit
    met = sorted({each for page in found["pages"] for each in _syntaxes(page)})
    page = ProblemsPage(
        groups=grouped(pages),
        count=len(pages),
        host=host,
        syntax=syntax,
        choices=[
            Choice("All", address("/problems", host=host), is_on=not kinds and not syntax),
            *(
                Choice(title, address("/problems", host=host, kind=kind), is_on=kind in kinds)
                for kind, title in TITLES.items()
            ),
        ],
        syntaxes=[
            Choice(
                each,
                address("/problems", **{**given, "syntax": None if each == syntax else each}),
                is_on=each == syntax,
            )
            for each in met
        ],
        titles=TITLES,
        excerpts=await _excerpts(call, pages),
        more=address("/problems", **given, after=found["next"]) if found["next"] else None,
    )
    return page_answer(call, "problems.html", page)


def grouped(pages: Iterable[Mapping[str, Any]]) -> Sequence[ProblemGroup]:
    """Pages by what is wrong with them: by kind, in the order of the titles, the commonest first."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for page in pages:
        groups.setdefault((page["kind"], cause_of(page)), []).append(page)
    made = [
        ProblemGroup(kind, cause, each, dict(Counter(map(_host, each)).most_common()))
        for (kind, cause), each in groups.items()
    ]
    kinds = [*TITLES]
    return sorted(made, key=lambda group: (kinds.index(group.kind), -len(group.pages)))


def cause_of(page: Mapping[str, Any]) -> str:
    """In a word: the cause or rule, or the syntax in which something is wrong."""
    if page["why"]:
        return str(page["why"]).partition(":")[0]
    return next(iter(_syntaxes(page)), "")


def _sentence(page: Mapping[str, Any]) -> str:
    word, _, sentence = str(page["why"] or "").partition(": ")
    return sentence or word


def _syntaxes(page: Mapping[str, Any]) -> Mapping[str, None]:
    return dict.fromkeys(each["syntax"] for each in page["problems"] if each["syntax"])


def _host(page: Mapping[str, Any]) -> str:
    return urlsplit(str(page["url"])).netloc


async def _excerpts(
    call: Call, pages: Iterable[Mapping[str, Any]]
) -> Mapping[tuple[str, int, str], Excerpt]:
    """The lines of the first problems, from the copies that are kept of their pages."""
    found = {}
    wanted = [page for page in pages if any(each["line"] for each in page["problems"])]
    for page in wanted[:WITH_EXCERPTS]:
        told = await ask(call.parts.answering, AboutPage(page["url"]))
        copy = (await copy_of(call, told))[0] if told["page"] else None
        if copy is None or copy.text is None:
            continue
        for each in page["problems"][:SHOWN]:
            line = excerpt(copy.text, each["line"] or 0, each["message"])
            if line is not None:
                found[page["url"], each["line"], each["message"]] = line
    return found


ROUTES: Final = (
    Route(
        path="/problems",
        summary="Pages that did not go well",
        handler=problems,
        parameters=(
            Parameter(name="host", doc="Only of this host.", schema=text(most=MOST_OF_A_HOST)),
            Parameter(name="syntax", doc="Only with this wrong.", schema=one_of(*Syntax)),
            Parameter(name="kind", doc="Only this kind.", schema=one_of(*Trouble), many=True),
            PLACE,
            Parameter(name="limit", doc="Most.", schema=whole(1, MOST_ON_A_PAGE), default=USUAL),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
