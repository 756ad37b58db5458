"""Which native libraries a process that reads pages has loaded: those that what it is asked for needs."""

import subprocess
import sys

from tests.slowness import patience

HEAVY = ("lxml.etree", "pyoxigraph", "gossamer.transform.rdfa.xml_tree")
TELL = f"import sys; print([name for name in {HEAVY} if name in sys.modules])"
READ = (
    "import gossamer; page = gossamer.extract('<p itemscope><b itemprop=a>x</b>',"
    " url='https://site.test/', syntaxes=['microdata']); print(len(page.{}))"
)


def printed(*statements: str) -> list[str]:
    """What a process of its own prints."""
    command = [sys.executable, "-c", "\n".join(statements)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience(60))
    return done.stdout.splitlines()


def test_items_load_no_library_for_quads() -> None:
    read = READ.format("items['microdata']")
    assert printed(read, TELL) == ["1", "[]"]


def test_quads_load_what_they_need() -> None:
    assert "'pyoxigraph'" in printed(READ.format("nquads"), TELL)[-1]


def test_a_worker_has_loaded_all_of_it_before_its_first_page() -> None:
    assert printed("import gossamer.reading.page_worker", TELL) == [str([*HEAVY])]
