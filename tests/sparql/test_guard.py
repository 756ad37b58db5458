"""The guard, and the engine itself: nothing that the one lets pass makes the other reach out."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.sparql.guard import asks_others, refusal

GROUP = "{ ?a ?b ?c }"
BEFORE = ["", "?s ?p 1", "?s ?p true", "?s ?p 'a'", "?s ?p '\\u0027'", "{}", "FILTER(1<2)", "# '\n"]
BEFORE += [
    "?s ?p ex:a.",
    "?s ?p :.",
    "?s ?p _:b.",
    "?s ?p 1.0;",
    "GRAPH",
    "?s ?p ?v.",
    "OPTIONAL{}",
]
BEFORE += [
    "FILTER(1<2#>'''\n)",
    "FILTER(1<2#>\n)",
    "?s ?p ex:a\\'.",
    "?s ?p ex:a\\#.",
    "?s ?p <urn:x>.",
]
BEFORE += [
    "FILTER(1<ex:a)",
    "?s ?p <urn:x#'>.",
    "FILTER('<'<'>')",
    "BIND(1<2 AS ?s)",
    '?s ?p "\\u0022".',
]
WORD = ["SERVICE", "service", "SERVICESILENT", "SERVICE SILENT", "ex:service", "\\u0053ERVICE"]
ENDPOINT = ["<ADDRESS>", "ex:a", ":a", ":", "?v", "$v", "ex:service", " # '\n <ADDRESS>", "#>\n:a"]
AFTER = ["", "?s ?p '\\u0027'", "# '", "FILTER(3>2)", "?s ?p ''", "#'''", "#'", '?s ?p "\\u0022"']


@pytest.mark.parametrize(
    "body",
    [
        f"SERVICE <http://127.0.0.1:9/> {GROUP}",
        f"service silent ?z {GROUP}",
        f"?x ?y'a'.SERVICE<http://127.0.0.1:9/>{GROUP}",
        f"\\u0053ERVICE <http://127.0.0.1:9/> {GROUP}",
        f"{{}} # '\n SERVICE <http://127.0.0.1:9/> {GROUP} # '\n",
        f"?s ?p :.SERVICE<http://127.0.0.1:9/>{GROUP}",
        f"SERVICE:a{GROUP}",
        f"SERVICE:a # a comment\n {GROUP}",
        f"SERVICEex:a{GROUP}",
        f"SERVICESILENTex:{GROUP}",
        f"{{}}SERVICESILENT<http://127.0.0.1:9/>{GROUP}",
        f"?s ?p 1SERVICE$z{GROUP}",
        f"?s ?p trueSERVICE$z{GROUP}",
        f"FILTER(1<2)SERVICE#>\n:a{GROUP}",
        f"FILTER(1<2#>'''\n) SERVICE ex:a {GROUP} #'''\n",
        f"?s ?p ex:a\\'. SERVICE ex:a {GROUP} # '\n",
        f"?s ?p '\\u0027' . SERVICE <http://127.0.0.1:9/> {GROUP} ?s ?p '\\u0027'",
    ],
)
def test_no_way_of_writing_it_is_overlooked(body: str) -> None:
    assert asks_others(
        f"PREFIX : <http://127.0.0.1:9/> PREFIX ex: <http://x/> SELECT * {{ {body} }}"
    )


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { ?service <http://service.test/service> 'SERVICE' } # SERVICE",
        'PREFIX service: <http://v.test/> SELECT ?x { ?x service:service """a "SERVICE" """ }',
        "PREFIX ex:<http://x/> SELECT ?u { ?s ex:service ?u . ?u ex:a.service ?s }",
        "SELECT * { ?s a <http://schema.org/Service#a'b(c)> ; <urn:service> 1 FILTER(?s<3) }",
        "SELECT * { ?s ?p '''it's no SERVICE''' FILTER(?s < 3 && ?p > 2) }",
    ],
)
def test_the_word_alone_does_no_harm(query: str) -> None:
    assert not asks_others(query)


class Listener:
    """Whom a query would reach, and how often one did."""

    def __init__(self, listening: socket.socket) -> None:
        self.address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        self.visits = 0
        self._listening = listening

    def listen(self) -> None:
        with suppress(OSError):  # closed
            while True:
                visitor, _ = self._listening.accept()
                self.visits += 1
                visitor.close()


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listener = Listener(listening)
        thread = threading.Thread(target=listener.listen)
        thread.start()
        yield listener
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def ask(query: str) -> None:
    store, somewhere = ox.Store(), ox.NamedNode("http://a.test/")
    store.add(ox.Quad(somewhere, somewhere, ox.Literal("'"), somewhere))
    with suppress(SyntaxError, OSError, ValueError, RuntimeError):
        found = store.query(query, use_default_graph_as_union=True)
        assert isinstance(found, ox.QuerySolutions)
        list(found)


def test_the_listener_would_notice(listener: Listener) -> None:
    before = listener.visits
    ask(f"SELECT * {{ SERVICE <{listener.address}> {GROUP} }}")
    assert listener.visits > before


@settings(max_examples=400)
@given(*(st.sampled_from(each) for each in (BEFORE, WORD, ENDPOINT, AFTER)))
def test_what_the_guard_lets_pass_reaches_nobody(
    listener: Listener, before: str, word: str, endpoint: str, after: str
) -> None:
    text = f"{before}{word}{endpoint}{GROUP}{after}\n".replace("ADDRESS", listener.address)
    prefixes = f"PREFIX : <{listener.address}> PREFIX ex: <{listener.address}>"
    query = f"{prefixes} SELECT * {{ VALUES ?v {{ <{listener.address}> }} {text} }}"
    visits = listener.visits
    if not asks_others(query):
        ask(query)
    assert listener.visits == visits


@pytest.mark.parametrize("piece", ["a", "a.-", "'", "<", "\\u0027", "?", "'''\\", "ex:a"])
def test_a_long_query_is_looked_at_once(piece: str) -> None:
    # If every letter began anew, this would take minutes.
    assert not asks_others(piece * 50_000)


def test_a_refusal_names_the_place_of_the_word() -> None:
    assert refusal("ASK {\n  SERVICE <http://a.test/> {} }") == (
        "The query is refused: line 2, column 3: SERVICE would send requests of its own; leave it out."
    )
    assert refusal("ASK { ?s ?p 'SERVICE' }") is None


def test_what_would_use_up_the_stack_is_refused_and_what_people_write_is_not() -> None:
    refused = refusal(f"ASK {{ FILTER({'(' * 5000}1{')' * 5000}) }}")
    assert refused is not None
    assert refused.startswith("The query is too deep: 200 brackets within each other, or 2,000 ")
    assert refusal(f"ASK {{ FILTER({'(' * 100}1{')' * 100}) }}") is None
