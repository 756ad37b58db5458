"""Names of things in well-known registries, and profiles in social networks. Pure.

Registries give each thing a name of its own, and spell it in several ways. Networks give names to
accounts: an account may be that of the thing or that of the house it works for.
"""

import re
from typing import Final
from urllib.parse import unquote

from gossamer.index.entities.identifiers import MOST_CHARACTERS, doi, isbn, orcid
from gossamer.index.entities.whereabouts import host_of_iri

# The address of a thing, and its one spelling. What a group catches is put into the braces.
_REGISTRIES: Final = tuple(
    (re.compile(rf"https?://(?:www\.)?{pattern}", re.ASCII), spelling)
    for pattern, spelling in (
        (
            r"wikidata\.org/(?:entity|wiki|wiki/Special:EntityData)/(Q\d+)",
            "http://www.wikidata.org/entity/{}",
        ),
        (r"viaf\.org/(?:viaf/)?(\d+)/?", "http://viaf.org/viaf/{}"),
        (r"isni\.org/(?:isni/)?(\d{15}[\dX])/?", "https://isni.org/isni/{}"),
        (r"d-nb\.info/gnd/([\dX-]+)", "https://d-nb.info/gnd/{}"),
        (
            r"id\.loc\.gov/authorities/(names|subjects)/(\w+)",
            "http://id.loc.gov/authorities/{}/{}",
        ),
        (r"data\.bnf\.fr/ark:/12148/(\w+)(?:#.*)?", "http://data.bnf.fr/ark:/12148/{}"),
        (r"sws\.geonames\.org/(\d+)/?", "https://sws.geonames.org/{}/"),
        (r"geonames\.org/(\d+)(?:/.*)?", "https://sws.geonames.org/{}/"),
        (r"musicbrainz\.org/(\w+)/([0-9a-f-]{36})", "https://musicbrainz.org/{}/{}"),
        (
            r"openlibrary\.org/(authors|works|books)/(OL\w+)(?:/.*)?",
            "https://openlibrary.org/{}/{}",
        ),
        (r"imdb\.com/(name|title)/([nt][mt]\d+)/?", "https://www.imdb.com/{}/{}/"),
        (r"dbpedia\.org/(?:resource|page|data)/([^?#]+)", "http://dbpedia.org/resource/{}"),
    )
)
_NETWORK_HOSTS: Final = """
facebook.com twitter.com x.com instagram.com linkedin.com youtube.com tiktok.com pinterest.com
github.com gitlab.com t.me vk.com xing.com threads.net bsky.app medium.com flickr.com vimeo.com
soundcloud.com reddit.com tumblr.com snapchat.com twitch.tv linktr.ee yelp.com
"""
_NETWORKS: Final = frozenset(_NETWORK_HOSTS.split())
# What an address of a registry has in it, near its beginning: most addresses have none of these.
_HINTS: Final = re.compile(
    r"urn:isbn|doi|orcid|wikidata|viaf|isni|d-nb\.|id\.loc\.|bnf\.fr|geonames|musicbrainz"
    r"|openlibrary|imdb\.|dbpedia",
    re.IGNORECASE,
)
_SUBDOMAIN: Final = re.compile(r"^(?:www|m|mobile|[a-z]{2}|[a-z]{2}-[a-z]{2})\.")


def registered(iri: str) -> tuple[int, str] | None:
    """The one spelling of a name that a registry gives, and its place among registries."""
    if len(iri) > MOST_CHARACTERS or not _HINTS.search(iri, 0, 40):
        return None
    for rank, kind in enumerate((isbn, doi, orcid)):
        if found := kind(iri):
            return rank, found
    for rank, (pattern, spelling) in enumerate(_REGISTRIES, 3):
        if match := pattern.fullmatch(iri):
            return rank, spelling.format(*match.groups())
    return None


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
