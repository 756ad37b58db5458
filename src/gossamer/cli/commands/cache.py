"""`gossamer cache`: what the caches of a folder hold and did, and emptying them while it is in use."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar

import click

from gossamer.cli.errors import Commands
from gossamer.cli.options import complete_host, data_option, data_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import example, table
from gossamer.errors import DataFolderError
from gossamer.folder.data import DataFolder

if TYPE_CHECKING:
    from gossamer.owner.questions import RecordQuestion

Told = TypeVar("Told")

PAGES, ROBOTS = "pages", "robots"
_WHAT: Final[Mapping[str, str]] = {
    PAGES: "responses that the proxy keeps",
    ROBOTS: "robots.txt of origins",
    "names": "addresses of hosts",
    "urls": "URLs that the crawl has seen of late",
}


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=example(
        "gossamer cache",
        "gossamer cache clear",
        "gossamer cache clear pages --host example.org",
    ),
)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def cache(ctx: click.Context, data: DataFolder, as_json: bool) -> None:
    """Show what each cache holds and did since its process started.

    The process that owns the data folder is asked: a crawl, a service or a proxy.
    """
    if ctx.invoked_subcommand is not None:
        return
    from gossamer.owner.questions import CacheFigures

    told = _ask(data, CacheFigures())
    if told is None:
        raise DataFolderError(
            f"No crawl, service or proxy runs in {data.path}: figures are of a process that runs."
        )
    figures = told["caches"]
    emit(json.dumps(figures, indent=2) if as_json else _as_table(figures))


@cache.command(
    epilog=example("gossamer cache clear", "gossamer cache clear robots --host www.example.org")
)
@click.argument("names", metavar="[CACHE]...", nargs=-1, type=click.Choice([*_WHAT]))
@click.option(
    "--host", metavar="HOST", shell_complete=complete_host, help="Only what is kept of this host."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_option
def clear(names: tuple[str, ...], host: str | None, as_json: bool, data: DataFolder) -> None:
    """Empty caches: pages, robots, names, urls, or all of them.

    This works while a crawl, a service or a proxy runs, and costs requests or time, never
    data. URLs seen are not kept by host, so --host leaves them as they are. To remove
    everything stored about a host, use `gossamer forget`.
    """
    from gossamer.owner.questions import ClearCaches

    if not data.path.exists():
        raise DataFolderError(f"There is no data folder {data.path}.")
    named = None if host is None else _host(host)
    told = _ask(data, ClearCaches(names, named))
    cleared = dict(_expire_robots(data, names, named) if told is None else told["cleared"])
    if PAGES in (names or _WHAT) and PAGES not in cleared:
        from gossamer.proxy.cache.clearing import drop_pages

        cleared[PAGES] = drop_pages(data.proxy_cache_file, named)
    if PAGES in (names or _WHAT):
        _clear_shared(data, named)
    emit(json.dumps(cleared) if as_json else _sentence(cleared, named))


def _clear_shared(data: DataFolder, host: str | None) -> None:
    """Empty what proxies share, or a host's part of it; raises where their server does not answer."""
    from gossamer.cli.folder import crawl_config
    from gossamer.model import Url
    from gossamer.urls import host_of

    address = crawl_config(data).proxy.cache_shared
    if address is not None:
        from gossamer.proxy.cache.shared_pages import forget_shared

        asyncio.run(forget_shared(address, lambda url: host in (None, host_of(Url(url)))))


def _ask(data: DataFolder, question: RecordQuestion[Told]) -> Told | None:
    """The answer of whoever owns the folder; None where nobody does, or nobody with caches."""
    from gossamer.owner.messages import UnableError, ask
    from gossamer.owner.unix_socket import NoOwnerError, Owner

    try:
        return asyncio.run(ask(Owner(data.socket_file), question))
    except (NoOwnerError, UnableError):
        return None


def _expire_robots(data: DataFolder, names: tuple[str, ...], host: str | None) -> dict[str, int]:
    """Expire robots.txt in a folder that nobody has caches of in memory."""
    from gossamer.cli.folder import crawl_config
    from gossamer.frontier.robots import RobotsStore
    from gossamer.moments import now_utc
    from gossamer.settings.node import has_frontier, open_folder

    if names and ROBOTS not in names:
        return {}
    if not has_frontier(data):
        return {ROBOTS: 0}
    with data.owned(), open_folder(data, crawl_config(data).frontier) as place:
        return {ROBOTS: RobotsStore(place.store).expire_stored(host, now_utc())}


def _host(text: str) -> str:
    from gossamer.model import Refusal
    from gossamer.urls import host_of, seed

    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    return host_of(url)


def _as_table(figures: Mapping[str, Mapping[str, int]]) -> str:
    rows = [
        (name, str(each.get("hits", 0)), str(each.get("misses", 0)), str(each.get("entries", 0)))
        for name, each in figures.items()
    ]
    head = ("cache", "hits", "misses", "entries", "")
    return table([head, *((*row, _WHAT[row[0]]) for row in rows)])


def _sentence(cleared: Mapping[str, int], host: str | None) -> str:
    of_host = "" if host is None else f" of {host}"
    told = ", ".join(f"{count} {name}" for name, count in cleared.items()) or "nothing"
    return f"Emptied{of_host}: {told}."
