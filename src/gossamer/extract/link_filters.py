"""Link filters of other packages, by entry points in the group `gossamer.links`.

A filter is a function that is given the address of a page and those of its links, and returns the ones that a
crawl may follow. It runs in the worker that reads the page, within the page's limits, and can only leave links
out. One that raises is named in a problem of the page, and has no say about it. See docs/plugins.md.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Final

from gossamer.model import Problem, Url

GROUP: Final = "gossamer.links"
LinkFilter = Callable[[str, list[str]], Iterable[str]]


def has_filters() -> bool:
    """Whether there are any, or any that do not load."""
    return any(_installed())


def filter_links(
    page: str, vouched: list[Url], unvouched: list[Url]
) -> tuple[list[Url], list[Url], Sequence[Problem]]:
    """The links of a page that all filters let through; and what is wrong with filters."""
    filters, problems = _installed()
    if not filters or not (vouched or unvouched):
        return vouched, unvouched, problems
    found = list(problems)
    for name, links in filters:
        try:
            kept = set(links(page, [*vouched, *unvouched]))
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            why = f"{type(error).__name__}: {error}".partition("\n")[0][:160].rstrip(": .")
            found.append(Problem(f"The link filter {name} failed: {why}.", name))
            continue
        vouched = [url for url in vouched if url in kept]
        unvouched = [url for url in unvouched if url in kept]
    return vouched, unvouched, found


@lru_cache(maxsize=1)
def _installed() -> tuple[list[tuple[str, LinkFilter]], tuple[Problem, ...]]:
    """The installed filters, and what is wrong with those that do not load."""
    filters: list[tuple[str, LinkFilter]] = []
    problems = []
    for each in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
        try:
            filters.append((each.name, each.load()))
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            why = f"{type(error).__name__}: {error}".partition("\n")[0][:160].rstrip(": .")
            problems.append(
                Problem(f"The link filter {each.name} cannot be loaded: {why}.", each.name)
            )
    return filters, tuple(problems)
