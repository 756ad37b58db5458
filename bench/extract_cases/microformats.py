"""Microformats: demo pages, a blog and a directory in classic names, by us and by mf2py.

Both read a page into the JSON of the microformats 2 parsing specification, on a tree of
their own making; we also do the statements. Pages without microformats show what those pay.
"""

import argparse
import json
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence

import mf2py

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats import render
from gossamer.model import Url
from gossamer.transform.document import Document
from gossamer.transform.microformats import microformats_statements
from gossamer.transform.microformats.json_model import microformats_json

URL = Url("http://blog.example.test/")
ROUNDS = 5
_ANCHORS = tuple(Anchor(f"/things/{number}", f"Thing {number}") for number in range(30))
# mf2py tells of deprecations in the parser that it uses.
warnings.simplefilter("ignore", DeprecationWarning)


def pages() -> list[bytes]:
    """Pages with one item each, blogs with many, and classic cards."""
    return [*_demo(Format.MICROFORMATS), *map(_blog, (3, 10, 30)), *map(_directory, (10, 50))]


def pages_without() -> list[bytes]:
    """Pages that hold no microformats, among them one styled with `h-4 h-full`."""
    return [*_demo(Format.MICRODATA), *_demo(Format.HTML), *map(_styled, (20, 100, 400))]


def ours(page: bytes) -> int:
    """How many top-level items we find."""
    return len(microformats_json(Document(URL, page))["items"])


def statements(page: bytes) -> int:
    """How many statements we find."""
    return sum(1 for _ in microformats_statements(Document(URL, page)))


def peer(page: bytes) -> int:
    """How many top-level items mf2py finds."""
    return len(mf2py.parse(page.decode(), url=URL)["items"])


def _demo(format_: Format) -> list[bytes]:
    return [render(PageSpec(URL, number, format_, "utf-8", _ANCHORS)).body for number in range(12)]


def _page(body: str) -> bytes:
    links = "".join(f'<li class="nav-item"><a href="/{n}">Link {n}</a></li>' for n in range(40))
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>A page</title></head><body>'
        f'<nav class="site-nav"><ul>{links}</ul></nav><main>{body}</main></body></html>'
    ).encode()


def _blog(count: int) -> bytes:
    entries = "".join(
        f"""<article class="h-entry post post-{n}"><h2 class="p-name">
  <a class="u-url" href="/posts/{n}">Post {n}</a></h2>
  <p class="byline">By <a class="p-author h-card" href="/about"><img src="/me.jpg" alt="Ada"></a>
  on <time class="dt-published" datetime="2024-05-0{n % 9 + 1}T10:00:00+02:00">May</time></p>
  <div class="e-content"><p>{"Some words of a post, and more of them. " * 12}</p>
  <p>{"And <em>another</em> paragraph. " * 8}</p></div>
  <p><a class="p-category" href="/tags/garden">garden</a></p></article>"""
        for n in range(count)
    )
    return _page(f'<div class="h-feed"><h1 class="p-name">A blog</h1>{entries}</div>')


def _directory(count: int) -> bytes:
    return _page(
        "".join(
            f"""<div class="vcard"><a class="fn url" href="/people/{n}">Person {n}</a>
  <span class="org">Company {n % 7}</span> <span class="tel"><span class="type">work</span>
  <span class="value">+49 30 {n:06}</span></span> <div class="adr">
  <span class="street-address">Long Street {n}</span> <span class="locality">Town</span></div>
  </div>"""
            for n in range(count)
        )
    )


def _styled(count: int) -> bytes:
    return _page(
        f'<div class="flex h-full min-h-screen items-center"><img class="h-4 w-4" src="/i.svg">'
        f'<a class="p-4 text-lg" href="/x">{"Words with something in them. " * 5}</a></div>' * count
    )


def _seconds_per_page(work: Callable[[bytes], int], over: Sequence[bytes]) -> float:
    started = time.perf_counter()
    for page in over:
        work(page)
    return (time.perf_counter() - started) / len(over)


def _seconds_without(over: Sequence[bytes]) -> float:
    """What the transform adds to a page that was read for other reasons."""
    documents = [Document(URL, page) for page in over]
    started = time.perf_counter()
    for document in documents:
        assert not list(microformats_statements(document))
    return (time.perf_counter() - started) / len(over)


def _parse(page: bytes) -> int:
    return len(Document(URL, page).html.css("title"))


def main() -> None:
    """Print the figures of this syntax alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 3 if parser.parse_args().quick else ROUNDS
    held, without = pages(), pages_without()
    assert all(ours(page) == peer(page) for page in held)
    taken: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        taken["ours"].append(_seconds_per_page(ours, held))
        taken["statements"].append(_seconds_per_page(statements, held))
        taken["peer"].append(_seconds_per_page(peer, held))
        taken["without"].append(_seconds_without(without))
        taken["parse"].append(_seconds_per_page(_parse, without))
    best = {name: min(seconds) for name, seconds in taken.items()}
    figures = {f"{name}_us_per_page": round(1e6 * seconds, 1) for name, seconds in best.items()}
    ratios = {
        "model": round(best["peer"] / best["ours"], 1),
        "statements": round(best["peer"] / best["statements"], 1),
        "without_over_parse": round(best["without"] / best["parse"], 3),
    }
    for name, figure in {**figures, **ratios}.items():
        print(f"{name:24} {figure}", file=sys.stderr)
    print(json.dumps({"name": "microformats", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
