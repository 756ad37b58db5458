"""Lays out an entity and its neighbours for a static drawing. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gossamer.index.graph.blanks import SCHEME
from gossamer.service.entity import Neighbour
from gossamer.web.wording import clean, short

MOST: Final = 12  # more would be a thicket
WIDTH: Final = 400
HEIGHT: Final = 300
_CENTRE: Final = (WIDTH / 2, HEIGHT / 2)
_REACH: Final = (62.0, 118.0)
_LONGEST: Final = 18  # characters of a name


@dataclass(frozen=True, slots=True)
class Point:
    """A neighbour, and its position in the drawing."""

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
    """Place the first neighbours, named ones first, on an ellipse."""
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
    at = _CENTRE[0] + _REACH[0] * x, _CENTRE[1] + _REACH[1] * y
    aside = 0.0 if anchor == "middle" else math.copysign(11, x)
    return Point(
        id=first.id,
        name=_name(first),
        by=", ".join(dict.fromkeys(each.name for each in links)),
        leads_here=first.leads_here,
        x=round(at[0], 1),
        y=round(at[1], 1),
        anchor=anchor,
        text_x=round(at[0] + aside, 1),
        text_y=round(at[1] + (4 if aside else math.copysign(17, y) + 4), 1),
    )


def _name(link: Neighbour) -> str:
    """What a neighbour is called; one without a name is what it is to the thing."""
    if link.label:
        label = clean(link.label)
        return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1].rstrip()}…"
    return link.name if link.id.startswith(SCHEME) else short(link.id, _LONGEST)
