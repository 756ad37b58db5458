"""Reports as one HTML file: no script, nothing loaded, light and dark, made to be printed too."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from gossamer.report.summary import ReportSummary
from gossamer.report.trend import ReportRun, meta_element
from gossamer.report.view import report_view, trend_points

TREND_WIDTH: Final = 240
TREND_HEIGHT: Final = 40
_LINK: Final = re.compile(r"https?://[!#-;=?-~]+")


def html_report(summary: ReportSummary, runs: Sequence[ReportRun], of: str) -> str:
    """The file; the last of the runs is this one."""
    return _template().render(
        view=report_view(summary, runs),
        of=of,
        at=runs[-1].at,
        meta=Markup(meta_element(runs)),  # noqa: S704 (escaped where it is made)
        trend=trend_points(runs, TREND_WIDTH, TREND_HEIGHT),
        trend_size=(TREND_WIDTH, TREND_HEIGHT),
    )


def is_link(text: str | None) -> bool:
    """Whether a text may be linked: what a WARC file calls an address may be a script."""
    return text is not None and _LINK.fullmatch(text) is not None


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["link"] = is_link
    environment.filters["counted"] = lambda n, thing: f"{n:,} {thing}{'' if n == 1 else 's'}"
    environment.filters["number"] = lambda n: f"{n:,}"
    return environment.get_template("report.html")
