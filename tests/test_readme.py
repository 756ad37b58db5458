"""The examples in README and docs run; those that need a crawl or a server are at least understood."""

import ast
import json
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.slowness import patience

from gossamer.settings.sources import keys

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [
    (page.name, block)
    for page in [ROOT / "README.md", ROOT / "docs" / "extraction.md", ROOT / "docs" / "demo-web.md"]
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
]


@pytest.mark.parametrize(("page", "block"), EXAMPLES)
def test_an_example_runs_as_it_stands(page: str, block: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    assert done.returncode == 0, f"{page}: {done.stderr}"


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Every block of a language: its page, and what it says."""
    pattern = rf"^( *)```{language}\n(.*?)^ *```"
    for page in PAGES:
        for match in re.finditer(pattern, page.read_text(), re.DOTALL | re.MULTILINE):
            yield page.name, textwrap.dedent(match[2])


def test_every_example_in_python_is_whole_and_imports_what_we_have() -> None:
    found = list(blocks("python"))
    assert len(found) > 15
    for page, block in found:
        tree = ast.parse(block.replace("…", "..."), page)  # "and so on"
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gossamer"):
                module = import_module(str(node.module))
                missing = [each.name for each in node.names if not hasattr(module, each.name)]
                assert missing == [], f"{page}: {node.module} has no {missing}"
            elif isinstance(node, ast.Import):
                for each in node.names:
                    if each.name.startswith("gossamer."):
                        import_module(each.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                is_ours = node.value.id == "gossamer"
                assert not is_ours or hasattr(import_module("gossamer"), node.attr), page


def test_every_example_of_a_configuration_sets_what_can_be_set() -> None:
    found = list(blocks("toml"))
    assert len(found) > 5
    for page, block in found:
        sections = tomllib.loads(block)
        if "project" in sections:  # a package of somebody else
            continue
        for section, values in sections.items():
            unknown = {f"{section}.{name}" for name in values} - set(keys())
            assert unknown == set(), page


def test_every_example_of_json_is_json() -> None:
    for page, block in blocks("json"):
        try:
            json.loads(block)
        except ValueError:
            lines = block.strip().splitlines()  # or one value a line
            assert all(json.loads(line) is not None for line in lines), page
