import subprocess
import sys

import pytest
from tests.slowness import patience

from gossamer.model import Syntax
from gossamer.transform.document import Document
from gossamer.transform.syntaxes import BEYOND, TRANSFORMS


@pytest.mark.parametrize("syntax", Syntax)
def test_every_syntax_has_a_reader_that_takes_an_empty_document(syntax: Syntax) -> None:
    assert list(TRANSFORMS[syntax](Document("https://site.test/", b""))) is not None


def test_what_users_add_finds_nothing_where_they_added_nothing() -> None:
    document = Document("https://site.test/", b"<p>Hello")
    assert [item for each in BEYOND.values() for item in each(document)] == []


@pytest.mark.parametrize("module", ["gossamer.cli.commands.crawl", "gossamer.reading.page_pool"])
def test_whoever_leaves_the_reading_to_workers_loads_no_reader(module: str) -> None:
    asked = f"import sys, {module}; print('gossamer.transform.syntaxes' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", asked],
        capture_output=True,
        text=True,
        check=True,
        timeout=patience(60),
    )
    assert told.stdout.strip() == "False"
