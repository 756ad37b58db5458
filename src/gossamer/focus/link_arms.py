"""Which arm a link belongs to: its host, the form of its URL, the elements around it, and the page that lists it.

An arm is a number: the hash of these, and of nothing else, so that all nodes have the same one. A host has a bounded number of
them. Past that, links count with their parent (on whatever page), then with a coarser form, then with all the rest.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from gossamer.focus.hints import LinkHint, clue, words_in
from gossamer.freshness.templates import coarser, template
from gossamer.model import Url
from gossamer.urls import host_of

MOST_PARENTS: Final = 64  # of a host
MOST_LISTS: Final = 256
A_LIST: Final = (
    8  # links alike on one page make it a list: its links may be unlike those of other lists
)
MOST_CLUES: Final = 16
ON_WANTED: Final = ", of a wanted page"
REST: Final = 1  # the arm of whatever is beyond these bounds
_APART: Final = re.compile(r"(?:nav|header|footer|aside)\b")
_NAME: Final = re.compile(r"(?<=/)(?=[^/]*[A-Za-z])[^/{}.]+[-_][^/{}.]*")
_LITERAL: Final = re.compile(r"[#{]")


class Arm(NamedTuple):
    """A kind of links, as people are told."""

    number: int
    parent: int | None
    template: str
    tags: str
    listed_on: str  # path of the list that they, or the page that they stand on, were found on


class KnownArms(NamedTuple):
    """The numbers of a host's arms: those of links on whatever page, and on single lists."""

    parents: Collection[int] = frozenset()
    lists: Collection[int] = frozenset()


NONE_KNOWN: Final = KnownArms()


class ArmLink(NamedTuple):
    """A link with its arm, and the numbers of its clues."""

    url: Url
    arm: Arm
    clues: tuple[int, ...]


THE_REST: Final = Arm(REST, None, "", "", "")


def form_of(url: str) -> str:
    """The form of a URL: its template; where nothing in the path is variable, any name stands for the last segment."""
    path, mark, query = template(url).partition("?")
    path = _NAME.sub("{name}", path)
    if mark or _LITERAL.search(path):
        return path + mark + query
    head, _, last = path.rpartition("/")
    if not last:
        head, _, _ = head.rpartition("/")
        return f"{head}/{{word}}/" if path != "/" else "/"
    stem, dot, suffix = last.rpartition(".")
    return f"{head}/{{word}}{dot}{suffix}" if dot and stem else f"{head}/{{word}}"


def arms_of(
    page: str,
    links: Sequence[tuple[Url, LinkHint]],
    known: Mapping[str, KnownArms],
    found_on: str = "",
    *,
    is_wanted: bool = False,
) -> list[ArmLink]:
    """The arm and clues of each link on a page; `known` has the arms of each host so far.

    A page that is no list itself counts as a part of the one that it was found on: what is like a thing
    is where the thing is. Links on a page that is wanted itself are a kind of their own.
    """
    parts = urlsplit(page)
    here, path = parts.hostname or "", parts.path or "/"
    kinds = [(host_of(url), form_of(url), hint.tags) for url, hint in links]
    alike = Counter(kind for kind in kinds if kind[0] == here and not _APART.match(kind[2]))
    is_list = max(alike.values(), default=0) >= A_LIST
    found = []
    for (url, hint), kind in zip(links, kinds, strict=True):
        host, form, tags = kind
        if is_wanted:
            tags = f"{tags}{ON_WANTED}"
        listed_on = "" if host != here else path if is_list else found_on
        arm = fit_arm(form, tags, listed_on, known.get(host, NONE_KNOWN))
        found.append(ArmLink(url, arm, clues_of(url, hint, here, path)))
    return found


def fit_arm(form: str, tags: str, listed_on: str, known: KnownArms) -> Arm:
    """The most exact arm that is known, or that there is still room for."""
    parent = _arm(form, tags, "")
    if parent.number not in known.parents and len(known.parents) >= MOST_PARENTS:
        rough = _arm(coarser(form), "", "")
        has_room = len(known.parents) < 2 * MOST_PARENTS
        return rough if rough.number in known.parents or has_room else THE_REST
    if listed_on:
        arm = _arm(form, tags, listed_on, parent.number)
        if arm.number in known.lists or len(known.lists) < MOST_LISTS:
            return arm
    return parent


def parent_of(arm: Arm) -> Arm:
    """The arm of the same links on whatever page."""
    return arm if arm.parent is None else _arm(arm.template, arm.tags, "")


def _arm(form: str, tags: str, listed_on: str, parent: int | None = None) -> Arm:
    said = "\0".join((form, tags, listed_on)).encode(errors="replace")
    number = int.from_bytes(blake2b(said, digest_size=8).digest(), signed=True)
    return Arm(number if number not in (0, REST) else 2, parent, form, tags, listed_on)


def clues_of(url: str, hint: LinkHint, source_host: str, source_path: str) -> tuple[int, ...]:
    """The numbers of what may tell something of a link: its words, those of its URL, where it stands, its host."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    found = {clue("host", host): None, clue("tags", hint.tags): None}
    if host != source_host:
        found[clue("from", source_host)] = None
    found |= dict.fromkeys(clue("word", word) for word in hint.words)
    found |= dict.fromkeys(clue("url", word) for word in words_in(parts.path, parts.query, most=6))
    return tuple(found)[:MOST_CLUES]
