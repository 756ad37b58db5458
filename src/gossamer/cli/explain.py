"""`gossamer explain`: every decision about one URL."""

import json
from collections.abc import Iterator

import click

from gossamer.cli.asking import ask
from gossamer.cli.check import answer
from gossamer.cli.options import fetch_options, setting_option, settled
from gossamer.cli.text import emit, example, plain, table
from gossamer.data import DataFolder
from gossamer.explain import Explanation
from gossamer.explain import explain as explained
from gossamer.urls import host_of, origin_of, site_of


@click.command(
    short_help="Every decision about one URL, with its reason.",
    epilog=example(
        "gossamer explain https://example.org/private",
        "gossamer explain example.org --agent other --json",
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
    its source, the site's budget. Fetches robots.txt where it is not known, politely.
    """
    config = settled(data).config
    explanation = ask("explain", data, config, lambda client: explained(client, url, config))
    if as_json:
        emit(json.dumps(dict(explanation.record()), indent=2))
    else:
        emit(table([*_rows(explanation)]))


def _rows(explanation: Explanation) -> Iterator[tuple[str, str]]:
    verdict = explanation.checked.verdict
    yield "given", plain(explanation.given)
    if explanation.url is not None:
        yield from _url_rows(explanation)
    why = f": {verdict.error}" if verdict.error else ""
    left_out = explanation.trap or explanation.expressions
    but = f", but a crawl would leave it out ({left_out.rule})" if left_out else ""
    yield "verdict", f"{answer(verdict)}{why}{but}"


def _url_rows(explanation: Explanation) -> Iterator[tuple[str, str]]:
    url, trap, scope = explanation.url, explanation.trap, explanation.expressions
    assert url is not None  # the caller looked
    host = host_of(url)
    yield "canonical", plain(url)
    yield "host", f"{host} (site {site_of(host)}, origin {origin_of(url)})"
    near = f"--scope {explanation.scope_kind} is judged by the seeds of a crawl"
    yield "scope", f"no: {scope.why}" if scope else f"no expression keeps it out; {near}"
    yield "traps", f"caught ({trap.rule}): {trap.why}" if trap else "none"
    yield from _robots_rows(explanation)
    if explanation.delay:
        yield "delay", str(explanation.delay)
    yield (
        "budget",
        f"the first {explanation.allowance:,} pages of {site_of(host)} go in the quick queue",
    )


def _robots_rows(explanation: Explanation) -> Iterator[tuple[str, str]]:
    rules, decision = explanation.checked.rules, explanation.checked.decision
    if rules is None or decision is None:
        yield "robots", "not known"
        return
    yield "robots", f"{'allows' if decision.allowed else 'forbids'}: {decision.why}"
    if decision.group:
        yield "group", str(decision.group)
    if decision.line:
        yield "line", f"{decision.line_number}: {decision.line}"
    if rules.policy.sitemaps:
        yield "sitemaps", " ".join(plain(each) for each in rules.policy.sitemaps[:5])
