"""What a command that outlives crawls does in a folder while that is its own."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

from gossamer.cli.build_client import (
    client_among_others,
    hosts_among_others,
    polite_client,
    sending,
)
from gossamer.cli.folder import crawl_config
from gossamer.cli.listeners import own_rights, proxy_handlers
from gossamer.config import Config
from gossamer.crawl.reconfigure import LIVE, NEXT_RUN
from gossamer.crawl.run_limits import limits_of
from gossamer.events import ConfigChanged
from gossamer.folder.data import DataFolder
from gossamer.frontier.facts import with_expressions
from gossamer.owner.folder_answers import IDLE, Activity, FolderAnswers
from gossamer.owner.folder_keeper import FolderKeeper
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import Record
from gossamer.owner.opening import Answers, read_folder
from gossamer.owner.questions import Configure, Explain, MakeWay, StopOwner
from gossamer.owner.sending_answers import answer_and_lend
from gossamer.proxy.lent_permits import LentPermits
from gossamer.proxy.permits import Permits
from gossamer.sending.client import PoliteClient
from gossamer.sending.explain import explain
from gossamer.sending.hosts.kept import Keeper
from gossamer.settings.sources import keys

AT_START: Final = NEXT_RUN - {"crawl.workers"}  # which a command that stays has none of


def waiting(names: Iterable[str]) -> list[str]:
    """Which of these keys a command that stays takes up only when it starts again."""
    return sorted(
        {name for name in names if name in AT_START or name.partition(".")[0] not in LIVE}
    )


@dataclass(frozen=True, slots=True)
class KeptFolder:
    """A folder that is ours whenever it is nobody else's."""

    keeper: FolderKeeper
    permits: Permits  # from whoever owns it
    owning: asyncio.Task[None]

    async def until(self, stopped: asyncio.Event) -> None:
        """Wait until we are told to stop."""
        ending = asyncio.create_task(stopped.wait())
        await asyncio.wait([self.owning, ending], return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()


@asynccontextmanager
async def keep_folder(
    command: str, data: DataFolder, stopped: asyncio.Event, *, is_proxy: bool
) -> AsyncIterator[KeptFolder]:
    """Own a folder whenever nobody else does, and answer for it."""

    def own(make_way: Callable[[], None]) -> AbstractAsyncContextManager[Answers]:
        return own_folder(command, data, stopped, make_way, permits if is_proxy else None)

    keeper = FolderKeeper(data, own)
    async with LentPermits(keeper) as lent:
        permits = Permits(lent)
        running = asyncio.create_task(keeper.run())
        try:
            yield KeptFolder(keeper, permits, running)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


@asynccontextmanager
async def own_folder(
    command: str,
    data: DataFolder,
    stopped: asyncio.Event,
    make_way: Callable[[], None],
    permits: Permits | None = None,
) -> AsyncIterator[Answers]:
    """Answer for a folder that is ours, and give permits to a proxy, where there is one."""
    config = crawl_config(data)
    async with AsyncExitStack() as life:
        keeper, activity = None, IDLE
        if permits is None:
            client = await life.enter_async_context(polite_client(command, data, config))
        else:
            client, keeper = await life.enter_async_context(keeping_client(command, data, config))
            activity = Activity(ledger=keeper.at_hand)
        folder = await life.enter_async_context(
            read_folder(command, data, config, activity=activity)
        )
        await folder.frontier_thread.do(folder.take_over)
        handlers = _Owned(data, config, client, folder).handlers()
        handlers.on(StopOwner, folder.doing(stopped.set)).on(MakeWay, folder.doing(make_way))
        proxy = Handlers() if permits is None else proxy_handlers(permits)
        answers = await life.enter_async_context(answer_and_lend(folder, client, handlers, proxy))
        if permits is not None:
            await life.enter_async_context(_permitting(permits, client, folder))
        yield answers


@asynccontextmanager
async def keeping_client(
    command: str, data: DataFolder, config: Config
) -> AsyncIterator[tuple[PoliteClient, Keeper]]:
    """A client whose hosts stay in its hands for a while, so that few writes serve many requests."""
    # The proxy has connections of its own: one to a host at a time is all there are.
    async with sending(command, data, config, keeps_connections=False) as parts:
        lasting = max(config.proxy.max_time, config.proxy.tunnel_time)
        holdings = hosts_among_others(parts, lasting)
        async with Keeper(holdings) as keeper:
            yield client_among_others(parts, holdings, keeper), keeper


@asynccontextmanager
async def _permitting(
    permits: Permits, client: PoliteClient, folder: FolderAnswers
) -> AsyncIterator[None]:
    async with own_rights(client, folder) as own:
        permits.own = own
        try:
            yield
        finally:
            permits.own = None


class _Owned:
    """What a command that stays can do in a folder that is its own."""

    def __init__(
        self, data: DataFolder, config: Config, client: PoliteClient, folder: FolderAnswers
    ) -> None:
        self._data = data
        self._config = config
        self._client = client
        self._folder = folder

    def handlers(self) -> Handlers:
        """Handlers for questions that a command that stays can answer."""
        return Handlers().on(Explain, self._explain).on(Configure, self._configure)

    async def _explain(self, question: Explain) -> Record:
        """Every decision about a URL."""
        frontier, do = self._folder.frontier, self._folder.frontier_thread.do
        seeds = await do(frontier.seeds)
        added = await do(frontier.scope_expressions.all)
        in_force = replace(self._config, scope=with_expressions(self._config.scope, added))
        decided = await explain(self._client, question.url, in_force, seeds)
        return await self._folder.explained(question.url, decided.record())

    async def _configure(self, question: Configure) -> Record:
        """Be as polite as was changed, from now on."""
        self._config = config = crawl_config(self._data)
        self._client.configure(config)
        self._folder.frontier.read_by(config.politeness, config.budget, limits_of(config))
        for name in keys().keys() & set(question.keys):
            section, _, key = name.partition(".")
            value = getattr(getattr(config, section), key)
            self._client.tell(ConfigChanged(key=name, value=keys()[name].shown(value)))
        return {
            "process": os.getpid(),
            "command": self._folder.command,
            "waits": waiting(question.keys),
            "refused": None,
        }
