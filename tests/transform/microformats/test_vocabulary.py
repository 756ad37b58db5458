import re
from collections.abc import Iterator
from pathlib import Path

from gossamer.transform.microformats.vocabulary import VOCABULARY, Meaning

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "vocabularies.md"
TEXT = DOCUMENT.read_text("utf-8")
SECTION = TEXT.partition("\n## Microformats\n")[2].partition("\n## ")[0]
PREFIXES = dict(re.findall(r"(?m)^\| `(\w+:)` \| `([^`]+)` \|$", TEXT))
Rows = dict[str, tuple[list[str], str]]


def expanded(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"<{PREFIXES[prefix + ':']}{local}>"


def documented() -> Iterator[tuple[str, Rows]]:
    for heading, table in re.findall(r"(?m)^(`h-.*`)\n\n((?:\|.*\n)+)", SECTION):
        rows = re.findall(r"(?m)^\| `([^`]+)` \| (.+) \| (\S+) \|$", table)
        meanings = {
            name: ([expanded(part) for part in re.findall(r"`([^`]+)`", statement)], kind)
            for name, statement, kind in rows
        }
        for root in re.findall(r"`([^`]+)`", heading):
            yield root, meanings


def path(meaning: Meaning) -> list[str]:
    between = [str(meaning.through.predicate)] if meaning.through else []
    return [*between, str(meaning.predicate)]


def test_the_properties_mean_what_the_document_says() -> None:
    coded = {
        root: {
            name: (path(meaning), str(meaning.kind))
            for name, meaning in vocabulary.properties.items()
        }
        for root, vocabulary in VOCABULARY.items()
    }
    assert coded == dict(documented())


def test_the_items_are_what_the_document_says() -> None:
    rows = re.findall(r"(?m)^\| `(h-[\w-]+)` \| `([^`]+)` \|$", SECTION)
    assert {root: str(each.class_) for root, each in VOCABULARY.items()} == {
        root: expanded(name) for root, name in rows
    }


def test_the_nodes_between_are_what_the_document_says() -> None:
    sentence = SECTION.partition("Its class is ")[2].partition("\n")[0]
    named = {
        expanded(predicate): expanded(class_)
        for class_, predicate in re.findall(r"`([^`]+)` after `([^`]+)`", sentence)
    }
    coded = {
        str(meaning.through.predicate): str(meaning.through.class_)
        for vocabulary in VOCABULARY.values()
        for meaning in vocabulary.properties.values()
        if meaning.through
    }
    assert coded == named
