"""Where an answer sends us. Pure: nobody goes there before scope, robots and clock were asked."""

from typing import Final

from gossamer.model import MAX_HOPS, Refusal, ResponseHead, Url
from gossamer.urls.canonical import canonical

# A 304 may carry a Location too, and a `Refresh` header is a page's own idea: neither is one.
REDIRECTS: Final = frozenset({300, 301, 302, 303, 307, 308})
_CHOICE: Final = 300  # may name the server's own choice, or leave it to the reader


def redirect_of(head: ResponseHead, hops: int = 0) -> Url | Refusal | None:
    """The page that an answer redirects to, or why none; None where it is no redirect.

    `hops` is how many redirects led to the page that answered, for those who follow at once.
    """
    if head.status not in REDIRECTS:
        return None
    locations = {each for each in head.header_values("location") if each}
    if not locations:
        return None if head.status == _CHOICE else _refusal("says nothing about where to")
    if len(locations) > 1:
        return _refusal("names several places at once")
    target = canonical(head.location or "", head.url)
    if isinstance(target, Refusal):
        return target
    if target == head.url:
        return _refusal("leads to itself")
    return target if hops < MAX_HOPS else _refusal(f"is number {hops + 1} in a row")


def _refusal(what: str) -> Refusal:
    return Refusal("redirect", f"The redirect {what}.")
