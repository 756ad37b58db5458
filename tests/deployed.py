"""What the monitoring in `deploy/` asks for."""

import json
import re
from pathlib import Path
from typing import Final

DEPLOY: Final = Path(__file__).resolve().parent.parent / "deploy"
METRIC: Final = re.compile(r"\bgossamer_\w+")


def board_queries() -> list[str]:
    """The queries of the board, panel by panel."""
    panels = json.loads((DEPLOY / "grafana/gossamer.json").read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel.get("targets", ())]


def metrics_asked_for() -> set[str]:
    """The metrics in the queries of the board and of the alerts."""
    alerts = re.findall(r"(?m)expr: (?:>-\n(?:\s+.*\n)+?(?=\s+for:)|.*)", _alerts())
    return {name for query in [*board_queries(), *alerts] for name in METRIC.findall(query)}


def _alerts() -> str:
    return (DEPLOY / "alerts.yml").read_text()
