"""Names of things in well-known registries, and profiles in social networks. Pure.

Registries give each thing a name of its own, and spell it in several ways. Networks give names to
accounts: an account may be that of the thing or that of the house it works for.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from gossamer.index.entities.identifiers import MOST_CHARACTERS, doi, isbn, orcid
from gossamer.index.entities.whereabouts import host_of_iri

# Host, the path of a thing there, and its one spelling: what the groups catch goes into the braces.
_TABLE: Final = (
    (
        "wikidata.org",
        r"/(?:entity|wiki|wiki/Special:EntityData)/(Q\d+)",
        "http://www.wikidata.org/entity/{}",
    ),
    ("viaf.org", r"/(?:viaf/)?(\d+)/?", "http://viaf.org/viaf/{}"),
    ("isni.org", r"/(?:isni/)?(\d{15}[\dX])/?", "https://isni.org/isni/{}"),
    ("d-nb.info", r"/gnd/([\dX-]+)", "https://d-nb.info/gnd/{}"),
    ("id.loc.gov", r"/authorities/(names|subjects)/(\w+)", "http://id.loc.gov/authorities/{}/{}"),
    ("data.bnf.fr", r"/ark:/12148/(\w+)(?:#.*)?", "http://data.bnf.fr/ark:/12148/{}"),
    ("sws.geonames.org", r"/(\d+)/?", "https://sws.geonames.org/{}/"),
    ("geonames.org", r"/(\d+)(?:/.*)?", "https://sws.geonames.org/{}/"),
    ("musicbrainz.org", r"/(\w+)/([0-9a-f-]{36})", "https://musicbrainz.org/{}/{}"),
    ("openlibrary.org", r"/(authors|works|books)/(OL\w+)(?:/.*)?", "https://openlibrary.org/{}/{}"),
    ("imdb.com", r"/(name|title)/([nt][mt]\d+)/?", "https://www.imdb.com/{}/{}/"),
    ("dbpedia.org", r"/(?:resource|page|data)/([^?#]+)", "http://dbpedia.org/resource/{}"),
)
_NUMBERS: Final[Mapping[str, Callable[[str], str | None]]] = MappingProxyType(
    {"doi.org": doi, "dx.doi.org": doi, "orcid.org": orcid}
)
_REGISTRIES: Final = {
    host: (rank, re.compile(path, re.ASCII), spelling)
    for rank, (host, path, spelling) in enumerate(_TABLE, 1)
}
_NETWORK_HOSTS: Final = """
facebook.com twitter.com x.com instagram.com linkedin.com youtube.com tiktok.com pinterest.com
github.com gitlab.com t.me vk.com xing.com threads.net bsky.app medium.com flickr.com vimeo.com
soundcloud.com reddit.com tumblr.com snapchat.com twitch.tv linktr.ee yelp.com
"""
_NETWORKS: Final = frozenset(_NETWORK_HOSTS.split())
_SUBDOMAIN: Final = re.compile(r"^(?:www|m|mobile|[a-z]{2}|[a-z]{2}-[a-z]{2})\.")


def registered(iri: str) -> tuple[int, str] | None:
    """The one spelling of a name that a registry gives, and its place among registries."""
    if len(iri) > MOST_CHARACTERS:
        return None
    host = host_of_iri(iri)
    if host is None:
        return _numbered(
            isbn(iri) or doi(iri) if iri[:4].lower() in ("urn:", "doi:", "info") else None
        )
    host = host.removeprefix("www.")
    if number := _NUMBERS.get(host):
        return _numbered(number(iri))
    if not (known := _REGISTRIES.get(host)):
        return None
    rank, path, spelling = known
    found = path.fullmatch(iri, iri.find("/", 8))
    return (rank, spelling.format(*found.groups())) if found else None


def _numbered(found: str | None) -> tuple[int, str] | None:
    return (0, found) if found else None


def account(iri: str) -> str | None:
    """What a social network's address calls an account; None for other addresses."""
    return unquote(iri.partition("//")[2].partition("/")[2]) if _network(iri) else None


def spelled(iri: str) -> str:
    """An IRI in its one spelling, as far as we know that there are several."""
    if found := registered(iri):
        return found[1]
    network = _network(iri)
    if network is None or "?" in iri or "#" in iri:
        return iri
    path = iri.partition("//")[2].partition("/")[2]
    return f"https://{network}/{path.rstrip('/').lower()}"


def _network(iri: str) -> str | None:
    host = host_of_iri(iri) or ""
    if host not in _NETWORKS:
        host = _SUBDOMAIN.sub("", host)
    return host if host in _NETWORKS else None
