"""The names of a page's graphs. Pure.

The source graph is named by the page, graphs inside its document `PAGE#graph-HASH`, statements
about its fetch `PAGE#fetch`. Page URLs have no fragment, so a name belongs to one page alone.
"""

import re
from typing import Final

FETCH: Final = "#fetch"
INNER: Final = "#graph-"
# What canonical URLs may hold and IRIs may not: browsers leave these in paths and queries.
_FORBIDDEN: Final = re.compile(r'["<>\\^`{|}\x00-\x20\x7f]|%(?![0-9A-Fa-f]{2})')
# RFC 3987: nor may these stand outside the brackets of an address.
_BRACKETS: Final = re.compile(r"[\[\]]")
_HOST: Final = re.compile(r"[a-z]+://[^/?#]*")


def page_name(url: str) -> str:
    """The IRI of a page with this canonical URL: the name of its source graph."""
    host = _HOST.match(url)
    end = host.end() if host else 0
    rest = _FORBIDDEN.sub(_percent_encoded, url[end:])
    return url[:end] + _BRACKETS.sub(_percent_encoded, rest)


def fetch_graph(page: str) -> str:
    """The graph of statements about the page's fetch."""
    return page + FETCH


def is_fetch(variable: str) -> str:
    """An expression of SPARQL: the variable is a graph of statements about a fetch."""
    return f'STRENDS(STR({variable}), "{FETCH}")'


def no_fetches(variable: str) -> str:
    """A filter of SPARQL: the variable is a graph of a page, not one of statements about a fetch."""
    return f"FILTER (!{is_fetch(variable)})"


def is_source_graph(page: str, graph: str) -> bool:
    """Whether a graph of that name may hold what the page says."""
    return graph == page or graph.startswith(page + INNER)


def _percent_encoded(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}" if match[0] != "%" else "%25"
