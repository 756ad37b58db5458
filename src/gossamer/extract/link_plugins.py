"""What other packages say about a page's links, by entry points: filters and priorities. See docs/plugins.md.

A filter (`gossamer.links`) is given the address of a page and those of its links, and returns the ones that a crawl may
follow; it can only leave links out. A priority (`gossamer.priorities`) is given the address of a page and what the page
says as N-Quads, and returns points for all its links. Both run in the worker that reads the page, within the
page's limits. One that raises is named in a problem of the page, and has no say about it.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from gossamer.model import Problem, Url

FILTERS: Final = "gossamer.links"
PRIORITIES: Final = "gossamer.priorities"
MOST_POINTS: Final = 1000  # up or down, of all packages together: as much as the whole scale
_KINDS: Final = {FILTERS: "link filter", PRIORITIES: "priority"}
Named = tuple[str, Callable[..., Any]]


def has_filters() -> bool:
    """Whether there are any, or any that do not load."""
    return any(_installed(FILTERS))


def has_priorities() -> bool:
    """Whether there are any, or any that do not load."""
    return any(_installed(PRIORITIES))


def filter_links(
    page: str, vouched: list[Url], unvouched: list[Url]
) -> tuple[list[Url], list[Url], Sequence[Problem]]:
    """The links of a page that all filters let through; and what is wrong with filters."""
    filters, problems = _installed(FILTERS)
    if not filters or not (vouched or unvouched):
        return vouched, unvouched, problems
    found = list(problems)
    for name, links in filters:
        try:
            said: Iterable[str] = links(page, [*vouched, *unvouched])
            kept = set(said)
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            found.append(_failed(FILTERS, name, "failed", error))
            continue
        vouched = [url for url in vouched if url in kept]
        unvouched = [url for url in unvouched if url in kept]
    return vouched, unvouched, found


def link_points(page: str, nquads: bytes) -> tuple[int, Sequence[Problem]]:
    """The points that all links of a page have from priorities; and what is wrong with these."""
    priorities, problems = _installed(PRIORITIES)
    found, points = list(problems), 0.0
    for name, given in priorities:
        try:
            points += _bounded(float(given(page, nquads)))
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            found.append(_failed(PRIORITIES, name, "failed", error))
    return round(_bounded(points)), found


@lru_cache(maxsize=2)
def _installed(group: str) -> tuple[tuple[Named, ...], tuple[Problem, ...]]:
    """The installed plug-ins of a group, and what is wrong with those that do not load."""
    from importlib.metadata import entry_points  # which brings mail and ZIP files along: on request

    loaded: list[Named] = []
    problems = []
    for each in sorted(entry_points(group=group), key=lambda each: (each.name, each.value)):
        try:
            loaded.append((each.name, each.load()))
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            problems.append(_failed(group, each.name, "cannot be loaded", error))
    return tuple(loaded), tuple(problems)


def _bounded(points: float) -> float:
    if math.isnan(points):
        raise ValueError("not a number of points")
    return min(max(points, -MOST_POINTS), MOST_POINTS)


def _failed(group: str, name: str, what: str, error: Exception) -> Problem:
    why = f"{type(error).__name__}: {error}".partition("\n")[0][:160].rstrip(": .")
    return Problem(f"The {_KINDS[group]} {name} {what}: {why}.", name)
