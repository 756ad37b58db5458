"""PDF documents written by hand: objects, a table of where they are, and a trailer."""

import zlib
from collections.abc import Mapping

XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="uuid:4711" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cc="http://creativecommons.org/ns#">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tides of brass</rdf:li></rdf:Alt></dc:title>
<cc:license rdf:resource="https://creativecommons.org/licenses/by/4.0/"/>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def stream(
    data: bytes, *, length: int | None = None, packed: bool = False, more: str = ""
) -> bytes:
    """A stream object's body; `length` is what it claims."""
    data = zlib.compress(data, 9) if packed else data
    says = len(data) if length is None else length
    filtered = "/Filter /FlateDecode " if packed else ""
    return f"<< {filtered}{more}/Length {says} >>\nstream\n".encode() + data + b"\nendstream"


def shown(text: str) -> bytes:
    """The content of a page that shows a text."""
    return f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()


def made(objects: Mapping[int, bytes], trailer: str = "/Root 1 0 R") -> bytes:
    """A document of these objects."""
    body, places = b"%PDF-1.7\n", {}
    for number, content in objects.items():
        places[number] = len(body)
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(
        b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
        for number in range(max(objects) + 1)
    )
    size = max(objects) + 1
    return (
        body
        + b"xref\n0 %d\n" % size
        + table
        + f"trailer\n<< /Size {size} {trailer} >>\nstartxref\n{len(body)}\n%%EOF\n".encode()
    )


def document(
    *texts: str, xmp: str = "", information: str = "", content: bytes | None = None
) -> bytes:
    """A document with a page for each text."""
    metadata = "/Metadata 4 0 R " if xmp else ""
    kids = " ".join(f"{10 + 2 * number} 0 R" for number in range(len(texts)))
    objects = {
        1: f"<< /Type /Catalog /Pages 2 0 R {metadata}>>".encode(),
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        5: f"<< {information} >>".encode(),
    }
    if xmp:
        objects[4] = stream(xmp.encode(), more="/Type /Metadata /Subtype /XML ")
    for number, text in enumerate(texts):
        objects[10 + 2 * number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (11 + 2 * number)
        )
        objects[11 + 2 * number] = content or stream(shown(text))
    return made(objects, "/Root 1 0 R /Info 5 0 R")
