"""What is learned of parameters of URLs while a crawl runs: told, taken up, and heard of from other nodes."""

import asyncio
from typing import Final

from gossamer.duplicates.parameters import Standing
from gossamer.events import ParameterLearned, ParameterMatters
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.log import Sink

LISTEN: Final = (
    30.0  # seconds: other nodes learn of the hosts that they visit, which may be ours next
)


async def take_up_rules(frontier: SqlFrontier, frontier_thread: FrontierThread, tell: Sink) -> None:
    """Rank the waiting pages of hosts by what was learned of their parameters just now."""
    for rule in frontier.newly_learned():
        kind = ParameterLearned if rule.standing is Standing.IDLE else ParameterMatters
        tell(kind(host=rule.host, parameter=rule.name))
        await frontier_thread.do(frontier.rank_host, rule.host)


async def hear_of_rules(frontier: SqlFrontier, frontier_thread: FrontierThread) -> None:
    """Learn what other nodes have learned, until cancelled."""
    while True:
        await asyncio.sleep(LISTEN)
        await frontier_thread.do(frontier.reload_parameters)
