"""Classic microformats: maps their class names and rel values to microformats 2.

The rules of microformats.org for parsers that meet pages from before microformats 2, and for
the formats which those leave out (hListing, hNews) the same in their spirit.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Property(NamedTuple):
    """A property: its name, and how to read its value."""

    prefix: str  # p, u, dt, e; or tag, for links that say it in their address
    name: str


class Rule(NamedTuple):
    """What a class name in a classic microformat maps to."""

    property: Property
    root: str | None  # the classic microformat that the element is, unless it names one itself


class Format(NamedTuple):
    """The rules of one classic microformat."""

    type: str  # its name today
    rules: Mapping[str, Rule]  # by class name
    rels: Mapping[str, Rule]  # by rel value


# Each word: the old name, the new one, and after a colon the classic root that comes with it.
# A name that has not changed is written once: `p-note` is short for `note=p-note`.
_ADDRESS: Final = """
p-street-address p-extended-address p-locality p-region p-postal-code p-post-office-box
p-country-name
"""
_PERSON: Final = """
p-honorific-prefix p-given-name p-additional-name p-family-name p-honorific-suffix p-nickname
u-email p-tel u-url u-uid u-photo u-logo u-sound u-key dt-bday p-category p-note p-role p-label
p-org p-organization-name p-organization-unit p-latitude p-longitude
fn=p-name title=p-job-title adr=p-adr:adr geo=p-geo:geo
p-agent dt-rev p-tz p-sort-string p-mailer p-class
"""
_RATING: Final = "p-rating p-average p-best p-worst p-count p-votes"
_FORMATS: Final = {
    "adr": ("h-adr", _ADDRESS, ""),
    "geo": ("h-geo", "p-latitude p-longitude p-altitude", ""),
    "vcard": ("h-card", _PERSON + _ADDRESS, ""),
    "vevent": (
        "h-event",
        """summary=p-name dtstart=dt-start dtend=dt-end dt-duration p-description u-url
        p-category p-location p-attendee p-organizer p-contact geo=p-location:geo dt-rdate u-uid""",
        "",
    ),
    "hentry": (
        "h-entry",
        """entry-title=p-name entry-summary=p-summary entry-content=e-content dt-published
        dt-updated author=p-author:vcard p-category geo=p-geo:geo""",
        "bookmark=u-url tag=tag-category",
    ),
    "hfeed": (
        "h-feed",
        """author=p-author:vcard u-url u-photo p-category site-title=p-name title=p-name
        site-description=p-summary description=p-summary""",
        "tag=tag-category",
    ),
    "hnews": (
        "h-news",
        """entry=p-entry:hentry source-org=p-source-org:vcard dateline=p-dateline:vcard
        geo=p-geo:geo""",
        "principles=u-principles",
    ),
    "hrecipe": (
        "h-recipe",
        """fn=p-name p-ingredient p-yield e-instructions dt-duration u-photo p-summary
        author=p-author:vcard dt-published p-nutrition p-category""",
        "tag=tag-category",
    ),
    "hresume": (
        "h-resume",
        """p-summary contact=p-contact:vcard education=p-education:vevent
        experience=p-experience:vevent p-skill affiliation=p-affiliation:vcard p-publications""",
        "",
    ),
    "hreview": (
        "h-review",
        f"""summary=p-name item=p-item:item fn=p-item:item reviewer=p-author:vcard
        dtreviewed=dt-published description=e-content {_RATING}""",
        "tag=tag-category bookmark=u-url",
    ),
    "hreview-aggregate": (
        "h-review-aggregate",
        f"summary=p-name item=p-item:item fn=p-item:item description=e-content {_RATING}",
        "tag=tag-category",
    ),
    "hproduct": (
        "h-product",
        """fn=p-name u-photo p-brand p-category p-description u-identifier u-url
        review=p-review:hreview p-price""",
        "tag=tag-category",
    ),
    "hlisting": (
        "h-listing",
        """p-action lister=p-lister:vcard item=p-item:item p-price p-description summary=p-name
        dtlisted=dt-published dtexpired=dt-expires u-url u-photo""",
        "tag=tag-category permalink=u-url",
    ),
}
# What a review or listing is about has no root class of its own: `item` serves as one there.
_ITEM: Final = ("h-item", "fn=p-name u-url u-photo", "")


def _rule(row: str) -> tuple[str, Rule]:
    old, _, new = row.rpartition("=")
    names, _, root = new.partition(":")
    prefix, _, name = names.partition("-")
    return old or name, Rule(Property(prefix, name), root or None)


def _rules(rows: str) -> Mapping[str, Rule]:
    return dict(_rule(row) for row in rows.split())


FORMATS: Final[Mapping[str, Format]] = {
    root: Format(type_, _rules(rows), _rules(rels))
    for root, (type_, rows, rels) in {**_FORMATS, "item": _ITEM}.items()
}
CLASSIC_ROOTS: Final = frozenset(_FORMATS)
CLASSIC_RELS: Final = frozenset(rel for format_ in FORMATS.values() for rel in format_.rels)
