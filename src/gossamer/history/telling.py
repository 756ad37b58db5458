"""Changes as people and tables read them: before and after, side by side. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from gossamer.index.entities import short_name
from gossamer.sparql.prefixes import shortened

Record = Mapping[str, Any]
TABLE_COLUMNS = ("at", "kind", "entity", "label", "types", "page", "property", "before", "after")


class BeforeAfter(NamedTuple):
    """What an entity's property was, and what it is; None where there was or is nothing."""

    path: str
    before: Mapping[str, str] | None
    after: Mapping[str, str] | None


def befores_and_afters(change: Record) -> list[BeforeAfter]:
    """The statements of a change, those of one property and language side by side."""
    by_path: defaultdict[tuple[str, str], tuple[list[Record], list[Record]]]
    by_path = defaultdict(lambda: ([], []))
    for which, name in enumerate(("removed", "added")):
        for said in change[name]:
            by_path[said["path"], said.get("language", "")][which].append(said)
    return [
        BeforeAfter(path, before, after)
        for (path, _), lots in sorted(by_path.items())
        for before, after in zip_longest(*lots)
    ]


def told_briefly(each: BeforeAfter, most: int = 60) -> str:
    """A property before and after, on one line: `offers.price: 10.00 → 12.50`."""
    before, after = (None if said is None else brief(said, most) for said in each[1:])
    if before is None:
        return f"{each.path}: + {after}"
    return f"{each.path}: - {before}" if after is None else f"{each.path}: {before} → {after}"


def brief(said: Mapping[str, str], most: int = 60) -> str:
    """A value on one line, cut where it is long; IRIs with prefixes."""
    value = shortened(said["value"]) if said["type"] == "iri" else said["value"]
    text = " ".join(value.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def name_of(change: Record) -> str:
    """What an entity is called, or its key."""
    return str(change["label"] or change["entity"])


def types_of(change: Record) -> str:
    """The names of an entity's classes; of a page without any, that it is a page."""
    names = dict.fromkeys(short_name(each) or each for each in change["types"])
    return ", ".join(names) or ("page" if change["entity"] == change["page"] else "")


def table_rows(changes: Sequence[Record]) -> Iterator[tuple[str | None, ...]]:
    """A row for each property of each change, in the order of `TABLE_COLUMNS`."""
    for change in changes:
        head = (change["at"], change["kind"], change["entity"], change["label"])
        for each in befores_and_afters(change):
            yield (
                *head,
                types_of(change),
                change["page"],
                each.path,
                None if each.before is None else each.before["value"],
                None if each.after is None else each.after["value"],
            )
