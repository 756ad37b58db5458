import pyoxigraph as ox

from gossamer.extracted import Extracted, PageJob
from gossamer.model import Detection, Evidence, Syntax

HTML = Detection(
    media_type="text/html",
    evidence=(Evidence(Syntax.RDFA, "typeof"),),
    encoding="utf-8",
    encoding_why="declared",
)


def test_quads_are_read_from_the_bytes() -> None:
    page = ox.NamedNode("https://site.test/")
    quad = ox.Quad(page, ox.NamedNode("https://site.test/p"), ox.Literal("x"), page)
    extracted = Extracted(page.value, HTML, f"{quad} .\n".encode(), 1)
    assert list(extracted.quads) == [quad]
    assert extracted.syntaxes == (Syntax.RDFA,)


def test_jobs_do_not_share_their_contexts() -> None:
    one, two = PageJob("https://site.test/1", b""), PageJob("https://site.test/2", b"")
    assert one.contexts == two.contexts == {}
    assert one.contexts is not two.contexts
