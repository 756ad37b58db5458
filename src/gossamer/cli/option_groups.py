"""`--help` in groups: options of one purpose stand together, the same in every command."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import click

OTHERS: Final = "Options"
GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "What to crawl": (
        *("--scope", "--depth", "--max-pages", "--max-time", "--include", "--exclude"),
        *("--strategy", "--follow-query", "--again", "--older-than", "--keep-fresh", "--revisits"),
        *("--hidden-links", "--forms"),
        *("--want", "--want-words", "--keep", "--until-yield"),
    ),
    "What to read": ("--only", "--strict"),
    OTHERS: (),  # those that no other group names
    "Politeness": ("--delay", "--per-host", "--patience", "--agent", "--agent-contact"),
    "Speed": ("--concurrency", "--workers"),
    "Where results are kept": ("--no-archive", "--index", "--frontier", "--local-graph"),
    "What is checked": ("--report", "--profile", "--check-links", "--fail-on", "--baseline"),
    "While it runs": ("--serve", "--proxy", "--token", "--service"),
    "Output": ("-o", "--to", "--limit", "--json"),
    "Network": ("--connect-to", "--allow-net", "--ca"),
    "General": ("--data", "--config", "--debug", "--version", "--help"),
}
_GROUP_OF: Final = {flag: name for name, flags in GROUPS.items() for flag in flags}
_PLACE: Final = {flag: number for number, flag in enumerate(_GROUP_OF)}
FEW: Final = 4  # options beside the general ones, which need no groups

Row = tuple[str, str]


class GroupedFormatter(click.HelpFormatter):
    """Writes options in groups where other formatters write one list."""

    _in_options = False

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """A section; that of options has a heading for each group instead of its own."""
        self._in_options = name == OTHERS
        try:
            if self._in_options:
                yield
            else:
                with super().section(name):
                    yield
        finally:
            self._in_options = False

    def write_dl(self, rows: Iterable[Row], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names and what they mean, in two columns."""
        rows = [*rows]
        if not self._in_options:
            super().write_dl(rows, col_max, col_spacing)
            return
        for name, group in in_groups(rows):
            with super().section(name):
                super().write_dl(group, col_max, col_spacing)


def in_groups(rows: Sequence[Row]) -> Iterator[tuple[str, Sequence[Row]]]:
    """The options of a command by group, each group in the order of the table."""
    groups: dict[str, list[Row]] = {name: [] for name in GROUPS}
    special = [row for row in rows if _GROUP_OF.get(_flag(row), OTHERS) not in (OTHERS, "General")]
    for row in rows:
        name = _GROUP_OF.get(_flag(row), OTHERS)
        groups[OTHERS if len(special) < FEW and name != "General" else name].append(row)
    for name, group in groups.items():
        if group:
            yield name, sorted(group, key=lambda row: _PLACE.get(_flag(row), -1))


def _flag(row: Row) -> str:
    """The name of an option by which the table knows it."""
    words = row[0].replace(",", " ").split()
    named = [word.partition("=")[0] for word in words if word.startswith("-")]
    return next((word for word in named if word in _GROUP_OF), named[0] if named else "")
