"""Every expression of `re` in the package, and how it is used."""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import gossamer

ROOT: Final = Path(gossamer.__file__).parent
SEARCHES: Final = frozenset(("search", "sub", "subn", "split", "findall", "finditer"))
OWN_TEXTS: Final = "gossamer.demo"  # it reads what it has written itself, and nothing else
MATCHES: Final = frozenset(("match", "fullmatch"))


class Used(NamedTuple):
    """An expression, where it is, and how it is used there or elsewhere."""

    where: str  # "module:name", or "module:function" for one without a name
    pattern: "re.Pattern[Any]"
    how: str  # "search", "match" or "fullmatch"


@cache
def _trees() -> dict[str, ast.Module]:
    return {_module(path): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}


def all_expressions() -> list[Used]:
    """Those with a name in modules and classes, and those written where they are used."""
    trees = _trees()
    uses: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, tree in trees.items():
        for name, how in _uses(module, tree):
            uses[name].add(how)
    found = []
    for module, tree in trees.items():
        found += [*_named(module, _imported(tree), uses), *_unnamed(module, tree)]
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


def _imported(tree: ast.Module) -> dict[str, str]:
    """Each name that a module has from another, and which that is."""
    return {
        alias.asname or alias.name: node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _uses(module: str, tree: ast.Module) -> Iterator[tuple[tuple[str, str], str]]:
    """By which methods each name is used in a module: the module that made it, name and method."""
    homes = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SEARCHES | MATCHES:
            held = node.value
            while isinstance(held, ast.Subscript):  # of a table of them
                held = held.value
            name = held.id if isinstance(held, ast.Name) else getattr(held, "attr", None)
            if name is not None:
                how = "search" if node.attr in SEARCHES else node.attr
                yield (homes.get(name, module), name), how


def _unnamed(module: str, tree: ast.Module) -> Iterator[Used]:
    """`re.sub("a+", …)` and its like, with a literal pattern."""
    functions = _functions(tree)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        held, method = node.func.value, node.func.attr
        if not (isinstance(held, ast.Name) and held.id == "re") or not node.args:
            continue
        if method in SEARCHES | MATCHES and isinstance(node.args[0], ast.Constant):
            how = "search" if method in SEARCHES else method
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
    for module, tree in _trees().items():
        calls = {each for each in ast.walk(tree) if _is_made(each)}
        found += [f"{module}:{name}" for call, name in _functions(tree).items() if call in calls]
    return sorted(set(found))


def _functions(tree: ast.Module) -> dict[ast.AST, str]:
    """Each call within a function, and the name of that."""
    return {
        call: function.name
        for function in ast.walk(tree)
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
