"""The host languages of RDFa, and what each adds to its rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gossamer.transform.rdfa.context import TERMS, XHTML_TERMS


@dataclass(frozen=True, slots=True)
class Host:
    """What a host language changes in the rules of RDFa Core."""

    name: str
    terms: Mapping[str, str]
    implied_subjects: bool = False  # `head` and `body` speak of what their parent speaks of
    times: bool = False  # `datetime` and `time` give typed literals
    plain_rel_yields: bool = False  # beside `property`, words in `rel` are HTML's own
    xml_base: bool = False
    html_language: bool = False  # `lang` counts beside `xml:lang`
    copies: bool = False  # `rdfa:copy` takes over what a pattern says


HTML: Final = Host(
    "html",
    TERMS,
    implied_subjects=True,
    times=True,
    plain_rel_yields=True,
    html_language=True,
    copies=True,
)
"""HTML+RDFa: HTML 4, HTML 5 and XHTML 5."""

XHTML_1: Final = Host("xhtml", XHTML_TERMS, implied_subjects=True, html_language=True)
"""XHTML+RDFa."""

XML: Final = Host("xml", TERMS, xml_base=True)
"""RDFa Core in any XML: SVG too."""
