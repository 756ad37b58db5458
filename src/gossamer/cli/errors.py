"""How every command runs: files private to the user, and on errors a sentence, an exit status, no traceback.

Files in the data folder are readable by their owner alone, by the umask of this process. A file that
the user names (`-o FILE`) is made with the user's own umask.
"""

import difflib
import errno
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

import click

from gossamer.cli.terminal import CLEAR_LINE, ReaderGoneError, obey, safe_terminals
from gossamer.errors import ConfigError, GossamerError, StorageAwayError

DONE, FAILED, BAD_USAGE, INTERRUPTED = 0, 1, 2, 130
SERVICE: Final = "--service"
NOBODY_ELSE: Final = 0o077
_given: int | None = None  # the umask that this process was started with


@contextmanager
def tight_umask() -> Iterator[None]:
    """Have whatever is made within this, by us or a child, be the owner's alone."""
    global _given
    _given = os.umask(NOBODY_ELSE)
    os.umask(_given | NOBODY_ELSE)
    try:
        yield
    finally:
        os.umask(_given)
        _given = None


@contextmanager
def given_umask() -> Iterator[None]:
    """Make files within this as the user's umask has them."""
    if _given is None:
        yield
        return
    tight = os.umask(_given)
    try:
        yield
    finally:
        os.umask(tight)


def debug_option() -> click.Option:
    """`--debug`, which every command takes."""
    return click.Option(
        ["--debug"], is_flag=True, expose_value=False, help="Show the traceback of an error."
    )


class GroupedContext(click.Context):
    """A context whose help is in groups."""

    def make_formatter(self) -> click.HelpFormatter:
        """What writes the help."""
        from gossamer.cli.option_groups import GroupedFormatter

        width, most = self.terminal_width, self.max_content_width
        return GroupedFormatter(width=width, max_width=most)


class Commands(click.Group):
    """A group whose commands all take `--debug`, and which guesses what a typo meant."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command, with `--debug` and with its help in groups."""
        cmd.params.append(debug_option())
        cmd.context_class = GroupedContext
        for param in cmd.params:
            if param.metavar is None and isinstance(param.type, click.IntRange):
                param.metavar = "N"
        super().add_command(cmd, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named first, or a usage error that suggests the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            known = "Did you mean" in error.message
            hint = f" Did you mean {near[0]!r}?" if near and not known else ""
            raise click.UsageError(f"{error.message}{hint}", ctx=ctx) from None


def run(group: click.Group, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # To a service manager, an end that it asked for is none by failure; also before all options are read.
    signal.signal(signal.SIGTERM, _end_as_asked if SERVICE in words else _interrupt)
    with safe_terminals():
        _run(group, words)


def _run(group: click.Group, words: list[str]) -> NoReturn:
    try:
        with tight_umask():
            result = group.main(words, prog_name="gossamer", standalone_mode=False)
        sys.exit(result if isinstance(result, int) else DONE)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except (Exception, KeyboardInterrupt) as error:
        if "--debug" in words:
            traceback.print_exc()
        sys.exit(_explain(_first_cause(error)))


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    # Whoever sends TERM wants what Ctrl-C does: end in good order.
    raise KeyboardInterrupt


def _end_as_asked(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(DONE)


def _first_cause(error: BaseException) -> BaseException:
    """What went wrong first, where several tasks failed together.

    Those who waited for a server then give up, which is no cause.
    """
    causes = [*_causes(error)]
    return next((each for each in causes if not isinstance(each, StorageAwayError)), causes[0])


def _causes(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _causes(each)
    else:
        yield error


def _explain(error: BaseException) -> int:
    """Tell the user what is wrong; the exit status."""
    match error:
        case ReaderGoneError():
            # Whoever read our output has seen enough (`| head`); nothing is left to say, and
            # what Python still holds for them must not become an error at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return DONE
        case click.Abort() | KeyboardInterrupt():
            if sys.stderr.isatty():  # where a line may be half drawn
                obey(sys.stderr, CLEAR_LINE)
            _say("interrupted")
            return INTERRUPTED
        case click.ClickException():
            error.show(sys.stderr)
            return error.exit_code
        case ConfigError():
            _say(str(error))
            return BAD_USAGE
        case GossamerError():
            _say(str(error))
        case ModuleNotFoundError(name="psycopg"):
            _say("PostgreSQL needs psycopg. Install it with: pip install 'gossamer[postgres]'")
            return BAD_USAGE
        case OSError(errno=errno.ENOSPC):
            _say("The disk is full. Make room and run the same command again; nothing is lost.")
        case _:
            kind = f"{type(error).__name__}: {error}".rstrip(": ")
            _say(f"This should not have happened ({kind}). Run it again with --debug to see where.")
    return FAILED


def _say(text: str) -> None:
    print(f"gossamer: {text}", file=sys.stderr)  # noqa: T201 (the one place that talks so)
