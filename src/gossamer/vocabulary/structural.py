"""Structural classes: things that exist only as a part of others, such as a breadcrumb or a logo. Pure.

Pages describe far more of them than of what people look for. A list item is called what the product is
called that it leads to, and a logo what its organisation is called; search shows them last.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary.hierarchy import SCHEMA, plain, subclasses

# With all their subclasses. A list is none of them: "Ten best films" is what somebody looks for.
_OF_SCHEMA: Final = """
Action ActionAccessSpecification AlignmentObject BreadcrumbList DataDownload
DigitalDocumentPermission EntryPoint Enumeration ImageObject ListItem Offer PropertyValueSpecification
Quantity Rating Role SpeakableSpecification StructuredValue VirtualLocation WebPageElement
"""
_OF_OTHERS: Final = """
as:Image as:Link as:Mention foaf:Image geo:Point gr:BusinessEntityType
gr:OpeningHoursSpecification gr:PriceSpecification gr:QuantitativeValue
gr:QuantitativeValueFloat gr:QuantitativeValueInteger gr:UnitPriceSpecification rdf:Alt rdf:Bag
rdf:List rdf:Seq vcard:Address vcard:Home vcard:Work
"""


def is_structural(types: Iterable[str]) -> bool:
    """Whether all classes of a thing are structural; a thing without any is not."""
    found = [plain(each) in _structural() for each in types]
    return bool(found) and all(found)


@cache
def _structural() -> frozenset[str]:
    of_schema = (subclasses(SCHEMA + name) for name in _OF_SCHEMA.split())
    others = (name.partition(":") for name in _OF_OTHERS.split())
    return frozenset().union(*of_schema, (PREFIXES[prefix] + local for prefix, _, local in others))
