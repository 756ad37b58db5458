"""Links without end, and links that lead where nobody should go.

An endless family counts: member k leads to member k + 1, and knows with how much it
is up against which limit. So the truth about traps needs no check of URLs.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from gossamer.config import Traps
from gossamer.demo.links import Link
from gossamer.demo.malice.exhibits import Exhibits, MaliceHost, link_to, url_of
from gossamer.demo.resources import Listing, Resource
from gossamer.model import Url

NAME = "trap.malice.test"
FIRST_YEAR = 2026
MANY_LINKS = 10_000
FEW_TARGETS = 200
LONG_PATH = "/long/" + "x" * 3000

INTERNAL = (  # as written, and the canonical form
    ("http://127.0.0.1:1/", "http://127.0.0.1:1/"),
    ("http://169.254.169.254/latest/meta-data/", "http://169.254.169.254/latest/meta-data/"),
    ("http://[::1]/", "http://[::1]/"),
    ("http://10.0.0.1/", "http://10.0.0.1/"),
    ("http://0x7f000001:2/", "http://127.0.0.1:2/"),
    ("http://2130706433:3/", "http://127.0.0.1:3/"),
    ("http://[::ffff:10.0.0.2]/", "http://[::ffff:a00:2]/"),
)
NO_PAGES = (
    "mailto:nobody@site0.test",
    "javascript:history.back()",
    "data:text/html,<p>hello",
    "ftp://site0.test/file",
    "http://[not-an-address/",
    "tel:+4955512345",
)


@dataclass(frozen=True, slots=True)
class Family:
    """Pages without end: how to write the path of member k, and to read k back."""

    rule: str  # the kind of trap
    limit: Callable[[Traps, date], int]  # the last member that a crawler with these limits takes
    pattern: re.Pattern[str]
    path: Callable[[int], str]
    place: Callable[[str], int]
    first: int = 1

    def page(self, path: str) -> Listing:
        """A member, which leads to the next one."""
        following = url_of(NAME, self.path(self.place(path) + 1))
        return Listing(url_of(NAME, path), (link_to(following, "next"),))


FAMILIES = (
    Family(
        "trap-depth",  # k segments
        lambda traps, today: traps.max_path_segments,
        re.compile(r"/deeper(/\d{1,4}){1,999}"),
        lambda k: "/deeper/" + "/".join(str(n) for n in range(2, k + 1)),
        lambda path: path.count("/"),
        first=2,
    ),
    Family(
        "trap-repeats",  # the same two segments k times
        lambda traps, today: traps.max_repeats,
        re.compile(r"/maze(/left/right){1,99}"),
        lambda k: "/maze" + "/left/right" * k,
        lambda path: path.count("/left"),
    ),
    Family(
        "trap-parameters",  # k parameters
        lambda traps, today: traps.max_query_parameters,
        re.compile(r"/filter\?f1=1(&f\d{1,3}=1){0,99}"),
        lambda k: "/filter?" + "&".join(f"f{n}=1" for n in range(1, k + 1)),
        lambda path: path.count("="),
    ),
    Family(
        "trap-parameters",  # one parameter k times
        lambda traps, today: traps.max_same_parameter,
        re.compile(r"/tagged\?tag=1(&tag=\d{1,3}){0,99}"),
        lambda k: "/tagged?" + "&".join(f"tag={n}" for n in range(1, k + 1)),
        lambda path: path.count("="),
    ),
    Family(
        "trap-calendar",  # June of the year k
        lambda traps, today: today.year + traps.calendar_years - (today.month < 6),
        re.compile(r"/calendar/\d{4}/06/"),
        lambda k: f"/calendar/{k}/06/",
        lambda path: int(path.split("/")[2]),
        first=FIRST_YEAR,
    ),
)


def trap_at(name: str, path: str, traps: Traps, today: date) -> str | None:
    """Which trap a crawler with these limits sees in an address; None: it goes there."""
    if name != NAME:
        return None
    if path == LONG_PATH:
        return "trap-length" if len(url_of(name, path)) > traps.max_length else None
    family = _family_of(path)
    beyond = family is not None and family.place(path) > family.limit(traps, today)
    return family.rule if family and beyond else None


def _family_of(path: str) -> Family | None:
    return next((family for family in FAMILIES if family.pattern.fullmatch(path)), None)


def _many_links() -> tuple[Link, ...]:
    targets = [url_of(NAME, f"/many/{n}") for n in range(FEW_TARGETS)]
    return tuple(
        Link(f"/many/{n % FEW_TARGETS}#note-{n}", targets[n % FEW_TARGETS], f"note {n}")
        for n in range(MANY_LINKS)
    )


def _internal_links() -> tuple[Link, ...]:
    inside = [Link(href, Url(url), "an address inside") for href, url in INTERNAL]
    return (*inside, *(Link(href, None, "no page at all") for href in NO_PAGES))


def _behind(path: str) -> Resource | None:
    if family := _family_of(path):
        return family.page(path)
    one = re.fullmatch(r"/many/(0|[1-9]\d{0,2})", path)
    return Listing(url_of(NAME, path)) if one and int(one[1]) < FEW_TARGETS else None


_EXHIBITS: Exhibits = {
    **{(head := family.path(family.first)): family.page(head) for family in FAMILIES},
    LONG_PATH: Listing(url_of(NAME, LONG_PATH)),
    "/many": Listing(url_of(NAME, "/many"), _many_links()),
    "/internal": Listing(url_of(NAME, "/internal"), _internal_links()),
}
TRAPS = MaliceHost(NAME, "links without end, links to internal addresses", _EXHIBITS, _behind)
