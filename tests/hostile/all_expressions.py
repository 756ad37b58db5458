"""Every expression of `re` in the package, and how it is used."""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import gossamer

ROOT: Final = Path(gossamer.__file__).parent
SEARCHES: Final = frozenset(("search", "sub", "subn", "split", "findall", "finditer"))
OWN_TEXTS: Final = "gossamer.demo"  # it reads what it has written itself, and nothing else
MATCHES: Final = frozenset(("match", "fullmatch"))
MAKES: Final = "re.compile"
CONCERNS: Final = re.compile(rf"\bre\.|\.(?:{'|'.join(sorted(SEARCHES | MATCHES))})\b")


class Used(NamedTuple):
    """An expression, where it is, and how it is used there or elsewhere."""

    where: str  # "module:name", or "module:function" for one without a name
    pattern: "re.Pattern[Any]"
    how: str  # "search", "match" or "fullmatch"


class Source(NamedTuple):
    """A module that makes or uses expressions."""

    makes: bool  # some of them
    nodes: list[ast.AST]  # all that it consists of
    imported: dict[str, str]  # each name that it has from another module, and which that is


@cache
def _sources(*, every: bool = False) -> dict[str, Source]:
    """All modules that can have to do with expressions, by their text; or just every one."""
    texts = {path: path.read_text() for path in sorted(ROOT.rglob("*.py"))}
    return {
        _module(path): _source(text, makes=every or MAKES in text)
        for path, text in texts.items()
        if every or CONCERNS.search(text)
    }


def _source(text: str, *, makes: bool) -> Source:
    nodes = [*ast.walk(ast.parse(text))]
    return Source(makes, nodes, _imported(nodes))


def all_expressions(*, every: bool = False) -> list[Used]:
    """Those with a name in modules and classes, and those written where they are used.

    Only modules that say `re.compile` are loaded; `every` loads all of them, which takes its time.
    """
    sources = _sources(every=every)
    uses: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, source in sources.items():
        for name, how in _uses(module, source):
            uses[name].add(how)
    found: list[Used] = []
    for module, source in sources.items():
        if source.makes:
            found += _named(module, source.imported, uses)
        found += _unnamed(module, source.nodes)
    each_once = {(each.pattern.pattern, each.pattern.flags, each.how): each for each in found}
    return [each for each in each_once.values() if not each.where.startswith(OWN_TEXTS)]


def _named(
    module: str, imported: Mapping[str, str], uses: Mapping[tuple[str, str], set[str]]
) -> Iterator[Used]:
    try:
        loaded = importlib.import_module(module)
    except ImportError:  # of an extra that is not there
        return
    classes = [
        each
        for each in vars(loaded).values()
        if isinstance(each, type) and each.__module__ == module
    ]
    for holder in [loaded, *classes]:
        for name, value in vars(holder).items():
            if name not in imported:
                for pattern in _patterns(value):
                    for how in sorted(uses.get((module, name)) or {"search"}):
                        yield Used(f"{module}:{name}", pattern, how)


def _patterns(value: object) -> Iterator["re.Pattern[Any]"]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, frozenset, set)):
        for each in value:
            yield from _patterns(each)
    elif isinstance(value, dict):
        for each in [*value.keys(), *value.values()]:
            yield from _patterns(each)


def _module(path: Path) -> str:
    name = ".".join(("gossamer", *path.relative_to(ROOT).with_suffix("").parts))
    return name.removesuffix(".__init__")


def _imported(nodes: Iterable[ast.AST]) -> dict[str, str]:
    return {
        alias.asname or alias.name: node.module or ""
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _uses(module: str, source: Source) -> Iterator[tuple[tuple[str, str], str]]:
    """By which methods each name is used in a module: the module that made it, name and method."""
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and node.attr in SEARCHES | MATCHES:
            held = node.value
            while isinstance(held, ast.Subscript):  # of a table of them
                held = held.value
            name = held.id if isinstance(held, ast.Name) else getattr(held, "attr", None)
            if name is not None:
                how = "search" if node.attr in SEARCHES else node.attr
                yield (source.imported.get(name, module), name), how


def _unnamed(module: str, nodes: Iterable[ast.AST]) -> Iterator[Used]:
    """`re.sub("a+", …)` and its like, with a literal pattern."""
    functions: dict[ast.AST, str] | None = None
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        held, method = node.func.value, node.func.attr
        if not (isinstance(held, ast.Name) and held.id == "re") or not node.args:
            continue
        if method in SEARCHES | MATCHES and isinstance(node.args[0], ast.Constant):
            how = "search" if method in SEARCHES else method
            functions = _functions(nodes) if functions is None else functions
            flags = sum((_flags(each) for each in (*node.args[2:], *_values(node))), 0)
            yield Used(
                f"{module}:{functions.get(node, '')}", re.compile(node.args[0].value, flags), how
            )


def _values(node: ast.Call) -> Iterator[ast.expr]:
    return (each.value for each in node.keywords if each.arg == "flags")


def _flags(node: ast.expr) -> int:
    names = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    return sum((int(getattr(re, name)) for name in names if hasattr(re, name)), 0)


def patterns_made_in_functions() -> list[str]:
    """Where a pattern is put together or compiled inside of a function, of what is not a constant."""
    found = []
    for module, source in _sources().items():
        if calls := {each for each in source.nodes if _is_made(each)}:
            functions = _functions(source.nodes)
            found += [f"{module}:{name}" for call, name in functions.items() if call in calls]
    return sorted(set(found))


def _functions(nodes: Iterable[ast.AST]) -> dict[ast.AST, str]:
    """Each call within a function, and the name of that."""
    return {
        call: function.name
        for function in nodes
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
    }


def _is_made(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in SEARCHES | MATCHES | {"compile"}
        and not (node.func.attr != "compile" and isinstance(node.args[0], ast.Constant))
    )
