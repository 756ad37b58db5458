"""Where a SPARQL server is, who we are to it, and which of its addresses do what. Pure.

`docs/sparql-servers.md` tells people the same rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from gossamer.config import Index
from gossamer.errors import ConfigError

# Without this, Oxigraph looks into its unnamed graph alone; others do not know it, and ignore it.
UNION: Final = "union-default-graph=true"
OF_VIRTUOSO: Final = "/sparql-graph-crud-auth"
EXAMPLE: Final = "http://localhost:7878/"


@dataclass(frozen=True, slots=True)
class Server:
    """A server as a process of ours is told of it. Holds secrets: not for any log."""

    url: str
    query_url: str | None = None
    update_url: str | None = None
    store_url: str | None = None
    user: str | None = None
    password: str | None = None
    token: str | None = None
    authorities: str | None = None  # the file of certificate authorities to trust
    timeout: float = 120.0  # seconds for one request
    max_update_bytes: int = 2 * 1024 * 1024

    @classmethod
    def of(cls, index: Index, authorities: str | None) -> "Server":
        """The server that the configuration names."""
        assert index.url is not None
        return cls(
            url=index.url,
            query_url=index.query_url,
            update_url=index.update_url,
            store_url=index.store_url,
            user=index.user,
            password=index.password,
            token=index.token,
            authorities=authorities,
            timeout=index.timeout.total_seconds(),
            max_update_bytes=index.max_update_bytes,
        )


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The addresses of a server: SPARQL query, SPARQL update, Graph Store Protocol."""

    query: str
    update: str
    store: str

    @property
    def takes_forms(self) -> bool:
        """Whether queries are to come as HTML forms: Debian's Virtuoso never answers a bare one by POST."""
        return self.store.endswith(OF_VIRTUOSO)


class Login(NamedTuple):
    """What stood in an address besides the address."""

    url: str
    user: str | None
    password: str | None


def checked_url(key: str, url: str) -> str:
    """An address of a server, if it is one; raises `ConfigError`, which repeats no password."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (raises where it is none)
    except ValueError:
        raise ConfigError(f"{key}: not an address; write one such as {EXAMPLE}.") from None
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"{key}: leave user and password out of the address, where others would see them: "
            "there are index.user, and index.password or GOSSAMER_INDEX_PASSWORD."
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
        raise ConfigError(f"{key}: {url!r} is not an address; write one such as {EXAMPLE}.")
    if any(not 32 < ord(letter) < 127 for letter in url):
        raise ConfigError(f"{key}: {url!r} has characters that no address has.")
    return url


def login(url: str) -> Login:
    """An address as people write it on a command line, `http://user:password@host/`, taken apart."""
    try:
        parts = urlsplit(url)
        user, password = parts.username, parts.password
    except ValueError:  # `checked_url` has a sentence for it
        return Login(url, None, None)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    return Login(
        urlunsplit(bare) if user is not None else url,
        None if user is None else unquote(user),
        None if password is None else unquote(password),
    )


def layouts(server: Server) -> tuple[Endpoints, ...]:
    """How the addresses of a server may be laid out, likeliest first; what the user said counts."""
    return tuple(
        replace(
            found,
            query=server.query_url or found.query,
            update=server.update_url or found.update,
            store=server.store_url or found.store,
        )
        for found in dict.fromkeys(_layouts(server.url))
    )


def _layouts(url: str) -> Iterator[Endpoints]:
    path = urlsplit(url).path.rstrip("/")
    bare = url.rstrip("/")
    steps = path.split("/")
    if len(steps) >= 3 and steps[-2] == "repositories":  # RDF4J, GraphDB
        yield Endpoints(bare, f"{bare}/statements", f"{bare}/rdf-graphs/service")
    elif steps[-1] in ("sparql", "sparql-auth") and len(steps) == 2:  # Virtuoso
        root = bare.rpartition("/")[0]
        yield Endpoints(bare, f"{root}/sparql-auth", f"{root}{OF_VIRTUOSO}")
        yield Endpoints(url, url, url)
    elif steps[-1] in ("query", "sparql"):  # whoever names the query service names the others, too
        root = bare.rpartition("/")[0]
        yield Endpoints(_with_union(bare), f"{root}/update", _store(root, path.rpartition("/")[0]))
        yield Endpoints(url, url, url)
    else:
        yield Endpoints(_with_union(f"{bare}/query"), f"{bare}/update", _store(bare, path))
        yield Endpoints(url, url, url)  # QLever and others: one address for everything


def _with_union(url: str) -> str:
    return f"{url}?{UNION}"


def _store(root: str, path: str) -> str:
    # Oxigraph is at the root of its host; Fuseki has a path for each dataset.
    return f"{root}/data" if path else f"{root}/store"
