"""What a command that outlives crawls does in a folder while that is its own."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace

from gossamer.cli.build_client import (
    client_among_others,
    hosts_among_others,
    polite_client,
    sending,
)
from gossamer.cli.folder import crawl_settings
from gossamer.cli.listeners import own_rights, proxy_handlers
from gossamer.cli.options import written_settings
from gossamer.config import Config
from gossamer.crawl.reconfigure import is_live_in_service
from gossamer.crawl.run_limits import limits_of
from gossamer.errors import ConfigError
from gossamer.events import ConfigChanged
from gossamer.folder.data import DataFolder
from gossamer.frontier.facts import with_expressions
from gossamer.owner.cache_answers import cache_handlers, caches_of_client
from gossamer.owner.folder_answers import IDLE, Activity, FolderAnswers
from gossamer.owner.folder_keeper import FolderKeeper
from gossamer.owner.handlers import Handlers
from gossamer.owner.messages import Record
from gossamer.owner.opening import Answers, read_folder
from gossamer.owner.questions import (
    Configure,
    Explain,
    MakeWay,
    ReloadSettings,
    SettingsInForce,
    StopOwner,
)
from gossamer.owner.sending_answers import answer_and_lend
from gossamer.owner.told import Configured, Owning, Reloaded
from gossamer.proxy.lent_permits import LentPermits
from gossamer.proxy.permits import Permits
from gossamer.sending.client import PoliteClient
from gossamer.sending.explain import explain
from gossamer.sending.hosts.kept import Keeper
from gossamer.settings.in_force import ask_for_reload, in_force_record, take_up, waiting
from gossamer.settings.sources import Settings, keys


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
    settings = crawl_settings(data)
    config = settings.config
    async with AsyncExitStack() as life:
        keeper, activity = None, IDLE
        if permits is None:
            client = await life.enter_async_context(polite_client(command, data, config))
        else:
            client, keeper = await life.enter_async_context(keeping_client(command, data, config))
            activity = Activity(ledger=keeper.at_hand)
        folder = await life.enter_async_context(
            read_folder(command, data, config, activity=activity, stays=command == "serve")
        )
        await folder.frontier_thread.do(folder.take_over)
        handlers = _Owned(data, settings, client, folder).handlers()
        handlers.on(StopOwner, folder.doing(stopped.set)).on(MakeWay, folder.doing(make_way))
        proxy = Handlers() if permits is None else proxy_handlers(permits)
        of_proxy = () if permits is None else permits.caches
        caches = cache_handlers(lambda: (*caches_of_client(client), *of_proxy))
        answers = await life.enter_async_context(
            answer_and_lend(folder, client, handlers, proxy, caches)
        )
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
        async with (
            Keeper(holdings) as keeper,
            client_among_others(parts, holdings, keeper) as client,
        ):
            yield client, keeper


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
        self, data: DataFolder, settings: Settings, client: PoliteClient, folder: FolderAnswers
    ) -> None:
        self._data = data
        self._settings = settings
        self._client = client
        self._folder = folder

    def handlers(self) -> Handlers:
        """Handlers for questions that a command that stays can answer."""
        return (
            Handlers()
            .on(Explain, self._explain)
            .on(Configure, self._configure)
            .on(SettingsInForce, self._in_force)
            .on(ReloadSettings, self._reload)
        )

    async def _explain(self, question: Explain) -> Record:
        """Every decision about a URL."""
        frontier, do = self._folder.frontier, self._folder.frontier_thread.do
        seeds = await do(frontier.seeds)
        added = await do(frontier.scope_expressions.all)
        config = self._settings.config
        in_force = replace(config, scope=with_expressions(config.scope, added))
        decided = await explain(self._client, question.url, in_force, seeds)
        return await self._folder.explained(question.url, decided.record())

    async def _configure(self, question: Configure) -> Configured:
        """Be as polite as was changed, from now on."""
        try:
            wanted = crawl_settings(self._data)
        except ConfigError as error:
            return {**self._who(), "waits": [], "refused": str(error), "values": {}}
        self._take_up(wanted)
        waits = sorted(waiting(self._settings, wanted, is_live_in_service).keys() & question.keys)
        told = [name for name in question.keys if name in keys()]
        for name in told:
            self._client.tell(ConfigChanged(key=name, value=self._shown(name, wanted)[0]))
        values = {name: self._shown(name, wanted) for name in told if name not in waits}
        return {**self._who(), "waits": waits, "refused": None, "values": values}

    async def _in_force(self, _: SettingsInForce) -> Record:
        """The settings that this command goes by."""
        return {**self._who()} | in_force_record(
            self._settings, lambda: written_settings(self._data), is_live_in_service
        )

    async def _reload(self, _: ReloadSettings) -> Reloaded:
        """Take up the user's file; raises `ConfigError` where that is wrong."""
        before = self._settings
        ask_for_reload(self._data, lambda: written_settings(self._data))
        wanted = crawl_settings(self._data)
        self._take_up(wanted)
        now = self._settings
        changed = {
            name: self._shown(name, now)
            for name, setting in now.each.items()
            if setting.value != before.each[name].value
        }
        for name, (value, _source) in changed.items():
            self._client.tell(ConfigChanged(key=name, value=value))
        waits = sorted(waiting(now, wanted, is_live_in_service))
        return {**self._who(), "changed": changed, "waits": waits}

    def _take_up(self, wanted: Settings) -> None:
        self._settings = take_up(self._settings, wanted, is_live_in_service)
        config = self._settings.config
        self._client.configure(config)
        self._folder.frontier.read_by(config.politeness, config.budget, limits_of(config))

    def _shown(self, name: str, settings: Settings) -> tuple[str, str]:
        setting = settings.each[name]
        return keys()[name].shown(setting.value), setting.source

    def _who(self) -> Owning:
        return {"process": os.getpid(), "command": self._folder.command}
