"""Sites that make up URLs without end, told by the shape of one URL.

Each check says why it refused. They work in time linear in the URL, and would
rather miss a trap than refuse a real page: what slips through is for the budgets.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Final

from gossamer.config import Traps
from gossamer.model import Refusal, Url
from gossamer.urls.calendars import dates_in
from gossamer.urls.parts import path_of
from gossamer.wording import quoted

LONGEST_RUN: Final = 8  # segments; a relative link gone wrong repeats the few it is made of

KEPT: Final = 16_384  # answers, of 35 MB at the very most

# Newspapers date their pages back to the first of them, so the past is no trap until here.
EARLIEST_YEAR: Final = 1600


TrapTest = Callable[[Url], Refusal | None]
"""None if a URL looks like a page, else which trap it looks like."""


def trapped(url: Url, now: datetime, limits: Traps) -> Refusal | None:
    """None if the URL looks like a page, else which trap it looks like."""
    return trap_test(now, limits)(url)


def trap_test(now: datetime, limits: Traps) -> TrapTest:
    """The same for those who ask about many URLs at one time."""
    return _trap_test((now.year + limits.calendar_years, now.month), limits)


@lru_cache(maxsize=4)  # months and limits seldom change
def _trap_test(latest: tuple[int, int], limits: Traps) -> TrapTest:
    # The pages of a site share most of their links.
    looks_like = lru_cache(KEPT)(partial(_looks_like, latest=latest, limits=limits))

    def test(url: Url) -> Refusal | None:
        if len(url) > limits.max_length:  # nothing is kept that could be of any length
            return Refusal(
                "trap-length",
                f"The URL has {len(url)} bytes; more than {limits.max_length} are a trap.",
            )
        return looks_like(url)

    return test


def _looks_like(url: Url, *, latest: tuple[int, int], limits: Traps) -> Refusal | None:
    path, _, query = path_of(url).partition("?")
    segments = path.removesuffix("/").split("/")[1:]
    return (
        _too_deep(segments, limits)
        or _repeating(segments, limits)
        or _runaway(query, limits)
        or _far_date(path, query, latest)
    )


def _too_deep(segments: Sequence[str], limits: Traps) -> Refusal | None:
    if len(segments) <= limits.max_path_segments:
        return None
    return Refusal(
        "trap-depth",
        f"The path has {len(segments)} segments; more than {limits.max_path_segments} are a trap.",
    )


def _repeating(segments: Sequence[str], limits: Traps) -> Refusal | None:
    if len(segments) <= limits.max_repeats:
        return None
    run = _repeated_run(segments, limits.max_repeats) or _recurring(segments, limits.max_repeats)
    if not run:
        return None
    return Refusal("trap-repeats", f"The path repeats {quoted('/' + '/'.join(run))} over and over.")


def _repeated_run(segments: Sequence[str], most: int) -> Sequence[str]:
    """A run of segments that stands more than `most` times in a row."""
    for length in range(1, min(LONGEST_RUN, len(segments) // (most + 1)) + 1):
        same = 0
        for at in range(length, len(segments)):
            same = same + 1 if segments[at] == segments[at - length] else 0
            if same == length * most and _can_trap(run := segments[at - length + 1 : at + 1]):
                return run
    return ()


def _recurring(segments: Sequence[str], most: int) -> Sequence[str]:
    """A segment that comes back, with changing ones between, twice as often as it may in a row.

    Two relative links gone wrong make such paths: `/en/news/en/about/en/news/…`.
    """
    segment, times = Counter(segments).most_common(1)[0]
    return (segment,) if times > 2 * most and _can_trap((segment,)) else ()


def _can_trap(run: Sequence[str]) -> bool:
    """Numbers alone are how tiles and archives are filed: `/tiles/0/0/0/0/3.png`."""
    return not all(segment.isdigit() for segment in run)


def _runaway(query: str, limits: Traps) -> Refusal | None:
    if not query:
        return None
    count = query.count("&") + 1
    if count > limits.max_query_parameters:
        return Refusal(
            "trap-parameters",
            f"The query has {count} parameters; more than {limits.max_query_parameters} are a trap.",
        )
    if count <= limits.max_same_parameter:
        return None
    names = Counter(parameter.partition("=")[0] for parameter in query.split("&"))
    name, times = names.most_common(1)[0]
    if times <= limits.max_same_parameter:
        return None
    return Refusal(
        "trap-parameters",
        f"The query has {quoted(name)} {times} times; "
        f"more than {limits.max_same_parameter} are a trap.",
    )


def _far_date(path: str, query: str, latest: tuple[int, int]) -> Refusal | None:
    for date in dates_in(path, query):
        if date > latest or date.year < EARLIEST_YEAR:
            return Refusal(
                "trap-calendar",
                f"It is about the year {date.year}: a calendar without end.",
            )
    return None
