"""A crawler that shares nothing with the demo web but the bytes its server sends.

It reads links with lxml, pyoxigraph and json, joins them with ada and asks protego about
robots.txt. What it finds is what the ground truth has to say.
"""

import gzip
import http.client
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import lxml.etree
import lxml.html
import pyoxigraph
from ada_url import join_url
from protego import Protego

SEE_ALSO = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
RDF_TYPES = {
    "text/turtle": pyoxigraph.RdfFormat.TURTLE,
    "application/rdf+xml": pyoxigraph.RdfFormat.RDF_XML,
    "application/n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
}
# Wide enough for what we serve: entities and networks stay off.
XML = lxml.etree.XMLParser(resolve_entities=False, no_network=True)


@dataclass(frozen=True)
class Response:
    url: str
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get_content_type() if "Content-Type" in self.headers else ""


class Client:
    """Keep-alive HTTP to the demo server, whatever host is meant."""

    def __init__(self, address: str) -> None:
        host, _, port = address.partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=60)
        self.asked: list[str] = []

    def get(self, url: str, **headers: str) -> Response:
        name, _, path = url.removeprefix("http://").partition("/")
        self.asked.append(url)
        fields = {"Host": name, "User-Agent": "walker", **headers}
        self._connection.request("GET", "/" + path, headers=fields)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        return Response(url, answer.status, answer.headers, body)

    def close(self) -> None:
        self._connection.close()


@dataclass
class Found:
    visited: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    redirected: dict[str, int] = field(default_factory=dict)
    forbidden: set[str] = field(default_factory=set)


class Walker:
    """Breadth first from one seed, level by level."""

    def __init__(self, client: Client, agent: str = "gossamer", *, sitemaps: bool = False) -> None:
        self.client = client
        self.agent = agent
        self.sitemaps = sitemaps
        self._listed: set[str] = set()  # hosts whose sitemaps were read
        self._robots: dict[str, Protego] = {}

    def walk(self, seed: str, depth: int | None, same_host: bool) -> Found:
        found, hops = Found(), {seed: 0}
        level, at = deque([seed]), 0
        while level and (depth is None or at <= depth):
            following: deque[str] = deque()
            while level:
                url = level.popleft()
                for link, same_level in self._settle(url, at, found):
                    nearer = same_level and link in following
                    if nearer:
                        following.remove(link)
                    elif link in hops or (same_host and host(link) != host(seed)):
                        continue
                    hops[link] = hops[url] + 1 if same_level else 0
                    if hops[link] > 10:
                        continue
                    (level if same_level else following).append(link)
            level, at = following, at + 1
        return found

    def _settle(self, url: str, depth: int, found: Found) -> Iterator[tuple[str, bool]]:
        if not self._allowed(url):
            found.forbidden.add(url)
            return
        if self.sitemaps and host(url) not in self._listed:
            self._listed.add(host(url))
            yield from ((entry, False) for entry in self._entries(host(url)))
        response = self.client.get(url)
        if 300 <= response.status < 400:
            target = _location(response)
            (found.redirected if target else found.failed)[url] = depth
            if target:
                yield target, True
        elif response.status != 200:
            found.failed[url] = depth
        elif response.media_type in ("application/zip", "image/png"):
            found.skipped[url] = depth
        else:
            found.visited[url] = depth
            yield from ((link, False) for link in links(response, self.agent))

    def _entries(self, name: str) -> Iterator[str]:
        """What a host's sitemaps list, wherever they are."""
        waiting = list(self._robots[name].sitemaps) or [f"http://{name}/sitemap.xml"]
        while waiting:
            response = self.client.get(waiting.pop())
            if response.status != 200:
                continue
            zipped = response.media_type == "application/gzip"
            body = gzip.decompress(response.body) if zipped else response.body
            root = lxml.etree.fromstring(body, XML)
            found = [location.text or "" for location in root.iterfind(".//{*}loc")]
            if root.tag.endswith("}sitemapindex"):
                waiting += found
            else:
                yield from found

    def _allowed(self, url: str) -> bool:
        name = host(url)
        if name not in self._robots:
            self._robots[name] = self._fetch_robots(name)
        return bool(self._robots[name].can_fetch(url, self.agent))

    def _fetch_robots(self, name: str) -> Protego:
        url = f"http://{name}/robots.txt"
        for _ in range(6):
            response = self.client.get(url)
            if not 300 <= response.status < 400:
                return judge(response)
            url = join_url(url, response.headers["Location"])
        raise AssertionError("redirects without end")


def _location(response: Response) -> str | None:
    try:
        url = join_url(response.url, response.headers["Location"] or "javascript:")
    except ValueError:
        return None
    target = url.partition("#")[0]
    return target if url.startswith("http://") and target != response.url else None


def judge(response: Response) -> Protego:
    """What a robots.txt means, by another's reading."""
    if response.status == 200:
        return _parsed(response.body)
    closed = response.status >= 500 or response.status in (401, 403, 429)
    return Protego.parse("User-agent: *\nDisallow: /\n" if closed else "")


@lru_cache(maxsize=64)
def _parsed(body: bytes) -> Protego:
    return Protego.parse(body[: 512 * 1024].decode("utf-8-sig"))


def host(url: str) -> str:
    return url.split("/")[2]


def links(response: Response, agent: str) -> list[str]:
    """The links that may be followed, canonical, in document order."""
    if "nofollow" in wishes(response, agent):
        return []
    hrefs = [join_url(response.url, href).partition("#")[0] for href in _hrefs(response)]
    return [url for url in hrefs if url.startswith("http://")]


def wishes(response: Response, agent: str) -> set[str]:
    """What meta element and header ask for, in small letters; `none` spelled out."""
    said: list[str] = []
    for value in response.headers.get_all("X-Robots-Tag", []):
        name, colon, rest = value.partition(":")
        if not colon:
            said += value.split(",")
        elif name.strip() == agent:
            said += rest.split(",")
    if response.media_type == "text/html":
        said += ",".join(tree(response).xpath("//meta[@name='robots']/@content")).split(",")
    words = {word.strip().lower() for word in said}
    return words | {"noindex", "nofollow"} if "none" in words else words


def tree(response: Response) -> lxml.html.HtmlElement:
    charset = response.headers.get_content_charset()
    return lxml.html.document_fromstring(response.body, lxml.html.HTMLParser(encoding=charset))


def _hrefs(response: Response) -> list[str]:
    kind = response.media_type
    if kind == "text/html":
        anchors = tree(response).xpath("//a[@href]")
        return [a.get("href") for a in anchors if "nofollow" not in a.get("rel", "").split()]
    if kind in RDF_TYPES:
        quads = pyoxigraph.parse(response.body, RDF_TYPES[kind], base_iri=response.url)
        return [q.object.value for q in quads if q.predicate.value == SEE_ALSO]
    if kind == "application/ld+json":
        return list(json.loads(response.body)["seeAlso"])
    root = lxml.etree.fromstring(response.body, XML)
    if kind == "application/rss+xml":
        return [link.text or "" for link in root.iterfind(".//{*}item/{*}link")]
    assert kind == "application/atom+xml", kind
    return [link.get("href", "") for link in root.iterfind(".//{*}entry/{*}link")]
