"""Take pictures of every web page: at three widths, light and dark, of a crawl of the demo web.

`make screenshots` writes them to `build/screenshots`. `--docs` writes the few that the documentation
shows to `docs/images` instead. Pictures differ from run to run only where a page shows a time or a rate.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).resolve().parent.parent
WIDTHS: Final = {"phone": 390, "900": 900, "wide": 1440}
SCHEMES: Final = ("light", "dark")
HEIGHT: Final = 900
WORLD: Final = ("--seed", "3", "--pages", "240", "--hosts", "9", "--malice")
QUERY: Final = (
    "SELECT ?type (COUNT(*) AS ?count) { ?s a ?type } GROUP BY ?type ORDER BY DESC(?count)"
)
PAGES: Final[Mapping[str, str]] = {
    "front": "/",
    "search": "/search?q=the",
    "thing": "/entity?id={id}",
    "query": f"/query?query={quote(QUERY)}",
    "ask": "/query",
    "crawl": "/crawl",
    "hosts": "/hosts",
    "problems": "/problems",
    "changes": "/changes",
    "report": "/report",
    "freshness": "/freshness",
    "audit": "/audit",
    "nodes": "/nodes",
    "log": "/log",
    "explain": "/explain?url={source}",
    "page": "/page?url={source}",
    "owner": "/site-owner?host=www.site0.test",
    "settings": "/settings",
    "proxy": "/proxy",
    "login": "/login",
    "missing": "/nothing-here",
}
# Those that the documentation shows: page, width, scheme.
SHOWN: Final[Mapping[str, tuple[str, str, str]]] = {
    "front": ("front", "900", "light"),
    "search": ("search", "900", "light"),
    "thing": ("thing", "900", "light"),
    "query": ("query", "900", "light"),
    "crawl": ("crawl", "900", "light"),
    "page": ("page", "900", "light"),
    "problems": ("problems", "900", "light"),
}
LOADED_LATER: Final = (
    ("form[data-editor]", ".editor .CodeMirror"),
    ("[data-graph]", ".graph canvas"),
    ("[data-chart]", ".chart:not(:empty)"),
)


@contextmanager
def service() -> Iterator[str]:
    """The address of pages over a demo crawl that is done."""
    gossamer = (sys.executable, "-m", "gossamer")
    with tempfile.TemporaryDirectory(prefix="gossamer-screenshots-") as folder:
        demo = subprocess.Popen(
            [*gossamer, "demo", "--no-crawl", "--json", *WORLD],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert demo.stdout is not None
        try:
            told = _first_json(demo.stdout)
            reach = ("--connect-to", f"*.test={told['address']}", "--data", folder)
            crawl = ("crawl", "http://www.site0.test/", "--scope", "any", "--delay", "0.05")
            most = ("--max-time", "25s", "--config", "politeness.backoff_first=0.2")
            polite = ("--agent-contact", "you@example.org")
            subprocess.run([*gossamer, *crawl, *most, *polite, *reach], check=False)
            serve = subprocess.Popen(
                [*gossamer, "serve", "127.0.0.1:0", *reach],
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "GOSSAMER_SERVICE_TOKEN": "a token for screenshots"},
            )
            try:
                assert serve.stderr is not None
                for line in serve.stderr:
                    if found := re.search(r"http://[\d.]+:\d+", line):
                        yield found[0]
                        break
            finally:
                serve.terminate()
                serve.wait()
        finally:
            demo.terminate()
            demo.wait()


def _first_json(stream: Any) -> dict[str, Any]:  # noqa: ANN401 (a pipe)
    text = b""
    for line in stream:
        text += line
        if line.startswith(b"}"):
            break
    told: dict[str, Any] = json.loads(text)
    return told


def addresses(base: str) -> Mapping[str, str]:
    """The address of each page, about a person who was met."""
    with urlopen(f"{base}/api/search?{urlencode({'type': 'Person', 'limit': 20})}") as answer:
        results = json.load(answer)["results"]
    person = max(results, key=lambda each: (len(each["pages"]), " " in each["label"]))
    told = {"id": quote(person["id"], safe=""), "source": quote(person["pages"][0], safe="")}
    return {name: base + path.format_map(told) for name, path in PAGES.items()}


def shoot(
    browser: Browser,
    found: Mapping[str, str],
    wanted: Sequence[tuple[str, str, str, Path]],
    *,
    whole: bool,
) -> None:
    """Take each picture that is wanted: page, width, scheme, file; of the whole page, or what is seen first."""
    for name, width, scheme, file in wanted:
        context = browser.new_context(
            viewport={"width": WIDTHS[width], "height": HEIGHT},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(found[name], wait_until="load")
        _settle(page)
        file.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=file, full_page=whole)
        context.close()


def _settle(page: Page) -> None:
    for place, drawn in LOADED_LATER:
        if page.locator(place).count():
            page.locator(drawn).first.wait_for(timeout=20_000)
    page.evaluate("document.fonts.ready")


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", action="store_true", help="write those of docs/images")
    parser.add_argument("--only", nargs="*", default=list(PAGES), help="these pages alone")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "build" / "screenshots")
    given = parser.parse_args()
    program = shutil.which("chromium")
    if program is None:
        sys.exit("There is no Chromium here; `make browser` installs it.")
    if given.docs:
        folder = ROOT / "docs" / "images"
        wanted = [
            (*each, folder / f"{name}.png") for name, each in SHOWN.items() if each[0] in given.only
        ]
    else:
        wanted = [
            (name, width, scheme, given.out / f"{name}-{width}-{scheme}.png")
            for name in given.only
            for width in WIDTHS
            for scheme in SCHEMES
        ]
    with service() as base, sync_playwright() as playwright:
        found = addresses(base)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shoot(browser, found, wanted, whole=not given.docs)
        browser.close()
    print(f"{len(wanted)} pictures in {wanted[0][-1].parent}", file=sys.stderr)


if __name__ == "__main__":
    main()
