"""Baselines: an earlier report in JSON, whose findings are known and fail no build. Pure.

A finding is the same as an earlier one if rule, page and message are. Lines move and blank nodes have no lasting
names, so neither counts.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from gossamer.report.finding import Finding

_DIGEST_BYTES: Final = 12


class Baseline:
    """The findings of an earlier report."""

    def __init__(self, known: frozenset[bytes] = frozenset()) -> None:
        self._known = known

    @classmethod
    def parse(cls, text: bytes) -> "Baseline":
        """The baseline in a JSON report; raises `ValueError` where it is none."""
        told = json.loads(text)
        found = told.get("findings") if isinstance(told, dict) else None
        if not isinstance(found, list):
            raise ValueError('it has no "findings"')
        return cls(frozenset(_digest(*_parts(each)) for each in found))

    def marked(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings, those that were there before marked as not new."""
        return [
            replace(each, is_new=False)
            if _digest(each.rule, each.page, each.message) in self._known
            else each
            for each in findings
        ]


def _parts(record: object) -> tuple[str, str, str]:
    match record:
        case {"rule": str(rule), "page": str(page), "message": str(message)}:
            return rule, page, message
    raise ValueError("a finding has no rule, page and message")


def fingerprint(finding: Finding) -> str:
    """What stays the same of a finding from report to report, as hexadecimal digits."""
    return _digest(finding.rule, finding.page, finding.message).hex()


def _digest(rule: str, page: str, message: str) -> bytes:
    text = "\0".join((rule, page, message)).encode(errors="replace")
    return blake2b(text, digest_size=_DIGEST_BYTES).digest()
