"""The tree: what lies at the root, and who may import whom."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "gossamer"
MOST_AT_THE_ROOT = 12
# A package imports those on lines below its own, none on its own line, and what lies at the root.
LAYERS = [
    "cli",
    "demo",
    "web",
    "mcp",
    "service proxy api integrations spark",
    "owner http",
    "upkeep",
    "crawl",
    "settings",
    "history site_report columnar",
    "sending reading index nodes",
    "frontier fetch archive sinks",
    "report focus",
    "duplicates identity politeness freshness sitemaps detect transform extract tables",
    "vocabulary",
    "urls sparql",
    "folder",
    "processes",
]
RANKS = {package: rank for rank, line in enumerate(LAYERS) for package in line.split()}
EXCEPTIONS = {
    ("extract", "transform"): "links are found in the tree and the statements that transform made",
    ("__init__", "api"): "`gossamer.open`, named for type checkers; loaded when it is asked for",
    ("__init__", "reading"): "`gossamer.extract`, in the same way",
    ("__init__", "tables"): "the types of its values, in the same way",
    ("__init__", "transform"): "the options of `gossamer.extract`, in the same way",
    (
        "api",
        "cli",
    ): "a crawl is a command in a process of its own, and its options are checked by the command",
    ("__main__", "cli"): "the command itself",
}


def imports(module: Path) -> Iterator[str]:
    """The packages and root modules that a module imports, in whatever form and wherever it does."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            whole = node.module or ""
            named = [whole] if "." in whole else [f"{whole}.{each.name}" for each in node.names]
        elif isinstance(node, ast.Import):
            named = [each.name for each in node.names]
        else:
            continue
        for each in named:
            if each.startswith("gossamer."):
                yield each.split(".")[1]


def home(module: Path) -> str:
    """The package that a module lies in, or its own name at the root."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def edges() -> set[tuple[str, str]]:
    return {
        (home(module), imported)
        for module in PACKAGE.rglob("*.py")
        for imported in imports(module)
        if imported != home(module)
    }


def test_every_package_has_its_line() -> None:
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(RANKS)


def test_imports_go_one_way_only() -> None:
    wrong = {
        (importer, imported)
        for importer, imported in edges()
        if imported in RANKS and RANKS.get(importer, len(LAYERS)) >= RANKS[imported]
    }
    assert wrong == set(EXCEPTIONS)


def test_the_root_holds_what_everybody_shares_and_little_else() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_AT_THE_ROOT


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from gossamer.cli.own import x", "cli"),
        ("from gossamer import crawl", "crawl"),
        ("import gossamer.web.pages as p", "web"),
        ("def f():\n    from gossamer.proxy import x", "proxy"),
    ],
)
def test_every_form_of_import_is_seen(tmp_path: Path, source: str, found: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(source)
    assert list(imports(module)) == [found]


# Public classes that share a name with others: how many have it, and why that is so for now. No name is
# added here, and no count raised; whoever gives one of them a name of its own takes it off.
DEMO = "the demo web knows the truth by construction: it shares neither code nor names with what reads it"
CONFIG = "a section of the configuration has the name of the part it is for"
CONTRACT = "the name that DESIGN.md promises to users of Python, beside the loop and a section of the configuration"
EVENT = "an event of the log has the name of what it tells about"
SPECIFICATION = (
    "each has it from the specification that its folder reads, and none is seen outside of it"
)
PROTOCOL = "what one part needs of another, said where it is needed"
HTTP = "HTTP's own word, at another layer: a wire, a cache, a table of routes, a client"
MESSAGES = "what one kind of process is told and answers; each protocol has a pair of these"
LOCAL = "a small value of one module and its neighbours; nobody imports two of them"

SHARED_NAMES = {
    DEMO: "Entry=2 Failed=2 Family=2 Format=2 HostAudit=2 Item=2 Link=3 Listing=2 Markup=2 Pause=2 "
    "Root=2 Running=2 Shelf=2 Skipped=2 Text=2 Thing=2 Through=2 Dialect=2 End=2 File=2 Whole=2",
    CONFIG: "Archive=2 Scope=3",
    CONTRACT: "Crawl=3",
    EVENT: "Parked=2 Refused=3",
    SPECIFICATION: "Blanks=2 Kept=2 Kind=4 Meaning=3 Moment=3 Names=3 Nested=3 Parsed=2 Property=3 "
    "Rule=2 Rules=3 Vocabulary=3 Waiting=2 Writer=2",
    PROTOCOL: "Graph=2",
    HTTP: "Authority=2 Body=3 Endpoint=2 Exchange=3 ResponseHead=2 Target=2",
    MESSAGES: "Order=2 Reply=4 Request=4 State=2",
    LOCAL: "Call=2 Candidate=2 Change=2 Choice=2 Cut=2 Found=2 Leading=2 Page=3 "
    "Part=2 Record=2 Room=2 Step=2 Store=2",
}


def public_classes() -> Counter[str]:
    return Counter(
        node.name
        for module in PACKAGE.rglob("*.py")
        for node in ast.parse(module.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def test_no_two_public_classes_share_a_name_without_a_reason() -> None:
    listed = [each.split("=") for names in SHARED_NAMES.values() for each in names.split()]
    allowed = {name: int(count) for name, count in listed}
    assert len(allowed) == len(listed), "a name has one reason"
    found = public_classes()
    too_many = {name: n for name, n in found.items() if n > allowed.get(name, 1)}
    assert not too_many, "another public class has this name: choose one of its own"


def test_the_first_words_of_a_docstring_point_at_nothing_before_them() -> None:
    leaning = (
        "The same",
        "It ",
        "Its ",
        "Those",
        "They ",
        "These",
        "This ",
        "Whoever",
        "All of it",
    )
    found = [
        f"{module.relative_to(PACKAGE)}: {said.splitlines()[0]}"
        for module in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (said := ast.get_docstring(node) or "").startswith(leaning)
    ]
    assert found == []


def packages() -> Iterator[tuple[Path, str]]:
    """The folder of each package, and its map."""
    for module in PACKAGE.rglob("__init__.py"):
        yield module.parent, ast.get_docstring(ast.parse(module.read_text())) or ""


def test_maps_name_modules_that_are_there() -> None:
    listed = [
        (folder, name)
        for folder, text in packages()
        for line in text.splitlines()
        if line.lstrip().startswith("- `")
        for name in re.findall(r"`([a-z][a-z_]*)(?:\.py|/)?`(?=:|, `)", line)
    ]
    assert len(listed) > 100
    gone = [
        f"{folder.relative_to(PACKAGE)}: {name}"
        for folder, name in listed
        if not (folder / f"{name}.py").exists() and not (folder / name).is_dir()
    ]
    assert gone == []
