"""The pages of an archive, to be checked: those that were not checked as they are now; and how all else was answered."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import Final

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.index import Tell, answers
from gossamer.archive.reading import read_record
from gossamer.archive.states import PageStates, find_states
from gossamer.errors import ArchiveError
from gossamer.reading.inputs import Input
from gossamer.site_report.store import ReportStore

NOT_MODIFIED: Final = 304


def pages_to_check(
    store: ReportStore, archive: Path, now: datetime, mark: str, tell: Tell = lambda _: None
) -> Iterator[Input]:
    """The pages of an archive that the store does not have as they are now; those that are gone leave it."""
    with find_states(archive, tell) as states:
        gone = [*_only_first(store.urls(), _urls(states, now))]
        store.drop(gone)
        # Before any page: what data refers to is looked up there.
        store.answered(_last_answers(archive, tell))
        for some in states.as_of(now):
            for state in some:
                assert state.place is not None
                if not store.is_known(state.url, state.place, mark):
                    yield _input(archive, state.url, state.place)


def _input(archive: Path, url: str, place: str) -> Input:
    try:
        record = read_record(archive, ArchivePlace.parse(place))
    except ArchiveError as error:
        return Input(url, url, problem=str(error))
    return Input(
        name=url,
        url=url,
        body=record.body,
        content_type=record.header("content-type"),
        content_encoding=record.content_encoding,
        robots_tag=record.header("x-robots-tag") or "",
        place=place,
    )


def _last_answers(archive: Path, tell: Tell) -> Iterator[tuple[str, int]]:
    """How each address was answered, the last time last; that nothing has changed says nothing."""
    for each in answers(archive, tell):
        if each.refers is None and each.status != NOT_MODIFIED:
            yield each.url, each.status


def _urls(states: PageStates, now: datetime) -> Iterator[str]:
    return chain.from_iterable((str(state.url) for state in some) for some in states.as_of(now))


def _only_first(some: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    """What the first has of two sorted series, and the second has not."""
    both = merge(((each.encode(), 1) for each in some), ((each.encode(), 0) for each in others))
    last = b""
    for text, is_first in both:  # of two alike, the second's comes first
        if not is_first:
            last = text
        elif text != last:
            yield text.decode()
