"""What a report says: one thing that is wrong with a page, how bad that is, and how to mend it."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"  # data is lost, or says something that is not so
    WARNING = "warning"  # some readers will understand it, others not
    INFO = "info"

    def is_at_least(self, other: "Severity") -> bool:
        """Whether this is as bad as the other, or worse."""
        order = list(Severity)
        return order.index(self) <= order.index(other)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a page. A rule need not fill in `rule` and `page`: whoever runs it does."""

    message: str  # a sentence
    severity: Severity = Severity.WARNING
    line: int | None = None  # of the page as it was decoded; None where it is not known
    entity: str | None = None  # the IRI or blank node that it is about
    fix: str | None = None  # a sentence that says what to do
    rule: str = ""
    page: str = ""  # its URL
    see: str | None = None  # the address of what defines the term or asks for it
