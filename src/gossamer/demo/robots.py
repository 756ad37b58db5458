"""Each host's robots.txt, and what it forbids, side by side.

`FORBIDDEN` says which shelves each kind closes. The files are written to say the
same; whoever tests a robots parser compares the two.
"""

from enum import StrEnum
from functools import lru_cache

from gossamer.demo.paths import Shelf


class RobotsKind(StrEnum):
    """The kinds of robots.txt; host h has kind h modulo 12, in this order."""

    SIMPLE = "simple"  # one folder closed; names a sitemap
    NONE = "none"  # 404: no rules (a sitemap in the usual place)
    WILDCARDS = "wildcards"  # longest match, `*`, `$`; BOM and CRLF
    NAMED = "named"  # closed to all but gossamer, which may enter most of it
    FAILING = "failing"  # 503: closed
    CRAWL_DELAY = "crawl-delay"
    SITEMAPS = "sitemaps"  # names a sitemap index of gzipped sitemaps
    REDIRECTED = "redirected"  # to another path of the host
    HUGE = "huge"  # past 512 KiB, with a rule at the end that must not count
    ELSEWHERE = "elsewhere"  # redirected to a file on the first host
    FORBIDDEN = "forbidden"  # 403: closed, unless configured otherwise
    STRICTER = "stricter"  # open to all, with a stricter group for gossamer


KINDS = tuple(RobotsKind)
EVERYTHING = frozenset(Shelf)
NOTHING: frozenset[Shelf] = frozenset()
_PRIVATE = frozenset({Shelf.PRIVATE, Shelf.PRIVATE_OPEN})
RULES_PATH = "/rules/robots.txt"  # where redirected robots.txt lead; every host has one
HUGE_BYTES = 640 * 1024

_FORBIDDEN = {
    RobotsKind.SIMPLE: _PRIVATE,
    RobotsKind.NONE: NOTHING,
    RobotsKind.WILDCARDS: frozenset({Shelf.PRIVATE, Shelf.PRINT, Shelf.DRAFTS}),
    RobotsKind.FAILING: EVERYTHING,
    RobotsKind.CRAWL_DELAY: _PRIVATE,
    RobotsKind.SITEMAPS: frozenset({Shelf.DRAFTS}),
    RobotsKind.REDIRECTED: _PRIVATE,
    RobotsKind.HUGE: _PRIVATE,
    RobotsKind.ELSEWHERE: _PRIVATE,
    RobotsKind.FORBIDDEN: EVERYTHING,
}


def forbidden(kind: RobotsKind, agent: str, *, forbidden_closes: bool = True) -> frozenset[Shelf]:
    """The shelves of a host that are closed to an agent."""
    agent = agent.lower()
    if kind is RobotsKind.NAMED:
        return frozenset({Shelf.DRAFTS}) if agent == "gossamer" else EVERYTHING
    if kind is RobotsKind.STRICTER:
        return frozenset({Shelf.PRIVATE}) if agent in ("gossamer", "otherbot") else NOTHING
    if kind is RobotsKind.WILDCARDS and agent == "somebody-else":
        return EVERYTHING
    if kind is RobotsKind.FORBIDDEN and not forbidden_closes:
        return NOTHING
    return _FORBIDDEN[kind]


def robots_text(kind: RobotsKind, host: str, crawl_delay: float) -> bytes:
    """The robots.txt of a kind that has one."""
    match kind:
        case RobotsKind.SIMPLE:
            return f"{RULES}\nSitemap: http://{host}/sitemap.xml\n".encode()
        case RobotsKind.WILDCARDS:
            return b"\xef\xbb\xbf" + _WILDCARDS.replace("\n", "\r\n").encode()
        case RobotsKind.NAMED:
            return _NAMED.encode()
        case RobotsKind.CRAWL_DELAY:
            return f"{RULES}Crawl-delay: {crawl_delay:g}\n".encode()
        case RobotsKind.SITEMAPS:
            return f"{_DRAFTS}\nSitemap: http://{host}/sitemap-index.xml\n".encode()
        case RobotsKind.HUGE:
            return huge_text()
        case RobotsKind.STRICTER:
            return _STRICTER.encode()
    raise ValueError(f"hosts of kind {kind} have no robots.txt of their own")


@lru_cache(maxsize=1)
def huge_text() -> bytes:
    """A file of which a reader may stop at 512 KiB: what follows must not count."""
    rules = "".join(f"Disallow: /nowhere/{n}/\n" for n in range(1000))
    # Comments, so that a reader who cuts in mid-line cannot make a rule out of the rest.
    head = RULES + rules
    line = "# " + "this file is far too long " * 3 + "\n"
    padding = line * (1 + (HUGE_BYTES - len(head)) // len(line))
    return (head + padding + "Disallow: /drafts/\n").encode()


RULES = """\
# Everything but one folder.
User-agent: *
Disallow: /private/
"""
_WILDCARDS = """\
User-agent: *
Disallow: /private/
Allow: /private/open/
Disallow: /*/print$
Disallow: /d*fts/

User-agent: somebody-else
Disallow: /
"""
_NAMED = """\
User-agent: *
Disallow: /

User-agent: gossamer
Disallow: /drafts/
"""
_DRAFTS = """\
User-agent: *
Disallow: /drafts/
"""
_STRICTER = """\
User-agent: *
Disallow:

User-agent: GOSSAMER
User-agent: otherbot
Disallow: /private/
Allow: /private/open/
"""
