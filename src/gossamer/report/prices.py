"""The rule `price-mismatch`: a price that JSON-LD, microdata, RDFa, Open Graph and the visible page tell differently."""

import re
from collections.abc import Iterator
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_names import definition
from gossamer.report.statements import TermKind
from gossamer.tables.numbers import amount
from gossamer.wording import quoted

SYNTAXES: Final = {"j": "JSON-LD", "m": "microdata", "r": "RDFa", "f": "microformats"}
LETTER_AT: Final = 19  # of the syntax in the label of a blank node: see `Document.blank`
OG_PRICES: Final = ("http://ogp.me/ns/product#price:amount", "http://ogp.me/ns#price:amount")
OPEN_GRAPH: Final = "Open Graph"
MOST_SHOWN: Final = 12  # prices in the text of a page that is about one thing
_SIGNS: Final = (*"€$£¥₹", "EUR", "USD", "GBP", "CHF")
_SIGN: Final = r"(?:[€$£¥₹]|EUR|USD|GBP|CHF)"
_SHOWN: Final = re.compile(
    rf"(?<![\w.,]){_SIGN}\s?(\d[\d.,' ]{{0,12}}\d|\d)(?!\d)|(?<![\w.,])(\d[\d.,']{{0,12}}\d|\d)\s?{_SIGN}(?!\w)"
)


def wrong_prices_between(page: RulePage) -> Iterator[Finding]:
    """Prices that one syntax has, and another has otherwise; a price in data that the page does not show."""
    things = _prices(page)
    in_graph = [each for name in OG_PRICES for each in page.values.get(name, ())]
    if len(things) == 1 and in_graph:
        (told,) = things.values()
        told.setdefault(OPEN_GRAPH, in_graph[:1])
    is_even = True
    for told in things.values():
        first, *others = told
        known = {amount(each) for each in told[first]}
        for name in others:
            # A list of things has many prices; what is said of the first alone is no contradiction.
            strange = [each for each in told[name] if amount(each) not in known]
            if strange and (len(told[name]) == 1 or len(known) == 1):
                is_even = False
                yield _mismatch(page, first, told[first][0], name, strange[0])
    if is_even and len(things) == 1:
        (told,) = things.values()
        if len({amount(each) for texts in told.values() for each in texts}) == 1:
            first = next(iter(told))
            yield from _not_shown(page, first, told[first][0])


def _prices(page: RulePage) -> dict[str, dict[str, list[str]]]:
    """The different prices of each thing, by its name or IRI, and by syntax: in the words of the page."""
    if "price" not in page.schema.names:
        return {}
    owners: dict[str, str] = {}
    names: dict[str, str] = {}
    for each in page.schema.statements:
        if each.name == "offers" and each.kind is not TermKind.TEXT:
            owners.setdefault(each.value, each.entity)
        elif each.name == "name" and each.kind is TermKind.TEXT:
            names.setdefault(each.entity, " ".join(each.value.split()).casefold())
    found: dict[str, dict[str, list[str]]] = {}
    for entity, _, text in page.schema_values(("price",)):
        if amount(text) is None or entity not in owners:
            continue
        owner = owners[entity]
        told = found.setdefault(names.get(owner) or owner, {})
        texts = told.setdefault(_syntax(entity), [])
        if text.strip() not in texts:
            texts.append(text.strip())
    return found


def _syntax(entity: str) -> str:
    """The syntax that a blank node comes from; of an IRI nobody knows."""
    letter = entity[LETTER_AT : LETTER_AT + 1] if entity.startswith("_:") else ""
    return SYNTAXES.get(letter, "the data")


def _mismatch(page: RulePage, one: str, price: str, other: str, strange: str) -> Finding:
    return Finding(
        f"The price is {quoted(price)} in {one} and {quoted(strange)} in {other}.",
        Severity.ERROR,
        page.line_of(strange, "price") or page.line_of(strange),
        fix="Have all of them written from the one price that is charged.",
        see=definition("price"),
    )


def _not_shown(page: RulePage, syntax: str, price: str) -> Iterator[Finding]:
    if price in page.visible_text:
        return
    shown = list(dict.fromkeys(_shown_prices(page)))
    if 0 < len(shown) <= MOST_SHOWN and amount(price) not in {amount(each) for each in shown}:
        yield Finding(
            f"The price is {quoted(price)} in {syntax}, and the page shows {quoted(shown[0])}.",
            Severity.WARNING,
            page.line_of(price, "price") or page.line_of(price),
            fix="Write the price that people see.",
            see=definition("price"),
        )


def _shown_prices(page: RulePage) -> Iterator[str]:
    if not any(sign in page.visible_text for sign in _SIGNS):
        return
    for found in _SHOWN.finditer(page.visible_text):
        price = (found[1] or found[2]).strip()
        if amount(price) is not None:
            yield price
