"""Causes: findings that differ in values alone have one cause, and are mended in one way. Pure."""

import re
from typing import Final

from gossamer.report.finding import Finding

_VALUE: Final = re.compile(r'"[^"]*"')
_NUMBER: Final = re.compile(r"(?<![\w.-])\d[\d,.]*(?![\w-])")
ANY: Final = "…"


def cause_of(finding: Finding) -> str:
    """The message without the values that it quotes; names of terms stay where the rule is about names."""
    if finding.rule in ("unknown-type", "unknown-property", "unknown-value", "unknown-term"):
        return finding.message
    return _NUMBER.sub(ANY, _VALUE.sub(ANY, finding.message))


def mend_of(finding: Finding) -> str:
    """How findings of this cause are mended; the values of one of them are an example."""
    return finding.fix or ""
