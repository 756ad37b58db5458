"""What a report says: one thing that is wrong with a page, how bad that is, and how to mend it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


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
    file: str | None = None  # that the page was read from, where it was one
    is_new: bool = True  # not in the baseline, if there is one


class FactKind(StrEnum):
    """What a fact of a page is about."""

    ENTITY = "entity"  # an IRI, its types and its name
    KEY = "key"  # an IRI, and a number or address that belongs to one thing alone
    SAME_AS = "same-as"  # an IRI, and what it is said to be the same as
    IMAGE = "image"  # an entity and the address of a picture
    CRUMB = "crumb"  # a list, and the address of one of its items
    CANONICAL = "canonical"
    HREFLANG = "hreflang"  # a language, and the address of the page in it
    NOINDEX = "noindex"  # where that is said
    USES = "uses"  # a type, and the properties that things of it have
    LISTED = "listed"  # an address that a sitemap lists


class PageFact(NamedTuple):
    """Something that a page says which is compared with other pages and with what was fetched."""

    kind: FactKind
    subject: str
    value: str
    more: str = ""
    line: int | None = None
