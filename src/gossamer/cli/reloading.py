"""Reloading of `gossamer.toml` while processes run: by `gossamer config reload`, and by SIGHUP.

SIGHUP has an older meaning: the terminal is gone. A command that was started in a terminal ends by that
as it would by TERM (or goes on, under `nohup`); while its terminal is there, and in a service manager,
SIGHUP means reload.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial

import click

from gossamer.cli.options import written_settings
from gossamer.cli.text import who
from gossamer.errors import ConfigError, GossamerError
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import AnswerError, Answering, Record, UnableError, ask
from gossamer.owner.questions import ReloadSettings
from gossamer.owner.unix_socket import NoOwnerError, Owner
from gossamer.settings.in_force import ask_for_reload


async def reload_settings(data: DataFolder, answering: Answering) -> Record | None:
    """Have the file taken up by all who run in the folder; what its owner made of it, if there is one.

    Raises `ConfigError` where the file is wrong, and nothing changes.
    """
    try:
        return await ask(answering, ReloadSettings())
    except (NoOwnerError, UnableError):
        ask_for_reload(data, lambda: written_settings(data))
        return None
    except AnswerError as error:
        if error.kind == ConfigError.__name__:  # in the owner's process, where it was that
            raise ConfigError(str(error)) from None
        raise


async def ask_owner_to_reload(data: DataFolder) -> Record | None:
    """Have the owner of the folder, and all beside it, take the file up."""
    return await reload_settings(data, Owner(data.socket_file))


def what_was_reloaded(told: Record | None) -> str:
    """What came of a reload, for people."""
    if told is None:
        return "gossamer.toml is right. Nobody who would have to read it again owns the folder."
    lines = [f"{name} = {shown[0]}  ({shown[1]})" for name, shown in told["changed"].items()]
    name = who(told)
    if not lines:
        lines = [f"Nothing changes for {name} by gossamer.toml as it is now."]
    if told["waits"]:
        waits = ", ".join(told["waits"])
        lines.append(f"{name[0].upper()}{name[1:]} takes this up when it starts again: {waits}.")
    return "\n".join(lines)


def has_terminal() -> bool:
    """Whether this process has a terminal that it could be told something by."""
    try:
        os.close(os.open(os.ctermid(), os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        return False
    return True


@dataclass(slots=True)
class Hangups:
    """Listens to SIGHUP: a reload, or the end of the terminal."""

    reload: Callable[[], Coroutine[object, object, object]]
    end: Callable[[], object]  # as TERM does
    say: Callable[[str], object]
    has_terminal: Callable[[], bool] = has_terminal
    _had_terminal: bool = field(init=False)
    _reloading: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._had_terminal = self.has_terminal()

    def heed(self) -> None:
        """Listen from now on, in the running event loop."""
        hang_up = partial(self.hang_up, is_nohup=signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hang_up)

    def hang_up(self, *, is_nohup: bool) -> None:
        """Do what SIGHUP asks for."""
        if self._had_terminal and not self.has_terminal():
            if not is_nohup:
                self.end()
            return
        task = asyncio.create_task(self._reload())
        self._reloading.add(task)
        task.add_done_callback(self._reloading.discard)

    async def _reload(self) -> None:
        try:
            await self.reload()
        except GossamerError as error:
            self.say(str(error))


def heed_hangups(
    data: DataFolder,
    answering: Answering,
    end: Callable[[], object],
    say: Callable[[str], object],
) -> None:
    """Reload the settings of a folder when SIGHUP comes, and say what came of it."""
    context = click.get_current_context()

    async def reload() -> None:
        with context.scope(cleanup=False):
            say(what_was_reloaded(await reload_settings(data, answering)))

    Hangups(reload, end, say).heed()
