"""Tables of facts that lie beside this file as text, a section of each read when it is first asked for. Pure.

`tools/vocabulary_facts.py` draws them from published packages and writes name, release and day of each package into
the first lines. A section is a line in brackets and the rows below it: a name, a colon and what belongs to it.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

SCHEMA_ORG: Final = "schema_org.txt"
CODES: Final = "codes.txt"


@cache
def section(file: str, name: str) -> Mapping[str, str]:
    """A section of a table: the rest of each row by its name."""
    _, _, rest = _text(file).partition(f"\n[{name}]\n")
    rows = (row.partition(":") for row in rest.partition("\n[")[0].splitlines())
    return {head: words.strip() for head, _, words in rows}


@cache
def names_in(file: str, name: str) -> Mapping[str, tuple[str, ...]]:
    """A section of a table whose rows list names."""
    return {head: tuple(words.split()) for head, words in section(file, name).items()}


def drawn_from(file: str) -> tuple[tuple[str, str, str], ...]:
    """The packages that a table was drawn from: name, release and day."""
    heads = (line[2:].split() for line in _text(file).splitlines() if line.startswith("# "))
    return tuple((name, release, day) for name, release, day in heads)


@cache
def _text(file: str) -> str:
    return files(__package__).joinpath(file).read_text(encoding="utf-8")
