"""Matches media types with patterns such as `image/*`."""

from collections.abc import Iterable


def matches(media_type: str | None, wanted: Iterable[str]) -> bool:
    """Whether the type is among those wanted: `application/pdf`, or `image/*` for all images."""
    return match(media_type, wanted) is not None


def match(media_type: str | None, wanted: Iterable[str]) -> str | None:
    """The pattern that matches: the exact type, otherwise the one for its whole kind."""
    own = (media_type or "").lower()
    kind, slash, _ = own.partition("/")
    fitting = (own, f"{kind}/*") if slash else ()
    by_name = {each.lower(): each for each in wanted}
    return next((by_name[each] for each in fitting if each in by_name), None)
