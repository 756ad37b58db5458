"""Pages that took the whole process down, by way of recursion in a native parser.

All attacks run in one process of their own, which tells what came of each before it begins the
next: the first that is missing is the one that ended it.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from gossamer import extract

SIZE = 20_000  # how many of a kind; what ended the process before had 5,000 to 20,000
Attack = Callable[[int], tuple[str, bytes]]
"""From a size to a media type and a body."""

GOOD_BLOCK = b'{"@context": "https://schema.org", "@id": "http://h.test/x", "name": "good"}'
GOOD_TURTLE = b'<http://h.test/x> <http://schema.org/name> "good" .\n'
GOOD = b'<http://h.test/x> <http://schema.org/name> "good"'


def page(block: bytes) -> tuple[str, bytes]:
    """A page with a hostile block before a good one."""
    script = b'<script type="application/ld+json">%b</script>'
    return "text/html", script % block + script % GOOD_BLOCK


def with_context(definition: Callable[[int], Any]) -> Attack:
    """A chain of terms."""
    return lambda size: page(
        json.dumps({"@context": {f"t{i}": definition(i) for i in range(size)}, "t0": 1}).encode()
    )


def nested(opening: bytes, inmost: bytes, closing: bytes, depth: int | None = None) -> Attack:
    """JSON of some depth."""
    return lambda size: page(opening * (depth or size) + inmost + closing * (depth or size))


def rdf(media_type: str, before: bytes, opening: bytes, inmost: bytes, closing: bytes) -> Attack:
    """Terms within terms, in an RDF syntax."""
    return lambda size: (
        media_type,
        GOOD_TURTLE + before + opening * size + inmost + closing * size + b" .\n",
    )


NODE = b"<http://h.test/a> <http://h.test/b> "
ATTACKS: Mapping[str, Attack] = {
    "terms whose prefix is the next term": with_context(lambda i: f"t{i + 1}:x"),
    "the same with definitions": with_context(lambda i: {"@id": f"t{i + 1}:x"}),
    "terms that are aliases of the next": with_context(lambda i: f"t{i + 1}"),
    "terms whose type is the next": with_context(
        lambda i: {"@id": "http://h.test/", "@type": f"t{i + 1}"}
    ),
    "terms that reverse the next": with_context(lambda i: {"@reverse": f"t{i + 1}:x"}),
    "terms in a circle": with_context(lambda i: f"t{(i + 1) % SIZE}:x"),
    "chains in contexts within contexts": lambda _: page(
        json.dumps({"@context": _levels(120), "t0": 1}).encode()
    ),
    "contexts within contexts": lambda _: page(json.dumps({"@context": _levels(200, 1)}).encode()),
    "arrays": nested(b"[", b"", b"]"),
    "objects": nested(b'{"http://h.test/p":', b"1", b"}"),
    "objects as deep as may be": nested(b'{"http://h.test/p":', b"1", b"}", 511),
    "lists as deep as may be": nested(b'{"http://h.test/p":{"@list":[', b"1", b"]}}", 170),
    "graphs as deep as may be": nested(b'{"@graph":[', b'{"http://h.test/p":1}', b"]}", 255),
    "triple terms in Turtle": rdf("text/turtle", NODE, b"<<( " + NODE, b"1", b" )>>"),
    "triple terms behind comments": rdf("text/turtle", NODE, b"<<( # )>>\n" + NODE, b"1", b" )>>"),
    "triple terms in TriG": rdf("application/trig", NODE, b"<<( " + NODE, b"1", b" )>>"),
    "triple terms in N-Triples": rdf(
        "application/n-triples", NODE, b"<<( " + NODE, b'"1"', b" )>>"
    ),
    "triple terms in N-Quads": rdf("application/n-quads", NODE, b"<<( " + NODE, b'"1"', b" )>>"),
    "reifying triples": rdf("text/turtle", b"", b"<< ", NODE + b"1", b" >> <http://h.test/b> 1"),
    "annotations": rdf("text/turtle", NODE + b"1", b" {| <http://h.test/b> 1", b"", b" |}"),
    "collections": rdf("text/turtle", NODE, b"(", b"", b")"),
    "blank nodes": rdf("text/turtle", NODE, b"[ <http://h.test/b> ", b"1", b"]"),
}
REFUSED = {name for name in ATTACKS if name.startswith(("term", "the same", "chains", "triple"))}


def _levels(count: int, chain: int = 20) -> Any:
    """Contexts of terms, one within the other, each with a chain of terms that leads to it."""
    context: Any = {"end": "http://h.test/"}
    for _ in range(count):
        terms: dict[str, Any] = {f"t{i}": f"t{i + 1}:x" for i in range(chain)}
        terms[f"t{chain}"] = {"@id": "http://h.test/", "@context": context}
        context = terms
    return context


def run(name: str, size: int) -> dict[str, Any]:
    """What comes of one attack."""
    media_type, body = ATTACKS[name](size)
    found = extract(body, url="http://h.test/", content_type=media_type)
    problems = [problem.message for problem in found.problems]
    return {"name": name, "good": GOOD in found.nquads, "problems": problems}


@cache
def outcomes(size: int) -> tuple[Mapping[str, Any], int]:
    """What comes of all attacks, in a process of their own, and how that ended."""
    command = (
        "import sys, json; from tests.hostile.test_native_parsers import *\n"
        "for name in ATTACKS: print(json.dumps(run(name, int(sys.argv[1]))), flush=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", command, str(size)], capture_output=True, check=False
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {each["name"]: each for each in found}, done.returncode


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_that_nests_takes_the_process_down(name: str, full_size: bool) -> None:
    found, code = outcomes(20 * SIZE if full_size else SIZE)
    assert name in found, f"the process ended with {code}"
    assert found[name]["good"], "the good data of the page is lost"
    if name in REFUSED:
        assert found[name]["problems"], "nobody is told"


def test_terms_that_lean_on_each_other_as_usual_are_read() -> None:
    terms = {f"t{i}": f"base:{i}" for i in range(1000)}
    context = {"root": "http://h.test/", "base": "root:v#", **terms}
    body = json.dumps({"@context": context, "t7": "good"}).encode()
    found = extract(body, url="http://h.test/", content_type="application/ld+json")
    assert b'<http://h.test/v#7> "good"' in found.nquads
    assert not found.problems
