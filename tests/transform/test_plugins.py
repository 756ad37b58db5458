import re
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.plugins import GROUP, Plugins, installed, plugin_statements
from gossamer.transform.terms import InGraph

DOCS = Path(__file__).parents[2] / "docs" / "plugins.md"
FOAF = "http://xmlns.com/foaf/0.1/"
URL = "https://example.test/people.csv"


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where packages are found, as pip would put them there."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    installed.cache_clear()
    yield tmp_path
    installed.cache_clear()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def install(folder: Path, name: str, module: str, source: str) -> None:
    (folder / f"{module}.py").write_text(source)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {module}\n")
    invalidate_caches()


def found() -> Plugins:
    return Plugins(entry_points(group=GROUP))


def read(body: bytes, media_type: str = "text/csv") -> list[Item]:
    return list(found().statements(Document(URL, body, media_type=media_type)))


def messages(items: list[Item]) -> list[str]:
    return [item.message for item in items if isinstance(item, Problem)]


def test_the_plugin_of_the_documentation_works(packages: Path) -> None:
    (source,) = re.findall(
        r"```python\n# gossamer_people\.py\n(.*?)```", DOCS.read_text(), re.DOTALL
    )
    assert 'people = "gossamer_people"' in DOCS.read_text()
    install(packages, "people", "gossamer_people", source)
    document = Document(URL, b"Ada,https://ada.test/\noops\nBob,none", media_type="text/csv")
    (plugin,) = found().plugins
    ada, bob = (document.blank(f"{plugin.space}people{number}") for number in (1, 3))
    assert list(plugin_statements(document)) == [
        f'{ada} <{FOAF}name> "Ada"',
        f"{ada} <{FOAF}homepage> <https://ada.test/>",
        Problem("A person has a name and a homepage.", "people", 2),
        f'{bob} <{FOAF}name> "Bob"',
    ]
    assert list(plugin_statements(Document(URL, b"", media_type="text/html"))) == []


def test_plugins_are_loaded_once_and_only_when_asked_for(packages: Path) -> None:
    source = "from pathlib import Path\nwith Path(__file__).with_name('loaded').open('a') as file:\n    file.write('x')\n"
    install(packages, "once", "plugin_once", source + "media_types = []\nstatements = print\n")
    assert not (packages / "loaded").exists()
    assert installed() is installed()
    assert (packages / "loaded").read_text() == "x"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero."),
        ("import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named"),
        ("media_types = ['text/csv']", "it has no function `statements`."),
        ("statements = print", "cannot be loaded: AttributeError"),
        ("statements = print; media_types = 'text/csv'", "`media_types` is one text"),
        ("statements = print; media_types = [1]", "cannot be loaded: AttributeError"),
    ],
)
def test_a_plugin_that_does_not_load_is_a_problem(
    packages: Path, source: str, message: str
) -> None:
    install(packages, "broken", "plugin_broken", source)
    install(packages, "fine", "plugin_fine", _yielding('"<a:a> <a:b> <a:c>"'))
    items = read(b"")
    assert items[-1] == "<a:a> <a:b> <a:c>"
    (told,) = messages(items)
    assert told.startswith("The plug-in broken ")
    assert message in told


def test_a_plugin_that_fails_keeps_what_it_said(packages: Path) -> None:
    install(packages, "failing", "plugin_failing", _yielding('"<a:a> <a:b> <a:c>"', "1 / 0"))
    items = read(b"")
    assert items[0] == "<a:a> <a:b> <a:c>"
    assert messages(items) == ["The plug-in failing failed: ZeroDivisionError: division by zero."]


@pytest.mark.parametrize(
    "value",
    [
        *("7", "None", "'<a:a> <a:b>'", r"'<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:c>'"),
        *("'<a:a> <a:b> <c d>'", "'_:x <a:b> <a:c>'", "'<a:a> <a:b> _:x'", "'<a> <b> <c>'"),
        *("'<a:a> <a:b> <<( _:x <a:b> <a:c> )>>'", "'# nothing'"),
    ],
)
def test_what_cannot_be_used_is_a_problem_and_the_rest_is_kept(packages: Path, value: str) -> None:
    install(packages, "odd", "plugin_odd", _yielding(value, '"<a:a> <a:b> <a:c>"'))
    problem, statement = read(b"")
    assert statement == "<a:a> <a:b> <a:c>"
    assert messages([problem])[0].startswith("The plug-in odd said what cannot be used: ")


def test_blank_nodes_of_a_plugin_meet_no_others(packages: Path) -> None:
    same = "document.blank('r1') + ' <a:b> ' + document.blank('r2')"
    graph = "InGraph(document.blank('r1'), '<a:a> <a:b> ' + document.blank('r2'))"
    source = "from gossamer.transform.terms import InGraph\n" + _yielding(same, graph)
    install(packages, "one", "plugin_one", source)
    install(packages, "two", "plugin_two", source)
    triple, in_graph, other, _ = items = read(b"")
    assert items == read(b"")
    assert isinstance(triple, str)
    assert isinstance(in_graph, InGraph)
    first, second = triple.split(" <a:b> ")
    assert (in_graph.graph, in_graph.triple) == (first, f"<a:a> <a:b> {second}")
    assert other != triple
    spaces = [plugin.space for plugin in found().plugins]
    assert first == Document(URL, b"").blank(f"{spaces[0]}r1")
    assert [(space[0], len(space)) for space in spaces] == [("p", 9)] * 2  # none begins another


def test_statements_are_spelled_as_ours_are(packages: Path) -> None:
    install(
        packages, "escapes", "plugin_escapes", _yielding(r"'<a:a>  <a:b> \"\\u00e9\"@EN . # x'")
    )
    assert read(b"") == ['<a:a> <a:b> "é"@en']


def _yielding(*values: str) -> str:
    lines = "".join(f"    yield {value}\n" for value in values)
    return f"media_types = ['TEXT/*']\n\ndef statements(document):\n{lines}"
