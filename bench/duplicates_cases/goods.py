"""Pages made from templates, of which it is known which are the same thing: shops, tables, articles, lists."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from gossamer.duplicates.likeness import ComparedPage, likeness
from gossamer.duplicates.sketch import Sketch
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob

WORDS = 3_000
Body = Callable[[random.Random, "Template", int], tuple[str, str, dict[str, object] | None]]
"""Title, text and data of the page with a number."""


@dataclass(frozen=True)
class Template:
    """What the pages of one family share."""

    words: list[str]
    menu: str
    about: str
    footer: str

    @classmethod
    def of(cls, chance: random.Random) -> "Template":
        """A template with as much text around its pages as sites have."""
        words = [
            f"{chance.choice('bdfgklmnprst')}{chance.randrange(1 << 30):x}" for _ in range(WORDS)
        ]

        def some(least: int, most: int) -> str:
            return " ".join(chance.choices(words, k=chance.randrange(least, most)))

        return cls(words, some(20, 60), some(60, 300), some(20, 80))


def _good(
    chance: random.Random, template: Template, number: int
) -> tuple[str, str, dict[str, object]]:
    """Goods that differ in their number and nothing else that anybody sees."""
    data: dict[str, object] = {"@type": "Product", "name": "The good", "sku": f"{number:06}"}
    return "The good", f"{template.about} No. {number}", data


def _priced(
    chance: random.Random, template: Template, number: int
) -> tuple[str, str, dict[str, object]]:
    """Goods that differ in name and price."""
    name = f"Model {chance.choice(template.words)} {number}"
    data: dict[str, object] = {"@type": "Product", "name": name, "price": f"{number}.90"}
    return name, f"{name} {template.about} {number}.90 EUR", data


def _hidden(
    chance: random.Random, template: Template, number: int
) -> tuple[str, str, dict[str, object]]:
    """One text, and data that differs."""
    data: dict[str, object] = {"@type": "Event", "name": "The event", "startDate": f"2026-{number}"}
    return "The event", template.about, data


def _article(chance: random.Random, template: Template, number: int) -> tuple[str, str, None]:
    """Articles without data; one title for all of them, a few sentences of their own."""
    own = " ".join(chance.choices(template.words, k=chance.randrange(30, 200)))
    return "An article", f"{template.about} {own}", None


def _listed(chance: random.Random, template: Template, number: int) -> tuple[str, str, None]:
    """Pages of one list: the same title, other entries."""
    own = " ".join(f"{chance.choice(template.words)} {number}-{place}" for place in range(20))
    return "The list", f"{template.menu} {own}", None


def _titled(chance: random.Random, template: Template, number: int) -> tuple[str, str, None]:
    """Pages that differ in title alone, and in the one word of their text that it stands in."""
    name = chance.choice(template.words)
    return f"{name} {number}", f"{template.about} {name}", None


FAMILIES: tuple[Body, ...] = (_good, _priced, _hidden, _article, _listed, _titled)


def page(template: Template, url: str, title: str, text: str, data: object) -> ComparedPage:
    """A page as a worker reads it."""
    block = (
        "" if data is None else f"<script type='application/ld+json'>{json.dumps(data)}</script>"
    )
    html = (
        f"<title>{title}</title><nav>{template.menu}</nav><p>{text}</p>{block}"
        f"<footer>{template.footer}</footer>"
    )
    read = extract_page(PageJob(url, html.encode(), "text/html; charset=utf-8", hashes=True))
    return ComparedPage(hash(url), Sketch.unpack(read.sketch), quads=read.count)


def _families(pages: int, families: int) -> Iterator[list[ComparedPage]]:
    chance = random.Random(11)
    for family in range(families):
        template, body = Template.of(chance), FAMILIES[family % len(FAMILIES)]
        yield [
            page(template, f"http://site{family}.test/{number}", *body(chance, template, number))
            for number in range(pages)
        ]


def false_merges(pages: int, families: int) -> tuple[int, int]:
    """How many pairs of different pages were compared, and how many were taken for one page."""
    compared = wrong = 0
    for family in _families(pages, families):
        for one, other in combinations(family, 2):
            compared += 1
            wrong += likeness(one, other) is not None
    return compared, wrong


def found(pages: int) -> float:
    """The share of pages that are found at a second address, with a session in it and another date on them."""
    chance, same = random.Random(12), 0
    for number in range(pages):
        template = Template.of(chance)
        title, text, data = FAMILIES[number % len(FAMILIES)](chance, template, number)
        one, other = (
            page(template, f"http://a.test/{number}{query}", title, f"{text} {date}", data)
            for query, date in (("", "12 May"), ("?sid=1", chance.choice(("12 May", "13 May"))))
        )
        same += likeness(one, other) is not None
    return same / pages
