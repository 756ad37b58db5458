"""A rule of reports: a product that nobody offers is probably a mistake in a shop."""

from collections.abc import Iterator

from pyoxigraph import NamedNode

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage, entity_name

PRODUCT = NamedNode("http://schema.org/Product")
OFFERS = NamedNode("http://schema.org/offers")


def products_have_offers(page: RulePage) -> Iterator[Finding]:
    """A finding for each product of a page that has no offer."""
    products = dict.fromkeys(quad.subject for quad in page.quads if quad.object == PRODUCT)
    offered = {quad.subject for quad in page.quads if quad.predicate == OFFERS}
    for product in products:
        if product not in offered:
            yield Finding(
                "A product has no offer.",
                Severity.WARNING,
                entity=entity_name(product),
                fix="Add offers, with a price and its currency.",
            )
