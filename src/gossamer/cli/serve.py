"""`gossamer serve`: the folder over HTTP, whether it is being crawled or not."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import click

from gossamer.cli.asking import polite_client
from gossamer.cli.folder import crawl_config
from gossamer.cli.options import GIVEN, fetch_options, setting_option, settled
from gossamer.cli.serving import USUAL, place_to_serve, serving
from gossamer.cli.text import example
from gossamer.config import Config
from gossamer.crawling.stops import limits_of
from gossamer.data import DataFolder
from gossamer.events import ConfigChanged
from gossamer.explain import explain
from gossamer.frontier.scope_expressions import with_expressions
from gossamer.log import HumanLog
from gossamer.owner.answers import Answers
from gossamer.owner.manners import minding_manners
from gossamer.owner.messages import Record
from gossamer.owner.opening import answering
from gossamer.owner.steward import Steward
from gossamer.polite import PoliteClient
from gossamer.service.child_crawl import ChildCrawl
from gossamer.settings import keys


@click.command(
    short_help="REST and SPARQL endpoint over HTTP, beside a crawl or without.",
    epilog=example(
        "gossamer serve",
        "gossamer serve 127.0.0.1:8080 --data my-crawl",
        "GOSSAMER_SERVICE_TOKEN=… gossamer serve 0.0.0.0:8717",
    ),
)
@click.argument("address", metavar="[ADDR:PORT]", required=False)
@setting_option("service.token")
@fetch_options
def serve(address: str | None, data: DataFolder) -> None:
    """Serve a data folder over HTTP until Ctrl-C.

    While a crawl runs there, it is the one that answers; one that begins later takes over. Only
    this machine gets to it unless another address is named, which needs a token.
    """
    with place_to_serve(address or USUAL, settled(data).config.service) as ours:
        assert ours is not None
        asyncio.run(_run(data, ours))


async def _run(data: DataFolder, ours: socket.socket) -> None:
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    given = click.get_current_context().meta.get(GIVEN, {})  # before a folder adds its own
    child = ChildCrawl(data, {**given})
    steward = Steward(data, lambda: _owning(data, stopped))
    owning = asyncio.create_task(steward.run())
    service = settled(data).config.service
    try:
        async with serving(ours, data, steward, service, HumanLog(sys.stderr), _say, child):
            ending = asyncio.create_task(stopped.wait())
            await asyncio.wait([owning, ending], return_when=asyncio.FIRST_COMPLETED)
            ending.cancel()
    finally:
        if child.process is not None:
            _say(f"The crawl that was begun here (process {child.process}) is brought to its end.")
        await child.close()
        owning.cancel()
        with suppress(asyncio.CancelledError):
            await owning


@asynccontextmanager
async def _owning(data: DataFolder, stopped: asyncio.Event) -> AsyncIterator[Answers]:
    """Answer for a folder that is ours."""
    config = crawl_config(data)
    async with (
        polite_client("serve", data, config) as client,
        answering("serve", data, config) as answers,
        minding_manners(answers, client),
    ):
        await answers.clerk.do(answers.take_over)
        owned = _Owned(data, config, client, answers)
        answers.explain, answers.configure = owned.explain, owned.configure
        answers.stop = stopped.set
        yield answers


class _Owned:
    """What a service can do in a folder that is its own."""

    def __init__(
        self, data: DataFolder, config: Config, client: PoliteClient, answers: Answers
    ) -> None:
        self._data = data
        self._config = config
        self._client = client
        self._answers = answers

    async def explain(self, text: str) -> Record:
        """Every decision about a URL."""
        frontier, do = self._answers.frontier, self._answers.clerk.do
        seeds = await do(frontier.seeds)
        added = await do(frontier.scope_expressions.all)
        in_force = replace(self._config, scope=with_expressions(self._config.scope, added))
        return (await explain(self._client, text, in_force, seeds)).record()

    async def configure(self, names: Sequence[str]) -> Record:
        """Be as polite as was changed, from now on."""
        self._config = config = crawl_config(self._data)
        self._client.configure(config)
        self._answers.frontier.answer_by(config.politeness, config.budget, limits_of(config))
        for name in keys().keys() & set(names):
            section, _, key = name.partition(".")
            value = getattr(getattr(config, section), key)
            self._client.tell(ConfigChanged(key=name, value=keys()[name].shown(value)))
        return {"process": os.getpid(), "waits": [], "refused": None}


def _say(text: str) -> None:
    click.echo(text, err=True)
