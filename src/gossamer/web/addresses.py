"""URLs in pages: our own paths with parameters, and crawled URLs that are safe to link. Pure."""

from typing import Final
from urllib.parse import urlencode, urlsplit

HARMLESS: Final = ("http", "https")


def address(path: str, **query: object) -> str:
    """A path of the service with parameters; None is left out, a list is repeated."""
    given = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path


def entity_address(iri: str) -> str:
    """The path of the page about an entity."""
    return address("/entity", id=iri)


def page_address(url: str) -> str:
    """The path of the page about a crawled page."""
    return address("/page", url=url)


def source_address(url: str, line: int | None = None) -> str:
    """The path of a crawled page's source, at a line."""
    return address("/source", url=url) + (f"#L{line}" if line else "")


def outside(url: str | None) -> str | None:
    """A crawled URL if it is safe to link: only http and https."""
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
    """The host of a URL, for display; empty if there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
