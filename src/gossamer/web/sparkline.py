"""Small charts as SVG, drawn by the server: complete without a script, in the colours of the page. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from markupsafe import Markup

WIDTH: Final = 180
HEIGHT: Final = 40
EDGE: Final = 2  # pixels, so that the line is not cut
GAP: Final = 4  # times the usual distance of points, from which on the line is broken


def sparkline(at: Sequence[float], values: Sequence[float | None], title: str) -> Markup:
    """A line over time from 0 to the largest value; broken where there was none for long."""
    known = [value for value in values if value is not None]
    most = max(known, default=0.0)
    label = f"{title}: {_told(min(known))} to {_told(most)}" if known else f"{title}: nothing known"
    return Markup(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<path class="spark-base" d="M0 {}H{}"/><path class="spark-line" d="{}"/></svg>'
    ).format(
        *(WIDTH, HEIGHT, label, HEIGHT - 1, WIDTH),
        "".join(_steps(at, values, most or 1.0)),
    )


def _steps(at: Sequence[float], values: Sequence[float | None], most: float) -> Iterator[str]:
    span = (at[-1] - at[0]) or 1.0
    steps = [after - earlier for earlier, after in pairwise(at)]
    usual = median(steps) if steps else span
    before: float | None = None
    for moment, value in zip(at, values, strict=True):
        if value is None:
            before = None
            continue
        x = EDGE + (moment - at[0]) / span * (WIDTH - 2 * EDGE)
        y = EDGE + (1 - max(value, 0.0) / most) * (HEIGHT - 2 * EDGE)
        is_broken = before is None or moment - before > GAP * usual
        yield f"{'M' if is_broken else 'L'}{x:.1f} {y:.1f}"
        before = moment


def _told(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value % 1 == 0 else f"{value:,.1f}"
