"""`gossamer explain`: every decision about one URL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.commands.check import answer
from gossamer.cli.options import fetch_options, setting_option
from gossamer.cli.terminal import emit
from gossamer.cli.text import counted, example, over_budget, plain, table
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers
    from gossamer.owner.messages import Answering, Record
    from gossamer.sending.client import PoliteClient

TOLD = 5  # problems of the page
LAST = "pages of its host that were tried less often come first"

NOT_KEPT: Final = "it asks not to be kept, or the archive was off"


@click.command(
    epilog=example(
        "gossamer explain https://example.org/private",
        "gossamer explain example.org --agent other --json",
        "gossamer explain https://example.org/people/ada --data my-crawl",
    ),
)
@click.argument("url")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@setting_option("politeness.delay")
@setting_option("scope.include")
@setting_option("scope.exclude")
@fetch_options
def explain(url: str, as_json: bool, data: DataFolder) -> None:
    """Show what is decided about URL, part by part, with the reasons.

    Canonical form, scope, traps, the robots.txt group and line that decide, the delay and
    its source, the site's budget, the order of pages; and what a crawl made of it: depth, outcome, syntaxes, quads,
    problems. Fetches robots.txt politely if it is not known. If a crawl is running in the data
    folder, it answers, with its own options.
    """
    from gossamer.cli.build_client import politely
    from gossamer.cli.folder import ask_folder, crawl_config
    from gossamer.frontier.facts import with_expressions
    from gossamer.owner.messages import ask
    from gossamer.owner.questions import Explain
    from gossamer.sending.explain import explain as explained

    async def asking(owner: Answering) -> Record:
        return await ask(owner, Explain(url))

    def own() -> Record:
        config = crawl_config(data)

        async def work(client: PoliteClient, folder: FolderAnswers) -> Record:
            seeds = await folder.frontier_thread.do(folder.frontier.seeds)
            added = await folder.frontier_thread.do(folder.frontier.scope_expressions.all)
            in_force = replace(config, scope=with_expressions(config.scope, added))
            explanation = await explained(client, url, in_force, seeds)
            return await folder.explained(url, dict(explanation.record()))

        return politely("explain", data, config, work)

    record = ask_folder("explain", data, asking, own)
    emit(json.dumps(record, indent=2) if as_json else table([*_rows(record)]))


def _rows(record: Record) -> Iterator[tuple[str, str]]:
    yield "given", plain(record["given"])
    if record["url"] is not None:
        yield from _url_rows(record)
    if record["page"] is not None:
        yield from _page_rows(record["page"])
    verdict = record["verdict"]
    why = f": {verdict['error']}" if verdict["error"] else ""
    left_out = record["trap"] or record["scope"]["refused"]
    but = f", but a crawl would leave it out ({left_out['rule']})" if left_out else ""
    yield "verdict", f"{answer(verdict)}{why}{but}"


def _url_rows(record: Record) -> Iterator[tuple[str, str]]:
    trap, scope, delay = record["trap"], record["scope"], record["delay"]
    yield "canonical", plain(record["url"])
    if record["form"]:
        yield "form", _form(record["form"])
    yield "host", f"{record['host']} (site {record['site']}, origin {record['origin']})"
    yield "scope", _scope(scope)
    yield "traps", f"caught ({trap['rule']}): {trap['why']}" if trap else "none"
    yield from _robots_rows(record["robots"])
    if delay:
        yield "delay", f"{delay['seconds']:g} s ({delay['source']})"
    if record.get("trouble"):
        yield "failures", record["trouble"]
    first, more = (f"{record['budget'][key]:,}" for key in ("pages", "pages_per_linking_site"))
    yield (
        "budget",
        f"the first {first} pages of {record['site']} go in the quick queue, "
        f"and {more} more for each other site that links to it",
    )
    kept = record.get("site_budget")
    if kept and kept.get("less"):
        yield "", repeats(kept)
    if kept and (kept["left_out"] or kept["over"]):
        yield "over budget", over_budget(kept)
    yield "order", _order(record["order"])
    for each in record.get("parameters", ()):
        yield "parameter", _parameter(each)
    if record.get("duplicates"):
        yield from _duplicates_rows(record["url"], record["duplicates"])
    if record.get("prospect"):
        yield "prospect", _prospect(record["prospect"])
    if record["follow_query"]:
        query = " ".join(record["follow_query"].split())
        yield "links", f"those that the crawl's query names: {plain(query)}"


def repeats(kept: Record) -> str:
    """Why a site's budget is smaller."""
    return (
        f"but only {kept['less']:,} of {kept['site']}: {kept['repeated']:,} of its {kept['content']:,} pages "
        "say what other pages say, and links to it count for nothing"
    )


def _parameter(each: Record) -> str:
    """What pairs of pages have shown of one of its parameters."""
    name = plain(each["parameter"])
    match each["standing"]:
        case "changes nothing":
            return f"{name} changes nothing on this host, as pages at {each['agreed']} addresses have shown (urls.learned)"
        case "matters":
            return f"{name} matters on this host: two pages that differ in it alone were two"
    return f"{name} has changed nothing so far, at {each['agreed']} of {each['needed']} addresses"


def _duplicates_rows(url: str, group: Record) -> Iterator[tuple[str, str]]:
    """The other pages that are the same thing."""
    members = counted(group["members"], "page")
    if url == group["representative"]:
        yield "duplicates", f"it stands for a group of {members}: {group['why']}"
    else:
        yield "duplicates", f"{plain(group['representative'])} stands for its group of {members}"
    if group["kind"] != "duplicates":
        yield "", group["meaning"]
    for other in group["others"][:TOLD]:
        yield "", plain(other)


def _form(form: Record) -> str:
    dropped = ", ".join(map(plain, form["dropped"]))
    changes = [f"{dropped} dropped"] * bool(dropped) + ["query sorted"] * form["sorted"]
    return f"{', '.join(changes)}, as the keys of urls ask for"


def _order(order: Record) -> str:
    rules = ", ".join(f"{plain(each['expression'])} {each['weight']:+,}" for each in order["rules"])
    points = f"; {order['weight']:+,} points by crawl.priority ({rules})" if rules else ""
    return f"{order['strategy']} (crawl.strategy){points}"


def _prospect(prospect: Record) -> str:
    """What a page is likely to bring of what is wanted, and why."""
    on = f" listed on {plain(prospect['listed_on'])}" if prospect["listed_on"] else ""
    at = f" at {plain(prospect['tags'])}" if prospect["tags"] else ""
    leads = ", ".join(f"{each:.2g} to {plain(name)}" for name, each in prospect["leads"].items())
    led = f"; each led to new links: {leads}" if leads else ""
    seen = (
        f"{prospect['visits']:.3g} of these were visited, and brought {prospect['own']:.2g} each{led}"
        if prospect["visits"] >= 1
        else f"none of these was visited; its words promise {prospect['promise']:.2g}"
    )
    return (
        f"{prospect['per_second']:.2g} wanted things a second, by links like {plain(prospect['template'])}"
        f"{at}{on}: {seen}"
    )


def _scope(scope: Record) -> str:
    kind, refused = scope["kind"], scope["refused"]
    if refused:
        return f"no: {refused['why']}"
    if scope["seeds"]:
        return f"yes, by --scope {kind} and {counted(scope['seeds'], 'seed')}"
    return f"no expression keeps it out; --scope {kind} is judged by the seeds of a crawl"


def _robots_rows(robots: Record | None) -> Iterator[tuple[str, str]]:
    if robots is None:
        yield "robots", "not known"
        return
    yield "robots", f"{'allows' if robots['allowed'] else 'forbids'}: {robots['why']}"
    if robots["group"]:
        yield "group", f"User-agent: {robots['group']}, line {robots['group_line']}"
    if robots["text"]:
        yield "line", f"{robots['line']}: {robots['text']}"
    if robots["sitemaps"]:
        yield "sitemaps", " ".join(plain(each) for each in robots["sitemaps"][:5])


def _page_rows(page: Record) -> Iterator[tuple[str, str]]:
    """What the crawl in the data folder made of it."""
    if page["state"] == "not followed":
        yield "crawl", f"linked to, and not followed ({page['why']})"
        return
    seed = ", a seed" if page["seed"] else ""
    hops = f", {counted(page['hops'], 'redirect')} behind a link" if page["hops"] else ""
    points = "" if page["state"] == "settled" else f", {page['priority']:,} points"
    yield "crawl", f"{_outcome(page)}, at depth {page['depth']}{seed}{hops}{points}"
    if page["why"]:
        yield "why", plain(page["why"])
    if page["retry_at"] and page["state"] == "waiting":
        yield (
            "again",
            f"at {page['retry_at']}, after {counted(page['attempts'], 'attempt')}; {LAST}",
        )
    if page["ended"] == "content" or page["quads"]:
        if page["ended"] != "content":
            yield "keeps", "what it said at an earlier visit"
        yield from _content_rows(page)
    if look := page["look"]:
        yield from _look_rows(look)
    if page["archived"]:
        yield "archived", page["archived"]
    elif page["ended"] == "content":
        yield "archived", "no: " + ("" if page["quads"] else "it has no data, or ") + NOT_KEPT


def _look_rows(look: Record) -> Iterator[tuple[str, str]]:
    """When it is looked at next, and what its looks have shown."""
    yield "next look", f"at {look['next_at']}: {look['why']}"
    if look["rate"]:
        shown = f", by {look['looks']:.3g} looks, {look['changes']:.3g} of which found a change"
        by = shown if look["looks"] else ", by pages like it"
        fresh = f"; fresh for {look['expected']:.0%} of the time" if look["expected"] else ""
        yield "changes", f"every {1 / look['rate']:.3g} days{by}{fresh}"


def _outcome(page: Record) -> str:
    """What became of it, in a word, with the status and the moment if there are any."""
    word = page["ended"] if page["state"] == "settled" else page["state"]
    status = f" ({page['status']})" if page["status"] else ""
    moment = f" at {page['settled_at']}" if page["settled_at"] else ""
    return f"{word}{status}{moment}"


def _content_rows(page: Record) -> Iterator[tuple[str, str]]:
    fetch = page["fetch"] or {}
    found = ", ".join(fetch.get("syntaxes", ())) or "no structured data"
    media_type = page["media_type"] or "no media type"
    yield "found", f"{found}, in {plain(media_type)}"
    yield "quads", f"{page['quads']:,}"
    if page["problems"]:
        yield "problems", f"{page['problems']:,}"
    for problem in page["told"][:TOLD]:
        line = f", line {problem['line']}" if problem["line"] else ""
        yield "", f"{problem['syntax'] or 'page'}{line}: {plain(problem['message'])}"
