"""The graph of a data folder: in the folder, or on a SPARQL server of the user's own."""

from gossamer.config import Config
from gossamer.data import DataFolder
from gossamer.fetch.trust import trusted_authorities
from gossamer.index.client import GraphProcess
from gossamer.index.server.address import Server
from gossamer.index.server.client import ServerGraph
from gossamer.model import Refusal, Url
from gossamer.urls import canonical

OpenGraph = GraphProcess | ServerGraph


def servers_of(config: Config) -> list[Url]:
    """Where the graph is, if it is on a server: whoever crawls keeps off."""
    index = config.index
    named = (index.url, index.query_url, index.update_url, index.store_url)
    found = [canonical(url) for url in named if url is not None]
    return [url for url in found if not isinstance(url, Refusal)]


def graph_of(data: DataFolder, config: Config, *, writing: bool = True) -> OpenGraph:
    """The graph that the crawl in this folder fills, to be entered.

    Whoever only asks does not have to be let write.
    """
    if config.index.url is None:
        return GraphProcess(data.graph_folder)
    server = Server.of(config.index, trusted_authorities(config.fetch.ca))
    return ServerGraph(server, writing=writing)
