"""`/explain`: every decision about one URL, with its reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import Explain
from gossamer.service.answers import while_there
from gossamer.service.crawls import MOST_OF_A_URL
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import text
from gossamer.web.rendering import LINKED_BY, PAGE_REPLY, page_answer
from gossamer.web.wording import counted, seconds


@dataclass(frozen=True, slots=True)
class Step:
    """One decision about the URL."""

    title: str
    says: str
    verdict: str | None = None  # a word or two
    is_good: bool | None = None  # None: neither good nor bad
    code: str | None = None  # an address


@dataclass(frozen=True, slots=True)
class ExplainPage:
    """The contents of the page: a URL and the decisions about it."""

    given: str
    url: str | None = None
    steps: Sequence[Step] = ()
    verdict: str | None = None
    is_allowed: bool = False
    is_known: bool = False  # to the crawl: there is a page about it
    is_unasked: bool = False  # since a page of another site led here with it


async def explain(call: Call) -> Response:
    """Serve the form and, if a URL is given, the decisions about it."""
    given = (call.given["url"] or "").strip()
    if not given:
        return page_answer(call, "explain.html", ExplainPage(""))
    if call.is_linked:  # hosts would be asked for their robots.txt in the name of whoever looks
        page = ExplainPage(given, is_unasked=True)
        return page_answer(call, "explain.html", page, headers={"Vary": LINKED_BY})
    asking = ask(call.parts.answering, Explain(given))
    record = await while_there(call.request, asking)
    verdict = record["verdict"]
    page = ExplainPage(
        given=given,
        url=record["url"],
        steps=[*steps(record)],
        verdict=_verdict(record),
        is_allowed=verdict["allowed"] and not _left_out(record),
        is_known=record["page"] is not None and record["page"]["state"] != "not followed",
    )
    return page_answer(call, "explain.html", page)


def _left_out(record: Record) -> Mapping[str, Any] | None:
    refused: Mapping[str, Any] | None = record["trap"] or record["scope"]["refused"]
    return refused


def _verdict(record: Record) -> str:
    verdict, left_out = record["verdict"], _left_out(record)
    if left_out:
        return f"A crawl leaves it out: {left_out['why']}"
    if verdict["allowed"]:
        return "It may be fetched now."
    wait = verdict["retryAfter"]
    if wait is not None and wait > 0:
        return f"It may be fetched in {seconds(wait / 1000)}."
    return f"It may not be fetched: {verdict['error']}"


def steps(record: Record) -> Iterator[Step]:
    """The decisions about a URL, in the order in which they are made."""
    if record["url"] is None:
        yield Step("Address", str(record["verdict"]["error"]), "no address", is_good=False)
        return
    yield Step("Address", _form(record["form"]), None, code=record["url"])
    yield _scope(record["scope"])
    trap = record["trap"]
    if trap:
        yield Step("Traps", trap["why"], trap["rule"], is_good=False)
    else:
        yield Step("Traps", "It does not look made up by a site without end.", "none", is_good=True)
    yield _robots(record["robots"])
    if (delay := record["delay"]) is not None:
        asked = f"Between two requests to {record['host']}; {delay['source']}."
        yield Step("Delay", asked, seconds(delay["seconds"]))
    if trouble := record.get("trouble"):
        yield Step("Failures", f"Of {record['host']}: {trouble}.")
    pages = record["budget"]["pages"]
    yield Step(
        "Budget", f"The first {counted(pages, 'page')} of {record['site']} go in the quick queue."
    )
    kept = record.get("site_budget") or {}
    if kept.get("less"):
        told = f"{kept['repeated']:,} of its {kept['content']:,} pages say what other pages say"
        yield Step("Smaller budget", f"Only {counted(kept['less'], 'page')}: {told}.")
    yield _order(record["order"])
    for each in record.get("parameters", ()):
        yield _parameter(each)
    if group := record.get("duplicates"):
        yield _duplicates(record["url"], group)
    yield _crawl(record["page"])
    if look := (record["page"] or {}).get("look"):
        yield _look(look)


def _scope(scope: Mapping[str, Any]) -> Step:
    if scope["refused"]:
        return Step("Scope", scope["refused"]["why"], "out", is_good=False)
    if scope["seeds"]:
        by = f"By the scope “{scope['kind']}” and {counted(scope['seeds'], 'seed')}."
        return Step("Scope", by, "in", is_good=True)
    return Step("Scope", "No expression keeps it out; without seeds there is no more to judge by.")


def _form(form: Mapping[str, Any] | None) -> str:
    if form is None:
        return "As everybody would write it."
    dropped = ", ".join(form["dropped"])
    changes = [f"without {dropped}"] * bool(dropped) + ["with a sorted query"] * form["sorted"]
    return f"As the keys of urls ask for it: {', '.join(changes)}."


def _order(order: Mapping[str, Any]) -> Step:
    by = ", ".join(f"“{rule['expression']}”" for rule in order["rules"])
    points = f"{order['weight']:+,} points by crawl.priority: {by}." if by else ""
    return Step("Order", points or "No rule of crawl.priority matches it.", order["strategy"])


def _parameter(each: Mapping[str, Any]) -> Step:
    says = {
        "changes nothing": f"Pages at {each['agreed']} addresses have shown that it changes nothing on this host.",
        "matters": "Two pages whose addresses differ in it alone were two.",
        "learning": f"It has changed nothing so far, at {each['agreed']} of {each['needed']} addresses.",
    }
    return Step(f"Parameter {each['parameter']}", says[each["standing"]], each["standing"])


def _duplicates(url: str, group: Mapping[str, Any]) -> Step:
    members = counted(group["members"], "page")
    if url == group["representative"]:
        says = f"It stands for a group of {members}: {group['why']}."
    else:
        says = f"{group['representative']} stands for its group of {members}."
    return Step("Duplicates", says, group["kind"])


def _robots(robots: Mapping[str, Any] | None) -> Step:
    if robots is None:
        return Step("robots.txt", "It could not be had.", "not known", is_good=False)
    word = "allows" if robots["allowed"] else "forbids"
    return Step("robots.txt", robots["why"], word, robots["allowed"])


def _crawl(page: Mapping[str, Any] | None) -> Step:
    if page is None:
        return Step("The crawl", "It has not met this address.", "unknown")
    if page["state"] == "not followed":
        return Step("The crawl", f"It was linked to and not followed ({page['why']}).", "left out")
    word = page["ended"] if page["state"] == "settled" else page["state"]
    told = [f"At depth {page['depth']}."]
    if page["why"]:
        told.append(page["why"])
    if page["ended"] == "content":
        told.append(f"{counted(page['quads'], 'quad')}, {counted(page['problems'], 'problem')}.")
    good = {"content": True, "failed": False, "refused": False}.get(word)
    return Step("The crawl", " ".join(told), word, good)


def _minute(moment: str) -> str:
    return f"{moment[:16].replace('T', ' ')} UTC"


def _look(look: Mapping[str, Any]) -> Step:
    told = [f"The next look is at {_minute(look['next_at'])}: {look['why']}."]
    if look["rate"]:
        told.append(f"It changes every {1 / look['rate']:.3g} days, as far as can be told")
        told[-1] += (
            f" from {look['looks']:.3g} looks, {look['changes']:.3g} of which found a change."
            if look["looks"]
            else " from pages like it."
        )
    if look["expected"]:
        told.append(f"So it is fresh for {look['expected']:.0%} of the time.")
    return Step("Freshness", " ".join(told), f"every {look['days']:.3g} days")


ROUTES: Final = (
    Route(
        path="/explain",
        summary="Every decision about one address",
        handler=explain,
        parameters=(Parameter(name="url", doc="The address.", schema=text(most=MOST_OF_A_URL)),),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
