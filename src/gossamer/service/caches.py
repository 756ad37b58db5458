"""`/api/caches`: what each cache holds and did, and emptying them, with the token."""

from asyncio import to_thread
from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from gossamer.model import Refusal
from gossamer.owner.cache_answers import CACHES, PAGES, cache_figures, clear_caches
from gossamer.owner.messages import UnableError, ask
from gossamer.owner.questions import CacheFigures, ClearCaches
from gossamer.service.answers import json_answer
from gossamer.service.errors import ProblemError
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import TEXT, WHOLE, one_of, record, table_of
from gossamer.urls import host_of, seed


async def figures_of(call: Call) -> dict[str, Mapping[str, int]]:
    """The figures of all caches of the owner, and of a proxy in this process."""
    own: dict[str, Mapping[str, int]] = {**cache_figures(call.parts.caches)}
    try:
        told = await ask(call.parts.answering, CacheFigures())
    except UnableError:
        return own
    return {**own, **told["caches"]}


async def caches(call: Call) -> Response:
    """Answer with the figures of each cache."""
    return json_answer(call.request, {"caches": await figures_of(call)})


async def clear(call: Call) -> Response:
    """Empty caches, wholly or for a host."""
    names, host = call.given["cache"], _host(call.given["host"])
    cleared = await clear_caches(call.parts.caches, names, host)
    try:
        told = await ask(call.parts.answering, ClearCaches(tuple(names), host))
    except UnableError:
        told = {"cleared": {}}
    for name, count in told["cleared"].items():
        cleared[name] = cleared.get(name, 0) + count
    drop = call.parts.drop_pages
    if drop is not None and PAGES in (names or CACHES) and PAGES not in cleared:
        cleared[PAGES] = await to_thread(drop, host)
    return json_answer(call.request, {"cleared": cleared})


def _host(text: str | None) -> str | None:
    if text is None:
        return None
    url = seed(text)
    if isinstance(url, Refusal):
        raise ProblemError(422, "bad-host", f"{text}: {url.why}")
    return host_of(url)


_FIGURES: Final = table_of(WHOLE)

ROUTES: Final = (
    Route(
        path="/api/caches",
        summary="What each cache holds and did",
        doc=(
            "`pages` of a proxy in this process or in the one that owns the folder, `robots`, `names` and, "
            "while a crawl runs, `urls` seen of late: hits, misses, entries and more."
        ),
        handler=caches,
        replies=json_reply("By cache.", record({"caches": table_of(_FIGURES)})),
        tag="monitoring",
    ),
    Route(
        path="/api/caches",
        method="DELETE",
        summary="Empty caches",
        doc=(
            "Costs requests or time, and never data. With `host`, only its part of `pages`, `robots` and "
            "`names`; `urls` are not kept by host. `pages` are those of the proxy on this folder, in whichever process it "
            "runs. What is still arriving may be stored afterwards."
        ),
        handler=clear,
        parameters=(
            Parameter(
                name="cache",
                doc="Which; without any, all of them.",
                schema=one_of(*CACHES),
                many=True,
            ),
            Parameter(name="host", doc="Of this host alone.", schema=TEXT),
        ),
        replies=json_reply("How many entries of each are gone.", record({"cleared": _FIGURES})),
        changes=True,
        tag="monitoring",
    ),
)
