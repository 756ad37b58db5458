"""One call from bytes to quads: the demo web to the letter, and what goes wrong on the way."""

import gzip
import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat

import gossamer
from gossamer.config import Transform as Options
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World
from gossamer.model import Cause, Syntax
from gossamer.reading.extraction import extract, extract_page
from gossamer.reading.jobs import PageJob
from gossamer.values import Addresses

URL = "http://a.test/page"
WORLD = World(seed=3, pages=220, hosts=12)


def canonical(quads: list[Quad]) -> set[str]:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return {str(quad) for quad in dataset}


@pytest.mark.parametrize(
    "numbers", [range(start, start + 55) for start in range(0, 220, 55)], ids=str
)
def test_every_page_of_the_demo_web_says_what_it_is_known_to_say(numbers: range) -> None:
    for number in numbers:
        page = WORLD.page(number)
        made = rendered(WORLD, page)
        found = extract(made.body, url=page.url, content_type=made.content_type)
        graph = pyoxigraph.NamedNode(page.url)
        lines = "\n".join(sorted(made.statements))
        known = [
            Quad(quad.subject, quad.predicate, quad.object, graph)
            for quad in pyoxigraph.parse(lines.encode(), RdfFormat.N_TRIPLES)
        ]
        assert canonical(list(found.quads)) == canonical(known), page
        assert found.count == made.quads == len(found.nquads.splitlines())


def test_the_contract_of_the_python_package() -> None:
    body = (
        b'<title>T</title><div vocab="http://schema.org/" typeof="Person"><b property="name">N</b>'
    )
    page = gossamer.extract(body, url="https://example.org/", content_type="text/html")
    assert {quad.graph_name.value for quad in page.quads} == {"https://example.org/"}  # type: ignore[union-attr]
    assert all(isinstance(quad, Quad) for quad in page.quads)
    assert page.nquads.count(b"\n") == page.count
    assert (page.links, page.problems) == ((), ())
    assert Syntax.RDFA in page.syntaxes


@given(st.text() | st.text().map("http://a.test/{}".format) | st.text().map("http://{}".format))
def test_whatever_its_address_a_page_writes_quads_and_only_its_own(url: str) -> None:
    try:
        page = extract(TRIG, url=url, content_type="application/trig")
    except ValueError:  # it has no scheme
        return
    quads = list(page.quads)
    assert len(quads) == page.count
    assert page.count or page.problems
    graphs = {str(quad.graph_name)[1:-1].partition("#")[0] for quad in quads}
    assert len(graphs) <= 1


def test_a_fragment_is_no_part_of_a_pages_name() -> None:
    page = extract(
        TRIG, url="http://a.test/p#graph-0123456789abcdef", content_type="application/trig"
    )
    assert (
        page.nquads == extract(TRIG, url="http://a.test/p", content_type="application/trig").nquads
    )


def test_what_is_no_argument_is_told_what_would_be() -> None:
    with pytest.raises(TypeError, match="body must be bytes as they came, or str, not PosixPath"):
        extract(Path("page.html"), url=URL)  # type: ignore[arg-type]  # that is the point
    assert "is no address" in extract(b"<p>", url="http://[/").problems[0].message
    assert extract(b"<title>T</title>", url=URL, syntaxes=[]).count == 0
    assert extract(b"<title>T</title>", url=URL, syntaxes="page,rdfa").count == 1
    options = Options(keep_graphs=True)
    kept = extract(TRIG, url=URL, content_type="application/trig", options=options)
    assert b"<http://v.test/victim> .\n" in kept.nquads


def test_only_the_named_syntaxes_are_read() -> None:
    body = (
        b'<title>T</title><div vocab="http://schema.org/" typeof="Person"><b property="name">N</b>'
    )
    page = extract(body, url=URL, syntaxes={"rdfa"})
    assert b"dc/terms/title" not in page.nquads
    assert b"schema.org/name" in page.nquads
    assert extract(body, url=URL, syntaxes={"none"}).count == 0
    with pytest.raises(ValueError, match="syntaxes: 'rfda' is no syntax; did you mean 'rdfa'"):
        extract(body, url=URL, syntaxes={"rfda"})


def test_known_contexts_are_taken_and_unknown_ones_named() -> None:
    body = json.dumps(
        {"@context": "http://c.test/ctx", "@id": "http://a.test/x", "name": "N"}
    ).encode()
    page = extract(body, url=URL, content_type="application/ld+json")
    assert page.count == 0
    assert [problem.wants for problem in page.problems if problem.wants] == ["http://c.test/ctx"]
    context = json.dumps({"@context": {"name": "http://v.test/name"}})
    page = extract(
        body, url=URL, content_type="application/ld+json", contexts={"http://c.test/ctx": context}
    )
    assert page.nquads == b'<http://a.test/x> <http://v.test/name> "N" <http://a.test/page> .\n'


@pytest.mark.parametrize(
    "language", ["e", "abcdefghi", "en-a", "x", "de-CH-1996", "zh-Hans-CN", "not a tag"]
)
def test_a_language_that_is_none_costs_itself_alone(language: str) -> None:
    context = {"@vocab": "http://v.test/", "@language": language}
    body = json.dumps({"@context": context, "@id": "http://a.test/x", "name": "N"}).encode()
    page = extract(body, url=URL, content_type="application/ld+json")
    (quad,) = page.quads
    assert quad.object.value == "N"  # type: ignore[union-attr]


TRIG = b'@prefix x: <http://v.test/> . x:victim { x:s x:p "stolen" } x:s x:p "own" .'


def test_a_page_speaks_only_for_itself_unless_asked_to_the_letter() -> None:
    page = extract(TRIG, url=URL, content_type="application/trig")
    graphs = {str(quad.graph_name) for quad in page.quads}
    assert all(graph.startswith(f"<{URL}") for graph in graphs)
    kept = extract(TRIG, url=URL, content_type="application/trig", keep_graphs=True)
    assert {str(quad.graph_name) for quad in kept.quads} == {"DEFAULT", "<http://v.test/victim>"}


def test_links_come_from_html_and_from_statements() -> None:
    page = extract(b'<a href="/x#y">label</a> <a rel=nofollow href="z">z</a>', url=URL)
    assert [(link.url, link.label, link.nofollow) for link in page.links] == [
        ("http://a.test/x", "label", False),
        ("http://a.test/z", "z", True),
    ]
    turtle = b"<> <http://www.w3.org/2000/01/rdf-schema#seeAlso> <http://b.test/> ."
    (link,) = extract(turtle, url=URL, content_type="text/turtle").links
    assert link.url == "http://b.test/"


def test_content_codings_are_undone_within_a_limit() -> None:
    packed = gzip.compress(b"<title>T</title>")
    page = extract_page(PageJob(URL, packed, "text/html", "gzip"))
    assert page.count == 1
    bomb = gzip.compress(b"<title>T</title>" + b" " * 10_000_000)
    page = extract_page(PageJob(URL, bomb, "text/html", "gzip", max_decoded_bytes=1_000))
    assert page.count == 1
    assert "more than 1,000 bytes" in page.problems[0].message


def test_wishes_to_robots_are_handed_on() -> None:
    page = extract(
        b'<meta name="robots" content="noindex"><meta name=gossamer content=nofollow>', url=URL
    )
    assert page.directives == (("robots", "noindex"), ("gossamer", "nofollow"))


def test_what_is_no_page_is_skipped_with_a_reason() -> None:
    page = extract(b"%PDF-1.7 ...", url=URL, content_type="application/pdf")
    assert page.count == 0
    assert "PDF" in page.problems[0].message


def test_limits_are_problems_and_what_came_before_counts() -> None:
    lines = b"".join(b'<http://a.test/%d> <http://v.test/p> "x" .\n' % n for n in range(100))
    page = extract(
        lines, url=URL, content_type="application/n-triples", options=Options(max_quads=10)
    )
    assert page.count == 10
    assert "more than 10 quads" in page.problems[0].message
    page = extract(
        lines, url=URL, content_type="application/n-triples", options=Options(max_nquads_bytes=1024)
    )
    assert 0 < page.count < 100
    assert len(page.nquads) <= 1024


SAME_EVERYWHERE = """
import hashlib
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World
from gossamer.reading.extraction import extract
world, digest = World(seed=5, pages=60, hosts=6), hashlib.sha256()
for number in range(60):
    page = world.page(number)
    made = rendered(world, page)
    digest.update(extract(made.body, url=page.url, content_type=made.content_type).nquads)
print(digest.hexdigest())
"""


def test_the_same_bytes_give_the_same_quads_in_the_same_order_everywhere() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", SAME_EVERYWHERE],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, locale, zone in (("0", "C", "UTC"), ("1", "C.UTF-8", "Asia/Tokyo"))
    }
    assert len(digests) == 1


@given(
    st.binary(max_size=300),
    st.sampled_from([None, "text/html", "text/turtle", "application/xml", "x"]),
)
def test_arbitrary_bytes_never_raise(body: bytes, content_type: str | None) -> None:
    page = extract(body, url=URL, content_type=content_type)
    assert not [problem for problem in page.problems if "Our reader failed" in problem.message]


SHEET = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v.test/">
<xsl:template match="/book"><rdf:RDF><rdf:Description rdf:about=""><v:title>
<xsl:value-of select="title"/></v:title></rdf:Description></rdf:RDF></xsl:template>
</xsl:stylesheet>"""


def test_any_xml_is_read_by_the_users_stylesheet(tmp_path: Path) -> None:
    (tmp_path / "book.xsl").write_text(SHEET)
    options = Options(stylesheets={"book": str(tmp_path / "book.xsl")})
    book = b"<book><title>T</title></book>"
    page = extract(book, url=URL, content_type="application/xml", options=options)
    assert b"<http://v.test/title>" in page.nquads
    assert page.problems == ()
    without = extract(book, url=URL, content_type="application/xml")
    assert without.count == 0
    assert without.problems  # says why there is nothing in it


def test_a_service_is_asked_for_pages_of_a_crawl_and_never_by_the_function() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(0.5)
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        options = Options(
            services={"text/csv": Addresses(address)}, time_limit=timedelta(seconds=0.5)
        )
        extract(b"a,b", url=URL, content_type="text/csv", options=options)
        with pytest.raises(TimeoutError):
            silent.accept()
        page = extract_page(PageJob(URL, b"a,b", "text/csv", options=options))
        silent.accept()[0].close()
    assert "did not answer" in page.problems[0].message


@pytest.mark.parametrize("content_type", [None, "application/n-quads"])
def test_broken_lines_do_not_make_n_quads_something_else(content_type: str | None) -> None:
    lines = b'<x:s> <x:p> "1" <x:g> .\ngarbage line\n<x:s> <x:p> "2" <x:g> .\n'
    page = extract(lines, url=f"{URL}.nq", content_type=content_type)
    assert page.count == 2
    assert [problem.line for problem in page.problems] == [2]


def test_behind_an_error_in_a_graph_nothing_is_said_outside_it() -> None:
    trig = b'<x:g> { <x:s> <x:p> "1" . bad ] . <x:s> <x:p> "2" . } <x:s> <x:p> "3" .'
    page = extract(trig, url=URL, content_type="application/trig", keep_graphs=True)
    assert page.nquads == b'<x:s> <x:p> "1" <x:g> .\n'
    assert page.problems


def test_only_the_first_links_are_taken_where_there_is_a_limit() -> None:
    body = b"".join(b'<a href="/%d">x</a>' % (number // 2) for number in range(9))
    page = extract_page(PageJob(URL, body, "text/html", max_links=4))
    assert [link.url[-2:] for link in page.links] == ["/0", "/1"]


def test_a_page_that_could_not_be_unpacked_in_whole_says_so() -> None:
    packed = gzip.compress(b"<title>x</title>" * 99)
    assert extract_page(PageJob(URL, packed, "text/html", "gzip")).cause is None
    half = extract_page(PageJob(URL, packed[:-9], "text/html", "gzip"))
    assert half.cause is Cause.TRUNCATED
    assert "ends too early" in half.problems[0].message


def test_of_a_page_that_is_not_all_there_no_text_is_taken() -> None:
    packed = gzip.compress(b"<title>x</title><p>What people see.</p>" * 99)
    whole = PageJob(URL, packed, "text/html", "gzip", hashes=True, text="lead")
    assert all((extract_page(whole).text, extract_page(whole).text_hash))
    for job in (replace(whole, body=packed[:-9]), replace(whole, max_decoded_bytes=1_000)):
        found = extract_page(job)
        assert found.cause is not None
        assert not any((found.text, found.text_hash, found.sketch))
    part = extract_page(replace(whole, max_decoded_bytes=1_000, takes_part=True))
    assert all((part.text, part.text_hash))


HOSTILE = {
    "nested elements": b"<div itemscope typeof=x class=h-card>" * 100_000,
    "nested json": b'<script type="application/ld+json">' + b'{"a":[' * 50_000 + b"</script>",
    "one long line": b"<p property='x'>" + b"a" * 3_000_000,
    "nuls": b"\x00" * 100_000 + b"<title>x</title>",
    "broken utf-8": b"<title>" + b"\xff\xfe\xed\xa0\x80" * 10_000,
    "entity bomb": b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(
        b'<!ENTITY a%d "%s">' % (n, b"&a%s;" % (str(n - 1).encode() if n else b"") * 10)
        for n in range(9)
    )
    + b']><rss version="2.0"><channel><title>&a8;</title></channel></rss>',
    "external entity": b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b'<rss version="2.0"><channel><title>&x;</title></channel></rss>',
    "nested turtle": b"<http://a.test/> <http://a.test/p> " + b"[ <http://a.test/p> " * 50_000,
    "nested xml": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    + b"<a>" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read_as_far_as_they_go(name: str) -> None:
    page = extract(HOSTILE[name], url=URL)
    assert not [problem for problem in page.problems if "Our reader failed" in problem.message]
    assert b"root:" not in page.nquads
    assert len(page.nquads) < 80_000_000


def test_lost_characters_are_a_problem_and_those_that_a_page_wrote_are_none() -> None:
    header = "text/html; charset=utf-8"
    lost = extract(b"<title>caf\xe9</title>", url="http://example.test/", content_type=header)
    assert [problem.message for problem in lost.problems] == [
        "Characters are lost: some bytes are not utf-8, and are read as U+FFFD."
    ]
    written = extract(
        "<title>caf\ufffd</title>".encode(), url="http://example.test/", content_type=header
    )
    assert written.problems == ()


@pytest.mark.parametrize("name", ["extract", "crawl"])
def test_a_package_with_the_name_of_a_function_is_called_as_that(name: str) -> None:
    # In a process of its own: here, others have imported everything.
    code = f"import gossamer.{name}; gossamer.{name}(nonsense=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "TypeError" in done.stderr
    assert "nonsense" in done.stderr
