"""Whose word counts when several pages say what a thing is called. Pure.

First what pages of the thing's own site say. Where they are silent, what at least half as many sites
say as say the commonest: a single page, or a thousand of one owner, cannot rename what many describe.
Among what is left the predicate decides, then the language, then how many sites say so, then the
alphabet. Nothing depends on the order in which pages came.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from gossamer.index.entities.whereabouts import site_of_iri


class Candidate(NamedTuple):
    """A label, a description or a picture that a page proposes."""

    rank: int  # of its predicate: less is better
    language: str | None
    text: str
    page: str


def chosen(
    candidates: Sequence[Candidate], own_site: str | None, languages: Sequence[str]
) -> Candidate | None:
    """The one that counts; None where there is none."""
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    own = owned(candidates, own_site)
    speakers = _speakers(own)
    enough = max(speakers.values()) / 2
    return min(
        (each for each in own if speakers[each.text] >= enough),
        key=lambda each: (
            each.rank,
            language_rank(each.language, languages),
            -speakers[each.text],
            each.text,
            each.page,
        ),
    )


def owned(candidates: Sequence[Candidate], own_site: str | None) -> Sequence[Candidate]:
    """The candidates that pages of a site propose; all of them, where it proposes none."""
    if own_site is None:
        return candidates
    return [each for each in candidates if site_of_iri(each.page) == own_site] or candidates


def language_rank(language: str | None, languages: Sequence[str]) -> tuple[int, str]:
    """The place of a language: those asked for, English, none, all others by the alphabet."""
    if language is None:
        return len(languages) + 1, ""
    main = language.partition("-")[0]
    for place, asked in enumerate(languages):
        if asked in (language, main):
            return place, language
    return len(languages) + (0 if main == "en" else 2), language


def _speakers(candidates: Sequence[Candidate]) -> dict[str, int]:
    """Text to the number of sites that say it, in whatever predicate or language."""
    first = candidates[0].page
    if all(each.page == first for each in candidates):  # as most things have it
        return dict.fromkeys((each.text for each in candidates), 1)
    said = {(each.text, site_of_iri(each.page)) for each in candidates}
    return Counter(text for text, _ in said)
