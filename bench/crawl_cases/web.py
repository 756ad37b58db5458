"""The web that crawlers race on: hosts of sixty pages, 15 KB and forty links each.

Half of the pages hold JSON-LD, a quarter RDFa, an eighth microdata, the others nothing but text.
Four links in five stay on their host. Every page is reached from its host's first one.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Url

PAGES_PER_HOST = 60
LINKS = 40
LINKS_ELSEWHERE = 8
PAGE_BYTES = 15_000
_FORMATS = (
    *[Format.JSON_LD_IN_HTML] * 4,
    *[Format.RDFA] * 2,
    Format.MICRODATA,
    Format.HTML,
)
# What most of a page is: boxes in boxes, and words.
_PARAGRAPH = """
<section class="block block-{n} wide" id="part-{n}"><div class="inner"><div class="row">
<h2 class="title">Part {n}</h2><p class="text">Some ordinary words that say nothing to a machine,
with <b>bold</b> and <em class="soft">soft</em> ones among them, neither longer nor shorter than
they must be; <span class="note">a note, number {n}</span>, and a <code>word</code> of code.</p>
<ul class="list"><li class="item">one</li><li class="item">two</li></ul></div></div></section>"""
_PARAGRAPH_BYTES = len(_PARAGRAPH.format(n=10))


@dataclass(frozen=True, slots=True)
class Web:
    """So many hosts, served at one port."""

    hosts: int
    port: int

    @property
    def pages(self) -> int:
        """How many pages a crawler should find."""
        return self.hosts * PAGES_PER_HOST

    @property
    def seeds(self) -> list[str]:
        """The first page of every host."""
        return [self.url(host, 0) for host in range(self.hosts)]

    def url(self, host: int, page: int) -> Url:
        """Where a page is."""
        return Url(f"http://{self._name(host)}/page/{page}")

    def answers(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Everything there is: host as in `Host`, path, answer."""
        for host in range(self.hosts):
            name = self._name(host).encode()
            rules = b"User-agent: *\nDisallow: /private/\nAllow: /\n"
            yield name, b"/robots.txt", _answer("text/plain", rules)
            for page in range(PAGES_PER_HOST):
                body = self._page(host, page)
                yield name, f"/page/{page}".encode(), _answer("text/html; charset=utf-8", body)

    def _name(self, host: int) -> str:
        return f"host{host:03}.test:{self.port}"

    def _page(self, host: int, page: int) -> bytes:
        number = host * PAGES_PER_HOST + page
        written = _FORMATS[number % len(_FORMATS)]
        anchors = tuple(self._anchors(host, page))
        body = render(PageSpec(self.url(host, page), number, written, "utf-8", anchors)).body
        # Whole paragraphs: what is cut in two is no longer an ordinary page.
        count = max(0, PAGE_BYTES - len(body)) // _PARAGRAPH_BYTES
        filler = "".join(_PARAGRAPH.format(n=n) for n in range(count)).encode()
        return body.replace(b"</body>", filler + b"</body>")

    def _anchors(self, host: int, page: int) -> Iterator[Anchor]:
        chance = random.Random(host * PAGES_PER_HOST + page)
        others = [each for each in range(PAGES_PER_HOST) if each != page]
        follower = (page + 1) % PAGES_PER_HOST  # so that none is left out
        others.remove(follower)
        for other in (follower, *chance.sample(others, LINKS - LINKS_ELSEWHERE - 1)):
            yield Anchor(f"/page/{other}", f"Page {other} of this host")
        for _ in range(LINKS_ELSEWHERE):
            url = self.url(chance.randrange(self.hosts), chance.randrange(PAGES_PER_HOST))
            yield Anchor(url, f"Elsewhere: {url}")


def _answer(media_type: str, body: bytes) -> bytes:
    head = (
        "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Thu, 01 Jan 2026 12:00:00 GMT\r\n"
        f"Content-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
