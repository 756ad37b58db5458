"""A reader: people and their homepages from CSV files with two columns."""

import csv
from collections.abc import Iterator

from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.terms import iri, known, literal, triple

media_types = ["text/csv"]
NAME = known("http://xmlns.com/foaf/0.1/name")
HOMEPAGE = known("http://xmlns.com/foaf/0.1/homepage")


def statements(document: Document) -> Iterator[Item]:
    """What a CSV file says."""
    for number, row in enumerate(csv.reader(document.text.splitlines()), 1):
        if len(row) != 2:
            yield Problem("A person has a name and a homepage.", line=number)
            continue
        person = document.blank(f"people{number}")
        yield triple(person, NAME, literal(row[0]))
        if homepage := iri(row[1]):
            yield triple(person, HOMEPAGE, homepage)
