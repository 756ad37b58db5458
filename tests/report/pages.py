"""Pages with mistakes, as rules see them."""

import json

import gossamer
from gossamer.report.page import RulePage


def rule_page(*things: object, more: str = "") -> RulePage:
    """A page that says these things in JSON-LD, each in a line of its own."""
    blocks = "\n".join(
        f'<script type="application/ld+json">{json.dumps(thing, ensure_ascii=False)}</script>'
        for thing in things
    )
    text = f"<!doctype html>\n<title>A page</title>\n{blocks}\n{more}"
    return RulePage(gossamer.extract(text, url="http://a.test/"), lambda: text)


def schema(kind: str, **properties: object) -> dict[str, object]:
    """A thing in the vocabulary of schema.org."""
    return {"@context": "https://schema.org", "@type": kind, **properties}
