"""Answers about pages that are the same thing, and about parameters that change nothing; results shown once."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gossamer.duplicates.group import MEANINGS
from gossamer.duplicates.parameters import NEEDED, LearnedParameter, Standing, idle_in
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import DuplicateGroup
from gossamer.model import Url
from gossamer.owner.messages import Record
from gossamer.owner.questions import ListDuplicates, StandIns
from gossamer.urls import host_of

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

USUAL: Final = 100  # groups
PARAMETERS: Final = 1_000  # that are told, of all hosts
STANDINGS: Final = {
    Standing.LEARNING: "learning",
    Standing.IDLE: "changes nothing",
    Standing.MATTERS: "matters",
}


async def listed_duplicates(folder: "FolderAnswers", question: ListDuplicates) -> Record:
    """Groups of pages that are the same thing, where the next ones begin, and what is known of parameters."""
    limit = question.limit or USUAL
    find = partial(
        folder.frontier.duplicates,
        host=question.host,
        after=int(question.after or 0),
        limit=limit + 1,  # one more, to see whether there is a next page
    )
    found = await folder.frontier_thread.do(find)
    known = await folder.frontier_thread.do(
        folder.frontier.idle_parameters, question.host, PARAMETERS
    )
    return {
        "groups": [group_record(group) for _, group in found[:limit]],
        "parameters": [{"host": host, **parameter_record(each)} for host, each in known],
        "next": str(found[limit - 1][0]) if len(found) > limit else None,
    }


async def stand_ins(folder: "FolderAnswers", question: StandIns) -> Record:
    """Which of some pages another one stands for, by URL."""
    urls = [Url(each) for each in question.urls]
    found = await folder.frontier_thread.do(folder.frontier.stand_ins, urls)
    return {"instead": found}


def about_duplicates(frontier: SqlFrontier, url: Url) -> Record:
    """The group of a page, and what is known of its URL's parameters; for the thread of the frontier."""
    group = frontier.duplicates_of(url)
    known = {each.name: each for each in frontier.parameters_of(host_of(url))}
    named = idle_in(url, frozenset(known))
    return {
        "duplicates": None if group is None else group_record(group),
        "parameters": [parameter_record(known[name]) for name in named],
    }


def group_record(group: DuplicateGroup) -> Record:
    """A group as JSON has it."""
    return {
        "representative": group.representative,
        "why": group.why,
        "others": list(group.others),
        "members": group.members,
        "kind": str(group.kind),
        "meaning": MEANINGS[group.kind],
    }


def parameter_record(learned: LearnedParameter) -> Record:
    """What is known of a parameter, as JSON has it."""
    return {
        "parameter": learned.name,
        "standing": STANDINGS[learned.standing],
        "agreed": learned.addresses,
        "needed": NEEDED,
    }


def shown_once(results: Sequence[Record], instead: Mapping[str, str]) -> list[Record]:
    """Search results without those of pages for which another page stands that has a result, too."""
    shown = {page for result in results for page in result["pages"] if page not in instead}
    return [result for result in results if not _is_elsewhere(result["pages"], instead, shown)]


def _is_elsewhere(pages: Sequence[Any], instead: Mapping[str, str], shown: set[Any]) -> bool:
    return bool(pages) and all(instead.get(page) in shown for page in pages)
