import pytest

from gossamer.config import Index
from gossamer.errors import ConfigError
from gossamer.index.server.address import Endpoints, Server, checked_url, layouts, login

AT = "http://a.test"
LAYOUTS = {
    "http://a.test": Endpoints(
        f"{AT}/query?union-default-graph=true", f"{AT}/update", f"{AT}/store"
    ),
    "http://a.test/ds/": Endpoints(
        f"{AT}/ds/query?union-default-graph=true", f"{AT}/ds/update", f"{AT}/ds/data"
    ),
    "http://a.test/ds/query": Endpoints(
        f"{AT}/ds/query?union-default-graph=true", f"{AT}/ds/update", f"{AT}/ds/data"
    ),
    "http://a.test/query": Endpoints(
        f"{AT}/query?union-default-graph=true", f"{AT}/update", f"{AT}/store"
    ),
    "http://a.test/rdf4j-server/repositories/mine": Endpoints(
        f"{AT}/rdf4j-server/repositories/mine",
        f"{AT}/rdf4j-server/repositories/mine/statements",
        f"{AT}/rdf4j-server/repositories/mine/rdf-graphs/service",
    ),
    "http://a.test/sparql": Endpoints(
        f"{AT}/sparql", f"{AT}/sparql-auth", f"{AT}/sparql-graph-crud-auth"
    ),
    "http://a.test/sparql-auth": Endpoints(
        f"{AT}/sparql-auth", f"{AT}/sparql-auth", f"{AT}/sparql-graph-crud-auth"
    ),
}


@pytest.mark.parametrize("url", LAYOUTS)
def test_the_addresses_of_known_servers_follow_from_one(url: str) -> None:
    assert layouts(Server(url))[0] == LAYOUTS[url]


def test_a_server_may_have_one_address_for_everything() -> None:
    url = "http://a.test:7001"
    assert layouts(Server(url))[-1] == Endpoints(url, url, url)


def test_what_the_user_says_of_an_address_counts() -> None:
    server = Server(AT, query_url=f"{AT}/q", update_url=f"{AT}/u", store_url=f"{AT}/s")
    assert set(layouts(server)) == {Endpoints(f"{AT}/q", f"{AT}/u", f"{AT}/s")}


def test_a_server_is_what_the_configuration_says() -> None:
    index = Index(url=AT, user="me", password="secret", token="t", max_update_bytes=5)
    server = Server.of(index, "ca.pem")
    assert (server.url, server.user, server.password) == (AT, "me", "secret")
    assert (server.authorities, server.timeout, server.max_update_bytes) == ("ca.pem", 120, 5)


def test_a_password_is_taken_out_of_an_address() -> None:
    assert login("http://me:p%40ss@a.test:1/x") == ("http://a.test:1/x", "me", "p@ss")
    assert login("http://me@a.test/") == ("http://a.test/", "me", None)
    assert login("http://a.test/@x") == ("http://a.test/@x", None, None)
    assert login("http://[a") == ("http://[a", None, None)


@pytest.mark.parametrize(
    "url", ["a.test", "ftp://a.test/", "http://", "http://a.test/#x", "http://a b/", "http://[a"]
)
def test_what_is_no_address_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^--index: .*(such as http://localhost:7878/|no address)"
    ):
        checked_url("--index", url)


@pytest.mark.parametrize(
    "url", ["http://me:hidden@a.test/", "http://me:hidden@[a", "x://:hidden@a"]
)
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigError) as refused:
        checked_url("index.url", url)
    assert "hidden" not in str(refused.value)


def test_an_address_is_taken_as_it_is() -> None:
    assert checked_url("--index", "https://a.test:8443/x?y=1") == "https://a.test:8443/x?y=1"
