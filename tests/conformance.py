"""The public conformance suites: how many of their cases pass, and which do not, with the reason.

`docs/conformance.md` is made from this table (`make docs`). The figures are not measured here: each
suite has a test of its own that holds them to be exact, which is named with the suite.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.detect.test_encoding import SUITE_CASES as ENCODING_CASES
from tests.politeness.robots.test_policy import GOOGLE_CASES, GOOGLE_DIFFERENCES, RFC_9309_CASES
from tests.sitemaps.test_read import SUITE_CASES as SITEMAP_CASES
from tests.transform.feeds.test_conformance import EXCEPTIONS as FEED_EXCEPTIONS
from tests.transform.feeds.test_conformance import VALUES as FEED_VALUES
from tests.transform.jsonld.test_conformance import (
    CASES as JSON_LD_CASES,
)
from tests.transform.jsonld.test_conformance import (
    CASES_IN_HTML as JSON_LD_CASES_IN_HTML,
)
from tests.transform.jsonld.test_conformance import (
    KNOWN_FAILURES as JSON_LD_FAILURES,
)
from tests.transform.microdata.test_microdata import SUITE_CASES as MICRODATA_CASES
from tests.transform.microformats.test_json_model import COUNTS as MF2_COUNTS
from tests.transform.microformats.test_json_model import FAILURES as MF2_FAILURES
from tests.transform.rdf.test_conformance import CASES as RDF_CASES
from tests.transform.rdf.test_conformance import EXCEPTIONS as RDF_EXCEPTIONS
from tests.transform.rdfa.test_conformance import ABOUT_IMPLIED_LINKS
from tests.transform.rdfa.test_conformance import COUNTS as RDFA_COUNTS
from tests.urls.test_canonical import ASCII_CASES, WHATWG_CASES


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A suite, its counts, and the test that holds them to be exact."""

    name: str
    what: str
    mode: str  # how its pages are read
    cases: int
    test: str
    exceptions: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def passing(self) -> int:
        """How many cases pass."""
        return self.cases - len(self.exceptions)


STRICT, USUAL, NO_MODE = "strict", "as usual", "–"
SUITES = (
    Suite(
        name="rdf",
        what="W3C: Turtle, TriG, N-Triples, N-Quads, RDF/XML",
        mode=USUAL,
        cases=RDF_CASES,
        exceptions=RDF_EXCEPTIONS,
        test="transform/rdf/test_conformance.py",
        note="By `gossamer.extract(…, keep_graphs=True)`. A wrong document passes if it has a problem.",
    ),
    Suite(
        name="feeds",
        what="values that feedparser finds in the 925 files of its own tests",
        mode=USUAL,
        cases=FEED_VALUES,
        exceptions=FEED_EXCEPTIONS,
        test="transform/feeds/test_conformance.py",
        note="Values are compared, not shapes.",
    ),
    Suite(
        name="encoding",
        what="html5lib: encodings of HTML that no header names",
        mode=NO_MODE,
        cases=ENCODING_CASES,
        test="detect/test_encoding.py",
    ),
    Suite(
        name="rdfa",
        what="RDFa 1.1, Lite, processor graph, roles, vocabularies; in HTML, XHTML, XML and SVG",
        mode=STRICT,
        cases=sum(RDFA_COUNTS.values()),
        exceptions=ABOUT_IMPLIED_LINKS,
        test="transform/rdfa/test_conformance.py",
        note="With `transform.implied_links`, all of them pass.",
    ),
    Suite(
        name="microdata-rdf",
        what="W3C note: microdata to RDF",
        mode=STRICT,
        cases=MICRODATA_CASES,
        test="transform/microdata/test_microdata.py",
    ),
    Suite(
        name="jsonld-tordf",
        what="JSON-LD 1.1 API, deserialization to RDF",
        mode=STRICT,
        cases=JSON_LD_CASES,
        exceptions=JSON_LD_FAILURES,
        test="transform/jsonld/test_conformance.py",
        note="By `gossamer.extract(…, strict=True, json_ld=…)`. Cases for JSON-LD 1.0 alone are left out.",
    ),
    Suite(
        name="jsonld-html",
        what="JSON-LD 1.1 API, HTML to RDF",
        mode=STRICT,
        cases=JSON_LD_CASES_IN_HTML,
        test="transform/jsonld/test_conformance.py",
        note="By the same call, with `extract_all_scripts`.",
    ),
    Suite(
        name="mf2",
        what="microformats.org: " + ", ".join(f"{name} ({n})" for name, n in MF2_COUNTS.items()),
        mode=USUAL,
        cases=sum(MF2_COUNTS.values()),
        exceptions=MF2_FAILURES,
        test="transform/microformats/test_json_model.py",
        note="The JSON model is compared exactly, white space included.",
    ),
    Suite(
        name="robots",
        what="RFC 9309",
        mode=NO_MODE,
        cases=RFC_9309_CASES,
        test="politeness/robots/test_policy.py",
    ),
    Suite(
        name="robots, Google's",
        what="what Google's parser does beyond the RFC",
        mode=NO_MODE,
        cases=GOOGLE_CASES,
        exceptions=GOOGLE_DIFFERENCES,
        test="politeness/robots/test_policy.py",
    ),
    Suite(
        name="sitemaps",
        what="sitemaps.org: sitemaps, indexes, text, feeds",
        mode=NO_MODE,
        cases=SITEMAP_CASES,
        test="sitemaps/test_read.py",
        note="Each plain and compressed.",
    ),
    Suite(
        name="url",
        what="WHATWG: parsing of URLs, against a base",
        mode=NO_MODE,
        cases=WHATWG_CASES,
        test="urls/test_canonical.py",
        note="Our form has no fragment and no user info, and schemes other than http and https are refused; "
        "cases are compared so. 134 more cases have a base that no page can have.",
    ),
    Suite(
        name="url, hosts",
        what="WHATWG: international host names to ASCII",
        mode=NO_MODE,
        cases=ASCII_CASES,
        test="urls/test_canonical.py",
    ),
)

_INTRODUCTION = """# Conformance

This page is for people who want to know how far Gossamer keeps to the specifications: the public suites that its tests
run, how many of their cases pass, and why the others do not.

The suites are not part of the project: CONTRIBUTING.md says where tests look for them. A test fails if a case passes or fails
that is not counted so here. "Strict" is `--strict`, reading by the letter; what differs otherwise is one table in
[extraction.md](extraction.md#real-pages-and---strict). The cache has [its own page](cache-conformance.md).

| suite | what | read | pass | of | test |
| --- | --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The text of `docs/conformance.md`, below the line that says where it comes from."""
    rows = "".join(
        f"| `{each.name}` | {each.what} | {each.mode} | {each.passing:,} | {each.cases:,} | "
        f"[`{each.test}`](../tests/{each.test}) |\n"
        for each in SUITES
    )
    return _INTRODUCTION + rows + "".join(map(_section, SUITES))


def _section(suite: Suite) -> str:
    if not suite.exceptions:
        return f"\n## {suite.name}\n\n{suite.note + ' ' if suite.note else ''}All cases pass.\n"
    reasons = Counter(suite.exceptions.values())
    lines = []
    for reason in reasons:
        ids = [f"`{case}`" for case, why in suite.exceptions.items() if why == reason]
        lines.append(f"- {reason[:1].upper()}{reason[1:]}: {', '.join(ids)}.\n")
    note = f"{suite.note}\n\n" if suite.note else ""
    return f"\n## {suite.name}\n\n{note}{len(suite.exceptions)} do not pass:\n\n{''.join(lines)}"
