"""A file and a server that must never be touched, and stylesheets that try."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

XSL = 'version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"'
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
SECRET = "the canary sang"


def sheet(inside: str, declarations: str = "") -> bytes:
    """A stylesheet around its templates."""
    return f"<xsl:stylesheet {XSL} {declarations}>{inside}</xsl:stylesheet>".encode()


def making_rdf(value: str) -> bytes:
    """A stylesheet whose result says one thing, with a value that XPath finds."""
    return sheet(
        f'<xsl:template match="/"><rdf:RDF><rdf:Description rdf:about="">'
        f'<rdf:value><xsl:value-of select="{value}"/></rdf:value></rdf:Description></rdf:RDF>'
        "</xsl:template>",
        f'xmlns:rdf="{RDF}"',
    )


class Canary:
    """Where to look for a secret, and who looked."""

    def __init__(self, folder: Path, port: int) -> None:
        self.asked: list[str] = []
        self.file = folder / "canary.xml"
        self.file.write_bytes(sheet(f'<xsl:template match="/"><x>{SECRET}</x></xsl:template>'))
        self.written = folder / "written.xml"
        self.addresses = (self.file.as_uri(), str(self.file), f"http://127.0.0.1:{port}/canary.xml")

    def attempts(self) -> Iterator[bytes]:
        """Stylesheets that try to read the canary, or to write beside it."""
        for address in self.addresses:
            yield making_rdf(f"document('{address}')")
            yield making_rdf(f"document('{address}')//*")
            yield sheet(f'<xsl:include href="{address}"/>')
            yield sheet(f'<xsl:import href="{address}"/>')
            doctype = f'<!DOCTYPE x [<!ENTITY x SYSTEM "{address}">]>'
            yield doctype.encode() + sheet('<xsl:template match="/"><x>&x;</x></xsl:template>')
            yield f'<!DOCTYPE x SYSTEM "{address}">'.encode() + making_rdf("'x'")
            yield f'<?xml-stylesheet href="{address}"?>'.encode() + making_rdf("'x'")
        exsl = 'xmlns:exsl="http://exslt.org/common" extension-element-prefixes="exsl"'
        for element, declared in (("exsl:document", exsl), ("xsl:document", "")):
            writing = f'<{element} href="{self.written}"><x/></{element}>'
            yield sheet(f'<xsl:template match="/">{writing}</xsl:template>', declared)

    def assert_untouched(self, found: object) -> None:
        """Nobody asked, nothing was written, and nothing of it is in what was found."""
        assert self.asked == []
        assert not self.written.exists()
        assert SECRET not in str(found)


@contextmanager
def canary(folder: Path) -> Iterator[Canary]:
    """A canary on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            bird.asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(bird.file.read_bytes())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        bird = Canary(folder, server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield bird
        finally:
            server.shutdown()
            thread.join()
