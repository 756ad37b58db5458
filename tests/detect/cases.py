"""Documents as they are met: where, with what header, which bytes, and what they are."""

from typing import NamedTuple

from gossamer.model import Syntax

S = Syntax

U = "http://example.test/page"
RDF_NS = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
RDF = f'<rdf:RDF {RDF_NS}><rdf:Description rdf:about="#it"/></rdf:RDF>'
RSS = '<rss version="2.0"><channel><title>News</title></channel></rss>'
RSS_1 = f'<rdf:RDF {RDF_NS} xmlns="http://purl.org/rss/1.0/"><channel rdf:about="/"/></rdf:RDF>'
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>'
PAGE = "<!DOCTYPE html><html><head><title>A page</title></head><body><p>Text</p></body></html>"
XHTML = (
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>'
    '<p property="dc:title">T</p></body></html>'
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text property="dc:title">T</text></svg>'
TURTLE = "@prefix ex: <http://example.test/> .\nex:a ex:b ex:c ."
TRIG = "@prefix ex: <http://example.test/> .\nex:g { ex:a ex:b ex:c . }"
TRIPLE = '<http://example.test/a> <http://example.test/b> "c" .\n'
QUAD = "<http://example.test/a> <http://example.test/b> _:c <http://example.test/g> .\n"
JSON_LD = '{"@context": "https://schema.org", "@type": "Person", "name": "Ada"}'
JSON_FEED = '{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": []}'
BOM = "\ufeff"
JUNK = "Notice: Undefined index: x in /srv/feed.php on line 3\n"
WARNING = "<br />\n<b>Warning</b>: mysql_connect() in <b>/srv/f.php</b> on line <b>3</b><br />\n"
UTF_16 = "utf-16-le"


class Case(NamedTuple):
    """One document and what it is."""

    what: str
    body: str | bytes
    header: str | None
    media_type: str
    syntaxes: tuple[S, ...]
    url: str = U


H, XH, X = "text/html", "application/xhtml+xml", "application/xml"
TTL, NT, NQ, TG = "text/turtle", "application/n-triples", "application/n-quads", "application/trig"
LD, JF, RX = "application/ld+json", "application/feed+json", "application/rdf+xml"
RS, AT = "application/rss+xml", "application/atom+xml"
OCTETS, PLAIN = "application/octet-stream", "text/plain"

CASES = [
    Case("a page", PAGE, "text/html; charset=utf-8", H, (S.PAGE,)),
    Case("a page without header", PAGE, None, H, (S.PAGE,)),
    Case("a page as text", PAGE, PLAIN, H, (S.PAGE,)),
    Case("a page as octets", PAGE, OCTETS, H, (S.PAGE,)),
    Case("a page as Turtle", PAGE, TTL, H, (S.PAGE,), "http://example.test/x.ttl"),
    Case("a page as RDF/XML", PAGE, RX, H, (S.PAGE,)),
    Case("a page as JSON-LD", PAGE, LD, H, (S.PAGE,)),
    Case("a page as an image", PAGE, "image/png", H, (S.PAGE,), "http://example.test/x.png"),
    Case("a page as a stylesheet", PAGE, "text/css", H, (S.PAGE,)),
    Case("an empty doctype alone", "<!doctype html>", None, H, (S.PAGE,)),
    Case("a page with an HTML 4 doctype", f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">\n{PAGE[15:]}', None, H, (S.PAGE,)),
    Case("a page behind a comment", f"<!-- saved from url=(0014) -->\n{PAGE}", None, H, (S.PAGE,)),
    Case("a page behind a warning", JUNK + PAGE, "text/html", H, (S.PAGE,)),
    Case("a fragment without header", "<p>Hello, <b>world</b></p>", None, H, (S.PAGE,)),
    Case("a fragment as HTML", "Hello, world", H, H, (S.PAGE,)),
    Case("a fragment in the body of README", "<p>Hello</p>", "text/markdown", "text/markdown", ()),
    Case("elements of one's own as HTML", "<x-app>Hi</x-app>", H, H, (S.PAGE,)),
    Case("a page that shows Turtle", f"<html><body><pre>{TURTLE}</pre></body></html>", H, H, (S.PAGE,)),
    Case("a page that shows a feed", f"<html><body><!-- {RSS} --></body></html>", H, H, (S.PAGE,)),
    Case("a page in UTF-16", (BOM + PAGE).encode(UTF_16), None, H, (S.PAGE,)),
    Case("a page in UTF-16 without mark", PAGE.encode(UTF_16), None, H, (S.PAGE,)),
    Case("XHTML", XHTML, XH, XH, (S.PAGE, S.RDFA)),
    Case("XHTML as HTML", XHTML, H, H, (S.PAGE, S.RDFA)),
    Case("XHTML as XML", XHTML, X, XH, (S.PAGE, S.RDFA)),
    Case("XHTML without header", XHTML, None, XH, (S.PAGE, S.RDFA)),
    Case("SVG with RDFa", SVG, "image/svg+xml", "image/svg+xml", (S.RDFA,)),
    Case("SVG without RDFa", "<svg xmlns='http://www.w3.org/2000/svg'/>", None, "image/svg+xml", ()),
    Case("XML with RDFa", '<report property="dc:title">T</report>', X, X, (S.RDFA,)),
    Case("XML without RDFa", '<?xml version="1.0"?><opml version="2.0"/>', "text/x-opml", X, ()),
    Case("XML of a type of its own", "<a xmlns='urn:a'/>", "application/vnd.a+xml", "application/vnd.a+xml", ()),
    Case("RSS", RSS, RS, RS, (S.RSS,)),
    Case("RSS as HTML", RSS, H, RS, (S.RSS,)),
    Case("RSS as text", RSS, PLAIN, RS, (S.RSS,)),
    Case("RSS as XML behind mark, comments and doctype", f'{BOM}\n<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?><!-- a --><!DOCTYPE rss [<!ENTITY nbsp "&#160;">]>\n{RSS}', X, RS, (S.RSS,)),
    Case("RSS behind a warning", JUNK + f'<?xml version="1.0"?>{RSS}', RS, RS, (S.RSS,)),
    Case("RSS behind a warning in HTML", WARNING + f'<?xml version="1.0"?>{RSS}', H, RS, (S.RSS,)),
    Case("RSS in UTF-16 as octets", (BOM + RSS).encode("utf-16-be"), OCTETS, RS, (S.RSS,)),
    Case("RSS 1.0", RSS_1, RS, RS, (S.RSS,)),
    Case("RSS 1.0 as RDF/XML", RSS_1, RX, RS, (S.RSS,)),
    Case("RSS 0.91", '<!DOCTYPE rss SYSTEM "rss-0.91.dtd"><rss version="0.91"/>', X, RS, (S.RSS,)),
    Case("Atom", ATOM, AT, AT, (S.ATOM,)),
    Case("Atom as HTML", ATOM, H, AT, (S.ATOM,)),
    Case("Atom with a prefix", '<a:feed xmlns:a="http://www.w3.org/2005/Atom"/>', X, AT, (S.ATOM,)),
    Case("Atom 0.3", '<feed version="0.3" xmlns="http://purl.org/atom/ns#"/>', X, AT, (S.ATOM,)),
    Case("an entry of Atom", "<entry xmlns='http://www.w3.org/2005/Atom'/>", AT, AT, (S.ATOM,)),
    Case("some other feed", '<feed xmlns="urn:other"/>', X, X, ()),
    Case("RDF/XML", RDF, RX, RX, (S.RDF_XML,)),
    Case("RDF/XML as HTML", RDF, H, RX, (S.RDF_XML,)),
    Case("RDF/XML as Turtle", RDF, TTL, RX, (S.RDF_XML,)),
    Case("RDF/XML behind a mark as octets", BOM + RDF, OCTETS, RX, (S.RDF_XML,)),
    Case("OWL with entities", f'<!DOCTYPE rdf:RDF [<!ENTITY rdf "{RDF_NS[11:-1]}">]><rdf:RDF xmlns:rdf="&rdf;"/>', X, RX, (S.RDF_XML,)),
    Case("RDF/XML that is one node", f'<f:Person xmlns:f="urn:f" {RDF_NS} rdf:about="#me"/>', X, RX, (S.RDF_XML,)),
    Case("RDF/XML without any rdf:about", f'<f:Person xmlns:f="urn:f" {RDF_NS}/>', RX, RX, (S.RDF_XML,)),
    Case("JSON-LD", JSON_LD, LD, LD, (S.JSON_LD,)),
    Case("JSON-LD with a profile", JSON_LD, 'application/ld+json;profile="urn:p"', LD, (S.JSON_LD,)),
    Case("JSON-LD as JSON", JSON_LD, "application/json", LD, (S.JSON_LD,)),
    Case("JSON-LD as text", f"\n{JSON_LD}", PLAIN, LD, (S.JSON_LD,)),
    Case("JSON-LD as HTML", JSON_LD, H, LD, (S.JSON_LD,)),
    Case("JSON-LD as a script", JSON_LD, "text/javascript", LD, (S.JSON_LD,)),
    Case("JSON-LD in UTF-16", (BOM + JSON_LD).encode(UTF_16), LD, LD, (S.JSON_LD,)),
    Case("broken JSON-LD", "// made by hand\n{'@type': 'x'}", LD, LD, (S.JSON_LD,)),
    Case("expanded JSON-LD", '[{"@id": "a", "http://example.test/b": [{"@value": 1}]}]', "application/json", LD, (S.JSON_LD,)),
    Case("activity streams", JSON_LD, "application/activity+json", LD, (S.JSON_LD,)),
    Case("attributes as JSON", '{"@id": "5", "@type": "row"}', "application/json", "application/json", ()),
    Case("JSON", '{"a": 1}', "application/json", "application/json", ()),
    Case("JSON of a type of its own", '{"a": 1}', "application/geo+json", "application/geo+json", ()),
    Case("a page that begins with a brace", f'{{"a": 1}} {PAGE}', H, H, (S.PAGE,)),
    Case("JSON Feed", JSON_FEED, JF, JF, (S.JSON_FEED,)),
    Case("JSON Feed as JSON", JSON_FEED.replace("/", "\\/"), "application/json", JF, (S.JSON_FEED,)),
    Case("Turtle", TURTLE, TTL, TTL, (S.TURTLE,)),
    Case("Turtle as text", TURTLE, "text/plain; charset=iso-8859-1", TTL, (S.TURTLE,)),
    Case("Turtle as HTML", TURTLE, H, TTL, (S.TURTLE,)),
    Case("Turtle as RDF/XML", TURTLE, RX, TTL, (S.TURTLE,)),
    Case("Turtle as N-Triples", TURTLE, NT, TTL, (S.TURTLE,)),
    Case("Turtle as Notation 3", TURTLE, "text/n3", TTL, (S.TURTLE,)),
    Case("Turtle behind comments and a mark", f"{BOM}# Made by us\n#\n\n{TURTLE}", None, TTL, (S.TURTLE,)),
    Case("Turtle with words of SPARQL", "PREFIX ex: <http://x.test/>\nex:a ex:b 1 .", PLAIN, TTL, (S.TURTLE,)),
    Case("Turtle without prefixes", '<#me> a <http://x.test/Person> ;\n <http://x.test/n> "Ada" .', PLAIN, TTL, (S.TURTLE,)),
    Case("Turtle in braces within strings", '@prefix e: <http://x.test/> .\ne:a e:b "{" , """{ " }""" . # {', None, TTL, (S.TURTLE,)),
    Case("Turtle of one long line", f'<http://x.test/a> <http://x.test/b> "{"c" * 9000}" .', PLAIN, TTL, (S.TURTLE,)),
    Case("Turtle of relative names by header", "<a> <b> <c> .", TTL, TTL, (S.TURTLE,)),
    Case("Turtle by its suffix", "ex:a ex:b ex:c .", PLAIN, TTL, (S.TURTLE,), "http://x.test/a.ttl"),
    Case("no Turtle, whatever its suffix", "Not found", PLAIN, TTL, (), "http://x.test/a.ttl"),
    Case("relative names alone", "<a> <b> <c> .", None, PLAIN, ()),
    Case("a query", "PREFIX ex: <http://x.test/>\nSELECT * { ?a ex:b ?c }", PLAIN, PLAIN, ()),
    Case("prose about Turtle", f"In Turtle one writes:\n\n{TURTLE}", PLAIN, PLAIN, ()),
    Case("N-Triples", TRIPLE, NT, NT, (S.N_TRIPLES,)),
    Case("N-Triples as text", TRIPLE * 3, PLAIN, NT, (S.N_TRIPLES,)),
    Case("N-Triples as HTML", TRIPLE.replace("c", "<html>"), H, NT, (S.N_TRIPLES,)),
    Case("N-Triples as Turtle", TRIPLE, TTL, TTL, (S.TURTLE,)),
    Case("N-Triples with a broken line", TRIPLE * 10 + "oops\n" + TRIPLE, None, NT, (S.N_TRIPLES,)),
    Case("N-Quads", TRIPLE + QUAD, NQ, NQ, (S.N_QUADS,)),
    Case("N-Quads as octets", TRIPLE + QUAD, OCTETS, NQ, (S.N_QUADS,)),
    Case("N-Quads as N-Triples", QUAD, NT, NQ, (S.N_QUADS,)),
    Case("triples as N-Quads", TRIPLE, NQ, NQ, (S.N_QUADS,)),
    Case("TriG", TRIG, TG, TG, (S.TRIG,)),
    Case("TriG as text", TRIG, PLAIN, TG, (S.TRIG,)),
    Case("TriG as Turtle", TRIG, TTL, TG, (S.TRIG,)),
    Case("TriG without prefixes", "GRAPH <http://x.test/g> { <http://x.test/a> a <http://x.test/b> }", None, TG, (S.TRIG,)),
    Case("Turtle as TriG", TURTLE, TG, TG, (S.TRIG,)),
    Case("a PDF", b"%PDF-1.7\n%\xe2\xe3", "text/html", "application/pdf", (S.PDF,)),
    Case("an image as HTML", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", H, "image/png", ()),
    Case("an archive without header", b"PK\x03\x04\x14\0\0\0", None, "application/zip", ()),
    Case("an archive by header", b"\x1f\x8b\x08\0", "application/x-tgz", "application/gzip", ()),
    Case("a letter", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "application/msword", "application/msword", ()),
    Case("a film", b"\0\0\0\x18ftypmp42\0", "video/quicktime", "video/quicktime", ()),
    Case("a font", b"wOF2\0\1\0\0", OCTETS, "font/woff2", ()),
    Case("a program", b"MZ\x90\0\x03\0", OCTETS, "application/x-msdownload", ()),
    Case("an image that is none", "oops", "image/jpeg", "image/jpeg", ()),
    Case("a stylesheet", "<!-- a { color: red } -->", "text/css", "text/css", ()),
    Case("a stylesheet by its suffix", "a { color: red }", None, "text/css", (), "http://x.test/a.css?v=2"),
    Case("a script", "<!--\nlet a = {}", "application/javascript", "application/javascript", ()),
    Case("a table", "a,b\n1,2\n", "text/csv", "text/csv", ()),
    Case("text", "Hello, world", PLAIN, PLAIN, ()),
    Case("unknown bytes", b"\x01\x02\x03\0\xff", None, OCTETS, ()),
    Case("unknown bytes of a known type", b"\x01\x02\0\xff", "application/x-secret", "application/x-secret", ()),
    Case("nothing", b"", None, PLAIN, ()),
    Case("nothing but white space", b" \r\n\t\0", H, H, ()),
]  # fmt: skip
