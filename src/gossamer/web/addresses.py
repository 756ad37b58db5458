"""Addresses in pages: ours, with what they are asked for; those of others, if they can do no harm. Pure."""

from typing import Final
from urllib.parse import urlencode, urlsplit

HARMLESS: Final = ("http", "https")


def address(path: str, **query: object) -> str:
    """A path of ours with parameters; those that are None are left out, a list is given again."""
    given = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path


def entity_address(iri: str) -> str:
    """The page of a thing."""
    return address("/entity", id=iri)


def page_address(url: str) -> str:
    """The page about a page that was crawled."""
    return address("/page", url=url)


def source_address(url: str, line: int | None = None) -> str:
    """The source of a page that was crawled, at a line."""
    return address("/source", url=url) + (f"#L{line}" if line else "")


def outside(url: str | None) -> str | None:
    """A crawled address, where it may be followed: only http and https, never a script."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    # What a browser would read as another scheme has white space or control characters in front.
    is_plain = url.isprintable() and not url[:1].isspace()
    return url if is_plain and parts.scheme.lower() in HARMLESS and parts.netloc else None


def host_in(url: str) -> str:
    """The host of an address, for people; empty where there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
