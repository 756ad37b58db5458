"""`/` and `/search`: the search box, results, and the front page's overview."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.responses import Response

from gossamer.errors import GossamerError
from gossamer.index.words.asked import Search, nearly, understood
from gossamer.service.crawls import status_of
from gossamer.service.errors import problem_of
from gossamer.service.routes import Call, Route
from gossamer.service.search import PARAMETERS, asked_in, find_entities
from gossamer.web.addresses import address, outside
from gossamer.web.icons import kind_icon
from gossamer.web.rendering import PAGE_REPLY, page_answer
from gossamer.web.wording import kind

FACETS: Final = {
    "types": ("type", "Type"),
    "hosts": ("host", "Host"),
    "languages": ("lang", "Language"),
}
KEPT: Final = ("q", "type", "not_type", "host", "property", "lang", "since", "until", "in", "form")
_NOTHING: Final[Mapping[str, Any]] = {
    "total": 0,
    "relaxed": False,
    "results": [],
    "facets": {name: {} for name in FACETS},
    "behind": None,
    "covers": None,
    "unknown_types": [],
    "next": None,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter value, selected or not."""

    name: str
    count: int | None
    address: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """Filter values of one kind."""

    title: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class Hint:
    """A similar spelling that has results."""

    text: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class UnknownType:
    """A type in the search that no entity has."""

    name: str
    without: str  # address of the search without it
    near: Choice | None  # a type that some have, instead


@dataclass(frozen=True, slots=True)
class Result:
    """One search result."""

    found: Mapping[str, Any]
    icon: str
    picture: str | None  # its address, where pictures of others are shown

    @property
    def own_address(self) -> str:
        """The URL to show for a result: its own, or that of a page about it."""
        name: str = self.found["id"]
        return outside(name) or next(iter(self.found["pages"]), name)


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The contents of the page with search results."""

    text: str
    found: Mapping[str, Any]
    results: Sequence[Result]
    facets: Sequence[Facet]
    chosen: Sequence[Choice]
    hint: Hint | None
    unknown: Sequence[UnknownType]
    has_words: bool  # or nothing was typed; signs alone are no question
    first: int
    previous: str | None
    next: str | None
    unfolded: str  # address of the search with entities that look the same one by one


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The contents of the front page: types, examples and counts."""

    pages: int
    hosts: int
    quads: int | None
    is_running: bool
    documents: int
    types: Sequence[Choice]
    trouble: str | None  # why there are no words to search


async def front(call: Call) -> Response:
    """Serve the front page."""
    status = await status_of(call)
    found: Mapping[str, Any] = {"documents": 0, "facets": {"types": {}}}
    trouble = None
    try:
        found = await find_entities(call, Search(limit=1))
    except GossamerError as error:
        problem = problem_of(error)
        if problem.status == 500:
            raise
        trouble = problem.detail
    graph = status["graph"]
    page = FrontPage(
        pages=status["ended"]["content"],
        hosts=status["visited_hosts"],
        quads=None if graph is None else graph["quads"],
        is_running=status["run"] is not None,
        documents=found["documents"],
        types=[
            Choice(name, count, address("/search", type=name), is_on=False)
            for name, count in found["facets"]["types"].items()
        ],
        trouble=trouble,
    )
    return page_answer(call, "front.html", page)


async def search(call: Call) -> Response:
    """Serve the results of a search."""
    asked = asked_in(call)
    has_words = not asked.text.strip() or bool(understood(asked.text))
    found = await find_entities(call, asked) if has_words else _NOTHING
    hint = await _hint(call, asked) if found["relaxed"] or not found["total"] else None
    shows_pictures = call.parts.service.pictures
    page = SearchPage(
        text=asked.text,
        found=found,
        results=[_result(each, shows_pictures=shows_pictures) for each in found["results"]],
        facets=[
            *([_where(call)] if asked.text else []),
            *(each for each in _facets(call, found["facets"]) if len(each.choices) > 1),
        ],
        chosen=[*_chosen(call)],
        hint=hint,
        unknown=[_unknown_type(call, each) for each in found["unknown_types"]],
        has_words=has_words,
        first=asked.skip + 1,
        previous=_turned(call, max(0, asked.skip - asked.limit)) if asked.skip else None,
        next=None if found["next"] is None else _turned(call, found["next"]),
        unfolded=_changed(call, fold="false"),
    )
    return page_answer(call, "search.html", page)


def _result(found: Mapping[str, Any], *, shows_pictures: bool) -> Result:
    picture = outside(found["image"]) if shows_pictures else None
    return Result(found, kind_icon(found["types"], is_page=found["is_page"]), picture)


async def _hint(call: Call, asked: Search) -> Hint | None:
    guess = nearly(asked.text)
    if guess is None:
        return None
    near = await find_entities(call, replace(asked, text=guess, limit=1, skip=0))
    if near["relaxed"] or not near["total"]:
        return None
    return Hint(guess, near["total"], _changed(call, q=guess))


def _unknown_type(call: Call, unknown: Mapping[str, Any]) -> UnknownType:
    name, near = unknown["type"], unknown["near"]
    others = [each for each in call.given["type"] if each != name]
    instead = near and Choice(
        near, unknown["count"], _changed(call, type=[*others, near]), is_on=False
    )
    return UnknownType(kind(name), _changed(call, type=others), instead or None)


def _facets(call: Call, facets: Mapping[str, Mapping[str, int]]) -> Iterator[Facet]:
    for name, (parameter, title) in FACETS.items():
        given: Sequence[str] = call.given[parameter]
        yield Facet(
            title,
            [
                Choice(value, count, _toggled(call, parameter, value), is_on=value in given)
                for value, count in facets[name].items()
            ],
        )


def _where(call: Call) -> Facet:
    """Where the words have to stand."""
    given = call.given["in"]
    names = {"title": "Names and titles", "text": "Text of pages", "data": "Data"}
    choices = [
        Choice(title, None, _toggled(call, "in", name), is_on=name in given)
        for name, title in names.items()
    ]
    return Facet("Words in", choices)


def _chosen(call: Call) -> Iterator[Choice]:
    """What narrows the search down now; the address is that of the search without it."""
    for parameter in ("type", "host", "property", "lang"):
        for value in call.given[parameter]:
            shown = kind(value) if parameter in ("type", "property") else value
            yield Choice(shown, None, _toggled(call, parameter, value), is_on=True)
    for value in call.given["in"]:
        yield Choice(f"in: {value}", None, _toggled(call, "in", value), is_on=True)
    for value in call.given["not_type"]:
        yield Choice(f"not {kind(value)}", None, _toggled(call, "not_type", value), is_on=True)
    if not call.given["fold"]:
        yield Choice("also what looks the same", None, _changed(call, fold=None), is_on=True)
    for parameter, word in (("since", "since "), ("until", "until "), ("form", "only: ")):
        if value := call.given[parameter]:
            yield Choice(f"{word}{value}", None, _changed(call, **{parameter: None}), is_on=True)


def _toggled(call: Call, parameter: str, value: str) -> str:
    given: Sequence[str] = call.given[parameter]
    others = [each for each in given if each != value]
    return _changed(call, **{parameter: others if value in given else [*given, value]})


def _turned(call: Call, offset: int) -> str:
    return _changed(call, offset=offset or None)


def _changed(call: Call, **changes: object) -> str:
    kept = {name: call.given[name] or None for name in KEPT}
    kept["fold"] = None if call.given["fold"] else "false"
    return address("/search", **{**kept, **changes})


ROUTES: Final = (
    Route(path="/", summary="Search", handler=front, replies=PAGE_REPLY, is_page=True),
    Route(
        path="/search",
        summary="What was found",
        handler=search,
        parameters=PARAMETERS,
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
