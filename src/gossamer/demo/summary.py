"""What a world holds, counted: for people who look at it, and for `gossamer demo`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gossamer.demo.chance import mix
from gossamer.demo.content import Format
from gossamer.demo.names import host_name, site_name
from gossamer.demo.rendering import rendered
from gossamer.demo.robots import RobotsKind
from gossamer.demo.world import World
from gossamer.model import Url

MOST_COUNTED = 10_000  # pages; a larger world is counted by a sample
SAMPLED = 2_000  # of which
_SAMPLE = 31  # salt


@dataclass(frozen=True, slots=True)
class WorldSummary:
    """The figures of a world."""

    pages: int
    hosts: int
    sites: int
    formats: Mapping[Format, int]  # pages by format
    robots: Mapping[RobotsKind, int]  # hosts by kind of robots.txt
    quads: int
    exact: bool  # else formats and quads are estimates from a sample
    examples: Mapping[Format, Url]  # a page of each format


def summary(world: World) -> WorldSummary:
    """Count what a world holds: every page of it, or a sample if it is very large."""
    numbers = _numbers(world)
    formats: Counter[Format] = Counter()
    examples: dict[Format, Url] = {}
    quads = 0
    for number in numbers:
        page = world.page(number)
        formats[page.format] += 1
        examples.setdefault(page.format, page.url)
        quads += rendered(world, page).quads
    counted = len(numbers)
    return WorldSummary(
        pages=world.pages,
        hosts=world.hosts,
        sites=len({site_name(host_name(host)) for host in range(world.hosts)}),
        formats={each: formats[each] * world.pages // counted for each in sorted(formats)},
        robots=dict(Counter(world.robots(host) for host in range(world.hosts))),
        quads=quads * world.pages // counted,
        exact=counted == world.pages,
        examples=dict(sorted(examples.items())),
    )


def _numbers(world: World) -> Sequence[int]:
    if world.pages <= MOST_COUNTED:
        return range(world.pages)
    # By chance, not every nth: formats come in cycles.
    return [mix(world.seed, nth, _SAMPLE) % world.pages for nth in range(SAMPLED)]
