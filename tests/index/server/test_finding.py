import pytest
from tests.index.server.gate import Gate, Rule, Seen, Told, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.errors import GraphAwayError, GraphError
from gossamer.index.server.address import Endpoints, Server
from gossamer.index.server.finding import found
from gossamer.index.server.http import Http

YES = b'{"head":{},"boolean":true}'


def finding(server: Server, *, writing: bool = True) -> Endpoints:
    return found(Http(server), server, writing=writing)


def updates(rule: Rule) -> Rule:
    return lambda seen: rule(seen) if seen.is_update else None


def test_a_real_server_is_found_and_nothing_is_left_in_it(oxigraph: Oxigraph) -> None:
    endpoints = finding(Server(oxigraph.url))
    assert endpoints.update == f"{oxigraph.url}/update"
    assert not oxigraph.quads()


def test_a_server_with_one_address_for_everything_is_found() -> None:
    with Gate() as gate:
        gate.rule = lambda seen: Told(200, YES) if seen.path in ("", "/") else None
        assert finding(Server(gate.url)) == Endpoints(gate.url, gate.url, gate.url)


def test_who_only_asks_need_not_be_let_write(gate: Gate) -> None:
    gate.rule = updates(always(403))
    finding(Server(gate.url), writing=False)
    with pytest.raises(GraphError, match=r"does not let us write.*403.*index.password"):
        finding(Server(gate.url))


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_password_is_one_sentence(gate: Gate, status: int) -> None:
    gate.rule = always(status)
    with pytest.raises(
        GraphError, match=f"does not let us in: .* answers {status}.*index.user"
    ) as e:
        finding(Server(gate.url, user="me", password="hidden"))
    assert "hidden" not in str(e.value)


@pytest.mark.parametrize("status", [404, 405])
def test_a_typo_in_the_path_is_one_sentence_with_all_that_was_tried(status: int) -> None:
    with Gate() as gate:
        gate.rule = always(status)
        with pytest.raises(GraphError, match=rf"(?s)no SPARQL server at .*/dsx/query.*{status}"):
            finding(Server(f"{gate.url}/dsx"))


def test_a_web_page_is_no_sparql_server() -> None:
    with Gate() as gate:
        gate.rule = always(200, b"<!doctype html><title>Hello")
        with pytest.raises(GraphError, match="something that is no SPARQL result"):
            finding(Server(gate.url))


def test_a_server_that_moved_says_where_to() -> None:
    with Gate() as gate:
        gate.rule = always(301, Location="https://b.test/")
        with pytest.raises(GraphError, match=r"moved to https://b.test/"):
            finding(Server(gate.url))


def test_a_server_without_updates_is_one_sentence(gate: Gate) -> None:
    gate.rule = updates(always(405))
    with pytest.raises(GraphError, match=r"takes no updates.*index.update_url"):
        finding(Server(gate.url))


@pytest.mark.parametrize("rule", [always(503), updates(always(503))])
def test_a_server_that_is_busy_is_away(gate: Gate, rule: Rule) -> None:
    gate.rule = rule
    with pytest.raises(GraphAwayError, match="503"):
        finding(Server(gate.url))


def test_nobody_at_an_address_is_away() -> None:
    with Gate() as gate:
        url = gate.url
    with pytest.raises(GraphAwayError, match=f"{url} does not answer: nobody takes"):
        finding(Server(url))


def test_the_addresses_that_the_user_names_are_asked(oxigraph: Oxigraph) -> None:
    def rule(seen: Seen) -> Told | None:
        return None if seen.path in ("/query", "/update") else Told(404)

    with Gate(oxigraph.url) as gate:
        gate.rule = rule
        server = Server(
            f"{gate.url}/odd", query_url=f"{gate.url}/query", update_url=f"{gate.url}/update"
        )
        assert finding(server).query == f"{gate.url}/query"
