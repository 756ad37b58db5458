"""A thing with its neighbours around it, drawn without a script: where each of them goes. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gossamer.service.neighbours import Neighbour
from gossamer.web.wording import clean, middle, short

MOST: Final = 12  # more would be a thicket
WIDTH: Final = 480
HEIGHT: Final = 340
_CENTRE: Final = (WIDTH / 2, HEIGHT / 2)
_REACH: Final = (145.0, 125.0)
_LONGEST: Final = 20  # characters of a name


@dataclass(frozen=True, slots=True)
class Point:
    """A neighbour, and where it is drawn."""

    id: str
    name: str
    by: str  # which properties link the two
    leads_here: bool
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    text_x: float
    text_y: float


def star(neighbours: Sequence[Neighbour], most: int = MOST) -> Sequence[Point]:
    """The first of the neighbours, those with names before others, on an ellipse."""
    found: dict[str, list[Neighbour]] = {}
    for each in sorted(neighbours, key=lambda each: each.label is None):
        found.setdefault(each.id, []).append(each)
    chosen = list(found.values())[:most]
    return [_point(links, place, len(chosen)) for place, links in enumerate(chosen)]


def _point(links: Sequence[Neighbour], place: int, count: int) -> Point:
    angle = 2 * math.pi * (place + 0.5) / count - math.pi / 2
    x, y = math.cos(angle), math.sin(angle)
    anchor: Literal["start", "middle", "end"] = "middle"
    if abs(x) > 0.3:
        anchor = "start" if x > 0 else "end"
    first = links[0]
    at = _CENTRE[0] + _REACH[0] * x * 0.8, _CENTRE[1] + _REACH[1] * y
    aside = 0.0 if anchor == "middle" else math.copysign(11, x)
    return Point(
        id=first.id,
        name=middle(clean(first.label) if first.label else short(first.id), _LONGEST),
        by=", ".join(dict.fromkeys(each.name for each in links)),
        leads_here=first.leads_here,
        x=round(at[0], 1),
        y=round(at[1], 1),
        anchor=anchor,
        text_x=round(at[0] + aside, 1),
        text_y=round(at[1] + (4 if aside else math.copysign(17, y) + 4), 1),
    )
