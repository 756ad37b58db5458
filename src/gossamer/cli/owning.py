"""What a command that outlives crawls does in a folder while that is its own."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gossamer.cli.asking import among_others, polite_client, sending
from gossamer.cli.folder import crawl_config
from gossamer.config import Config
from gossamer.crawling.changes import LIVE, NEXT_RUN
from gossamer.crawling.stops import limits_of
from gossamer.data import DataFolder
from gossamer.events import ConfigChanged
from gossamer.explain import explain
from gossamer.frontier.scope_expressions import with_expressions
from gossamer.owner.answers import Answers
from gossamer.owner.manners import minding_manners
from gossamer.owner.messages import Record
from gossamer.owner.opening import answering
from gossamer.owner.steward import Steward
from gossamer.polite import PoliteClient
from gossamer.proxy.keeping import Keeper
from gossamer.proxy.lent_permits import LentPermits
from gossamer.proxy.own_permits import CrawlHolds, Holder, OwnPermits
from gossamer.proxy.permits import Permits
from gossamer.settings import keys

AT_START: Final = NEXT_RUN - {"crawl.workers"}  # which a command that stays has none of


def waiting(names: Iterable[str]) -> list[str]:
    """Which of these keys a command that stays takes up only when it starts again."""
    return sorted(
        {name for name in names if name in AT_START or name.partition(".")[0] not in LIVE}
    )


@dataclass(frozen=True, slots=True)
class Stewarding:
    """A folder that is ours whenever it is nobody else's."""

    steward: Steward
    permits: Permits  # from whoever owns it
    owning: asyncio.Task[None]

    async def until(self, stopped: asyncio.Event) -> None:
        """Wait until we are told to stop."""
        ending = asyncio.create_task(stopped.wait())
        await asyncio.wait([self.owning, ending], return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()


@asynccontextmanager
async def stewarding(
    command: str, data: DataFolder, stopped: asyncio.Event, *, is_proxy: bool
) -> AsyncIterator[Stewarding]:
    """Own a folder whenever nobody else does, and answer for it."""
    steward = Steward(data, lambda: owning(command, data, stopped, permits if is_proxy else None))
    async with LentPermits(steward) as lent:
        permits = Permits(lent)
        running = asyncio.create_task(steward.run())
        try:
            yield Stewarding(steward, permits, running)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


@asynccontextmanager
async def owning(
    command: str, data: DataFolder, stopped: asyncio.Event, permits: Permits | None = None
) -> AsyncIterator[Answers]:
    """Answer for a folder that is ours, and give permits to a proxy, where there is one."""
    config = crawl_config(data)
    async with AsyncExitStack() as life:
        keeper = None
        if permits is None:
            client = await life.enter_async_context(polite_client(command, data, config))
        else:
            client, keeper = await life.enter_async_context(keeping_client(command, data, config))
        answers = await life.enter_async_context(answering(command, data, config))
        await life.enter_async_context(minding_manners(answers, client))
        await answers.clerk.do(answers.take_over)
        owned = _Owned(data, config, client, answers)
        answers.explain, answers.configure = owned.explain, owned.configure
        answers.stop = stopped.set
        if permits is not None and keeper is not None:
            answers.at_hand, answers.proxy = keeper.at_hand, permits.shown
            await life.enter_async_context(_permitting(permits, client, keeper, answers))
        yield answers


@asynccontextmanager
async def keeping_client(
    command: str, data: DataFolder, config: Config
) -> AsyncIterator[tuple[PoliteClient, Keeper]]:
    """A client whose hosts stay in its hands for a while, so that few writes serve many requests."""
    # The proxy has connections of its own: one to a host at a time is all there are.
    async with sending(command, data, config, keeps_connections=False) as parts:
        lasting = max(config.proxy.max_time, config.proxy.tunnel_time)
        client, holdings = among_others(parts, lasting)
        async with Keeper(holdings) as keeper:
            client.holding = keeper.holding
            yield client, keeper


@asynccontextmanager
async def crawl_permits(client: PoliteClient, answers: Answers) -> AsyncIterator[Permits]:
    """Permits from a crawl in this process, in turn with its own requests."""
    async with _own_permits(client, CrawlHolds(client), answers) as own:
        permits = Permits(own, own)
        answers.proxy = permits.shown
        yield permits


@asynccontextmanager
async def _permitting(
    permits: Permits, client: PoliteClient, keeper: Keeper, answers: Answers
) -> AsyncIterator[None]:
    async with _own_permits(client, keeper, answers) as own:
        permits.own = own
        try:
            yield
        finally:
            permits.own = None


def _own_permits(client: PoliteClient, holder: Holder, answers: Answers) -> OwnPermits:
    async def lend(host: str, until: datetime | None) -> None:
        await answers.clerk.do(answers.frontier.lend, host, until)

    return OwnPermits(client, holder, lend)


class _Owned:
    """What a command that stays can do in a folder that is its own."""

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
        return {
            "process": os.getpid(),
            "command": self._answers.command,
            "waits": waiting(names),
            "refused": None,
        }
