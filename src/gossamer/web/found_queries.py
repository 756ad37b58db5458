"""Queries to begin with that are made from what was found: for the commonest types, their values as columns."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.index.entities import short_name
from gossamer.index.entities.vocabulary import LABELS
from gossamer.owner.vocabulary import LOOKED_AT, USED, Asker
from gossamer.sparql.prefixes import PREFIXES, shortened
from gossamer.web.wording import readable

MOST: Final = 4  # queries
COLUMNS: Final = 4  # beside the thing
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")


@dataclass(frozen=True, slots=True)
class FoundQuery:
    """A query that has rows, and what it tells."""

    tells: str
    text: str


async def found_queries(asker: Asker, types: Iterable[str]) -> Sequence[FoundQuery]:
    """A query for each of the first types whose entities have values."""
    found: list[FoundQuery] = []
    for iri in types:
        if len(found) == MOST:
            break
        if _term(iri) is None:
            continue
        used = await asker.met(USED.format(type=iri, most=LOOKED_AT))
        if made := query_for(iri, [each.iri for each in used]):
            found.append(made)
    return found


def query_for(type_: str, used: Iterable[str]) -> FoundQuery | None:
    """A query for things of a type with some values each, the name first; None where there are none."""
    ordered = sorted(used, key=lambda iri: LABELS.get(iri, len(LABELS)))
    columns: dict[str, str] = {}
    for iri in ordered:
        name = _NAME.fullmatch(short_name(iri) or "")
        if (
            name is None
            or _term(iri) is None
            or name[0] in ("thing", "page")
            or len(columns) == COLUMNS
        ):
            continue
        columns.setdefault(name[0], iri)
    what = _term(type_)
    if not columns or what is None:
        return None
    first, *others = columns
    lines = [
        f"SELECT ?thing {' '.join(f'?{name}' for name in columns)} {{",
        f"  ?thing a {what} ; {_term(columns[first])} ?{first}",
        *(f"  OPTIONAL {{ ?thing {_term(columns[name])} ?{name} }}" for name in others),
        f"}} ORDER BY STR(?{first}) LIMIT 100",
    ]
    said = ", ".join(readable(columns[name]) for name in columns)
    return FoundQuery(f"{short_name(type_) or type_}: {said}", "\n".join(lines))


def _term(iri: str) -> str | None:
    """The IRI as a query has it; None where it cannot stand there."""
    name = shortened(iri)
    if name != iri and name.partition(":")[0] in PREFIXES:
        return name
    return None if re.search(r"[\x00-\x20<>\"{}|^`\\]", iri) else f"<{iri}>"
