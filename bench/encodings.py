"""Measures which guesser of encodings is right most often, on pages of ours that declare none.

`.venv/bin/python bench/encodings.py` prints a line for our own rule and one for each library that is
installed: chardetng-py is, the others are measured where somebody has added them (chardet,
faust-cchardet, charset-normalizer). The last line is JSON.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.detect.languages import Sample, samples

from gossamer.detect.guess import by_custom, guessed
from gossamer.detect.labels import codec_of

NOWHERE = "http://page.test/"
OURS = "ours, at the domain of the language"
TABLE = "the table of the HTML standard, at the domain"
Guess = Callable[[Sample], str | None]


def guessers() -> Iterator[tuple[str, Guess]]:
    yield OURS, lambda page: ours(page, f"http://a.{page.domain}/")
    yield "ours, without a domain", lambda page: ours(page, NOWHERE)
    yield TABLE, by_table
    try:
        import chardetng_py

        yield "chardetng-py", lambda page: str(chardetng_py.detect(page.body))
    except ImportError:
        pass
    for name in ("chardet", "cchardet", "charset_normalizer"):
        try:
            library = __import__(name)
        except ImportError:
            continue
        yield name, lambda page, detect=library.detect: detect(page.body)["encoding"]  # type: ignore[misc]
    yield "always windows-1252", lambda _: "windows-1252"


def ours(page: Sample, url: str) -> str:
    return guessed(page.body, url)[0]


def by_table(page: Sample) -> str:
    return by_custom(page.body, "", page.domain)[0]


def is_right(page: Sample, label: str | None) -> bool:
    """Whether the text comes out, which several encodings may have in common."""
    try:
        return page.body.decode(codec_of(label or "") or label or "ascii") == page.page
    except (LookupError, UnicodeDecodeError):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the same: it takes a second")
    parser.add_argument("--tiny", action="store_true", help="a few pages: whether it runs at all")
    given = parser.parse_args()
    pages = list(samples())[: 4 if given.tiny else None]
    print(f"{len(pages)} pages, {len({page.codec for page in pages})} encodings", file=sys.stderr)
    print(f"{'guesser':50}{'right':>8}{'µs a page':>12}", file=sys.stderr)
    figures: dict[str, dict[str, int]] = {}
    for name, guess in guessers():
        guess(pages[0])  # what it loads is not counted
        began = time.process_time()
        labels = [guess(page) for page in pages]
        micros = (time.process_time() - began) / len(pages) * 1e6
        right = sum(map(is_right, pages, labels))
        print(f"{name:50}{right:8}{micros:12.0f}", file=sys.stderr)
        figures[name] = {"right": right, "micros_a_page": round(micros)}
    ours, peer = figures[OURS]["right"], figures[TABLE]["right"]
    ratios = {"right_by_the_table": round(ours / peer, 2)}
    result = {"name": "encodings", "ratios": ratios, "figures": {"pages": len(pages), **figures}}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
