"""Ordinary pages: of about 15 KB, with one or several syntaxes each, or none, and 40 links."""

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Url

URL = Url("http://www.example.test/list")
_ANCHORS = tuple(Anchor(f"/things/{number}", f"Thing {number}") for number in range(40))
_FORMATS = (
    *(Format.HTML, Format.RDFA, Format.JSON_LD_IN_HTML, Format.JSON_LD_IN_HTML, Format.MICRODATA),
    *(Format.OPEN_GRAPH, Format.MIXED),
)
# What most of a page is: boxes in boxes, and words.
_PARAGRAPH = """
<section class="block block-{n} wide" id="part-{n}"><div class="inner"><div class="row">
<h2 class="title">Part {n}</h2><p class="text">Some ordinary words that say nothing to a machine,
with <b>bold</b> and <em class="soft">soft</em> ones among them, neither longer nor shorter than
they must be; <span class="note">a note, number {n}</span>, and a <code>word</code> of code.</p>
<ul class="list"><li class="item">one</li><li class="item">two</li></ul></div></div></section>"""


def pages() -> list[bytes]:
    """Three of each kind."""
    specs = (
        PageSpec(URL, number, each, "utf-8", _ANCHORS) for number in range(3) for each in _FORMATS
    )
    filler = "".join(_PARAGRAPH.format(n=n) for n in range(22)).encode()
    return [render(spec).body.replace(b"</body>", filler + b"</body>") for spec in specs]
