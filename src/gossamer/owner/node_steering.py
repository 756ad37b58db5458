"""The answer to whoever steers nodes of the crawl: a wish for each in the database, and how they stand."""

from typing import TYPE_CHECKING, Final

from gossamer.frontier.store import Store
from gossamer.nodes.steering import NodeStanding, standings, tell_nodes
from gossamer.nodes.store import NodeWish
from gossamer.owner.questions import SteerNodes
from gossamer.owner.told import NodesTold

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

_WISHES: Final = {
    "pause": NodeWish.PAUSE,
    "resume": NodeWish.RUN,
    "stop": NodeWish.STOP,
    "drain": NodeWish.DRAIN,
}


async def steer_nodes(folder: "FolderAnswers", question: SteerNodes) -> NodesTold:
    """Tell nodes something; where one that is named is no node, nobody is told anything."""
    store, do = folder.frontier.store, folder.frontier_thread.do
    known = [each.node for each in await do(standings, store)]
    unknown = [name for name in question.nodes if name not in known]
    told = [] if unknown else await do(_tell, store, question)
    return {"nodes": [each.record() for each in told], "unknown": unknown, "known": known}


def _tell(store: Store, question: SteerNodes) -> list[NodeStanding]:
    told = tell_nodes(store, _WISHES[question.how], question.nodes or None)
    return [each for each in standings(store) if each.node in (question.nodes or told)]
