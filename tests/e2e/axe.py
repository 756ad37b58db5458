"""axe-core asks of a page what can be asked by a program about who can use it."""

from typing import Any

from playwright.sync_api import Page
from tests.e2e.conftest import AXE

SERIOUS = ("serious", "critical")


ALL: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS: dict[str, Any] = {**ALL, "runOnly": ["color-contrast"]}


def violations(page: Page, options: dict[str, Any] = ALL) -> list[str]:
    """What is seriously wrong, a line each."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{each['id']} ({each['impact']}): {node['target']} {node['html'][:160]}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"][:3]
    ]
