"""What is known of one thing, gathered from all pages that speak of it. Pure."""

from typing import NamedTuple


class Text(NamedTuple):
    """Words, in a language if one is named."""

    language: str | None  # a language tag in small letters
    text: str


class Entity(NamedTuple):
    """One thing. Every part follows from the graph alone; what is several is sorted."""

    home: str  # the key under which its subjects are gathered
    label: str
    language: str | None  # of the label
    types: tuple[str, ...]  # IRIs
    description: str | None
    image: str | None  # a web address
    names: tuple[str, ...]  # all that its own site, else anybody, calls it; the label first
    texts: tuple[Text, ...]  # all that is text, names and descriptions among it
    pages: tuple[str, ...]  # that speak of it: its sources, the first ones where there are many
    page_count: int
    hosts: tuple[str, ...]  # of those pages
    host_count: int
    members: tuple[str, ...]  # the subjects that are this thing
    member_count: int
    properties: tuple[str, ...]  # the predicates that are used of it
    dates: tuple[str, ...]  # that are said of it, as `2024`, `2024-05` or `2024-05-17`
    links_in: int
    links_out: int  # other things that it leads to
    is_page: bool  # one of its subjects is a page of the crawl
