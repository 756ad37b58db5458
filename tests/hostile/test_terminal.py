"""No page's control characters get to a terminal, whatever the command and its format."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.crawl.sites import crawled_site

from gossamer.folder.data import DataFolder

# Sets a window's title, moves up, is C1's CSI, turns the text around, hides in tags.
EVIL = "quokka \x1b]0;owned\x07\x1b[2A\x9b31m\u202egnp\U000e0041"
PAGE = f'<title>{EVIL}</title><p vocab="http://schema.org/" property="name">{EVIL}</p>'
FORBIDDEN = ("\x1b", "\x07", "\x9b", "\u202e", "\U000e0041")


def shown_on_terminal(*words: str) -> str:
    """What a command writes where both its streams are a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "gossamer", *words], stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how Linux says that a terminal has nobody left
                break
            if not part:
                break
            shown += part
    os.close(ours)
    assert process.returncode == 0, shown
    return shown.decode()


def sequences_of_ours(text: str) -> str:
    """The text without what we draw and style with ourselves."""
    for each in ("\x1b[1m", "\x1b[2m", "\x1b[0m", "\x1b[J"):
        text = text.replace(each, "")
    return text


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    data = DataFolder(tmp_path_factory.mktemp("terminal") / "data")
    crawled_site(data.path, {"http://a.test/": PAGE}, ["http://a.test/"])
    return data


@pytest.mark.parametrize("syntax", ["nquads", "turtle", "jsonld"])
def test_a_page_on_a_terminal_is_shown_and_not_obeyed(syntax: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    words = ("extract", str(page), "--url", "http://a.test/", "--to", syntax)
    shown = shown_on_terminal(*words)
    assert "quokka" in shown
    assert not [each for each in FORBIDDEN if each in shown]
    exact = subprocess.run(
        [sys.executable, "-m", "gossamer", *words], capture_output=True, check=True
    )
    assert "\u202egnp" in exact.stdout.decode()  # a pipe gets what the page says


@pytest.mark.parametrize(
    "words",
    [
        ("query", "SELECT ?o { GRAPH ?g { ?s ?p ?o } }", "--to", "csv"),
        ("query", "SELECT ?o { GRAPH ?g { ?s ?p ?o } }", "--to", "json"),
        ("export",),
    ],
    ids=["csv", "json", "export"],
)
def test_what_the_graph_has_is_shown_and_not_obeyed(
    words: tuple[str, ...], crawled: DataFolder
) -> None:
    shown = sequences_of_ours(shown_on_terminal(*words, "--data", str(crawled.path)))
    assert "quokka" in shown
    assert not [each for each in FORBIDDEN if each in shown]
