"""The project's own promises: pins, docs and README say what is so. `make check` runs these."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gossamer.cli import program

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PINNED = {
    "requirements.txt": ["", "build"],
    "requirements-dev.txt": ["", "build", "test", "bench", "dev"],
    "deploy/requirements.txt": ["", "postgres", "intercept", "data", "mcp"],
}


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def wanted(extra: str) -> list[Requirement]:
    """What pyproject.toml asks for directly."""
    lines = project()["optional-dependencies"][extra] if extra else project()["dependencies"]
    return [Requirement(line) for line in lines if not line.startswith("gossamer[")]


def pins(name: str) -> dict[str, set[str]]:
    """Package to pinned versions (several where they depend on the interpreter)."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / name).read_text().splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line):
            found.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return found


def closure(requirements: list[Requirement]) -> Iterator[str]:
    """The packages these need here, with all that those need, as installed."""
    seen: set[str] = set()
    queue = [(each, extra) for each in requirements for extra in ["", *each.extras]]
    while queue:
        requirement, extra = queue.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        if (key := f"{name}[{extra}]") in seen:
            continue
        seen.add(key)
        yield name
        try:
            lines = distribution(name).requires or []
        except PackageNotFoundError:
            pytest.fail(f"{name} is not installed in .venv yet; run `make .venv/.dev`")
        for line in lines:
            needed = Requirement(line)
            if not needed.marker or needed.marker.evaluate({"extra": extra}):
                queue += [(needed, each) for each in ["", *needed.extras]]


@pytest.mark.parametrize("name", PINNED)
def test_the_pins_are_in_step_with_pyproject(name: str) -> None:
    pinned = pins(name)
    direct = [requirement for extra in PINNED[name] for requirement in wanted(extra)]
    for requirement in direct:
        versions = pinned.get(canonicalize_name(requirement.name), set())
        assert any(requirement.specifier.contains(v) for v in versions), (
            f"{name} does not pin {requirement}; run `make lock`"
        )
    missing = set(closure(direct)) - set(pinned)
    assert not missing, f"{name} lacks {sorted(missing)}; run `make lock`"


@pytest.mark.parametrize("name", PINNED)
def test_the_pins_are_hashed_and_name_no_index(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"\n(?=[a-z])", text.split("\n", 1)[1])
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"https?://|index|find-links|file:", text)


def imported_packages() -> Iterator[tuple[Path, str]]:
    """Every package that is not ours and not Python's, with the module that imports it."""
    for module in (ROOT / "src").rglob("*.py"):
        for name in re.findall(r"(?m)^\s*(?:import|from) (\w+)", module.read_text()):
            if name not in sys.stdlib_module_names and name not in ("gossamer", "__future__"):
                yield module, name


def test_what_only_an_extra_brings_is_named_with_the_line_that_brings_it() -> None:
    """Every package that we import is a dependency; or an extra's, and a sentence of ours says so."""
    names = packages_distributions()
    extras = [each for each in project()["optional-dependencies"] if each != "dev"]
    brought = {
        extra: {canonicalize_name(each.name) for each in wanted(extra)} for extra in ["", *extras]
    }
    sources = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    for module, name in imported_packages():
        packages = {canonicalize_name(each) for each in names.get(name, ())}
        if not packages or packages & brought[""]:
            continue  # words in a docstring look like imports too
        bringing = [extra for extra in extras if packages & brought[extra]]
        assert bringing, f"{module} imports {name}, which no dependency of pyproject.toml is"
        ours = [f"gossamer[{extra}]" for extra in bringing if extra != "test"]  # pandas is not
        assert not ours or any(each in sources for each in ours), f"nobody names {ours} for {name}"


def test_the_generated_pages_are_fresh() -> None:
    run = [
        sys.executable,
        "-c",
        "import generate_docs as g; [print(p()) for p in g.PAGES.values()]",
    ]
    done = subprocess.run(run, cwd=ROOT / "tools", capture_output=True, text=True, check=True)
    for name in ("commands.md", "options.md", "events.md", "conformance.md"):
        assert (ROOT / "docs" / name).read_text() in done.stdout, (
            f"docs/{name} is stale; run `make docs`"
        )


def command_lines() -> Iterator[tuple[str, str]]:
    """Every `gossamer …` command line in README and docs: page and line."""
    for page in PAGES:
        if page.name == "commands.md":
            continue  # what --help prints
        text = page.read_text()
        blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
        lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
        lines = [line.removeprefix(".venv/bin/") for line in lines]
        # Inside a sentence only whole commands count, not the bare name of the program.
        lines += re.findall(r"`((?:gossamer|make) [^`]+)`", text)
        yield from ((page.name, line.partition("  #")[0]) for line in lines)


def test_every_command_in_the_docs_exists_with_its_options() -> None:
    found = [(page, line) for page, line in command_lines() if line.startswith("gossamer ")]
    assert found
    for page, line in found:
        check_command(line, page)


def check_command(line: str, page: str) -> None:
    command: click.Command = program
    for word in line.partition(" | ")[0].split()[1:]:
        if word.startswith("-") and word != "-":
            known = {name for option in command.params for name in option.opts}
            known |= {"--help", "-h"}
            assert word.partition("=")[0] in known, f"{page}: {line!r}: no option {word}"
        elif isinstance(command, click.Group):
            below = command.get_command(click.Context(command), word)
            if below is None:
                assert command.invoke_without_command, f"{page}: {line!r}: no command {word}"
                continue
            command = below


def test_every_make_target_in_the_docs_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page, line in command_lines():
        if line.startswith("make "):
            named = [word for word in line.split()[1:] if "=" not in word]
            assert set(named) <= targets, f"{page}: {line!r}"


def test_every_link_in_the_docs_leads_somewhere() -> None:
    for page in [*PAGES, *(ROOT / "docs" / "decisions").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


DECISIONS = ROOT / "docs" / "decisions"
NOT_USED = {29}  # numbers under which nothing was ever recorded


def decisions() -> dict[int, Path]:
    return {int(page.name[:4]): page for page in sorted(DECISIONS.glob("0*.md"))}


def test_decisions_are_numbered_without_gaps_and_titled_in_one_form() -> None:
    found = decisions()
    assert set(found) | NOT_USED == set(range(1, max(found) + 1))
    for number, page in found.items():
        assert re.match(rf"# {number}\. [A-Z]", page.read_text()), f"{page.name} has another title"


def test_the_index_of_decisions_has_each_with_its_title() -> None:
    index = (DECISIONS / "README.md").read_text()
    for number, page in decisions().items():
        title = page.read_text().partition("\n")[0].partition(". ")[2]
        assert f"| {number} | [{title}]({page.name}) |" in index
    assert all(f"| {number} | not used |" in index for number in NOT_USED)


def test_every_decision_that_is_referred_to_exists() -> None:
    sources = [
        *PAGES,
        *DECISIONS.glob("*.md"),
        *(path for folder in ("src", "tests", "bench") for path in (ROOT / folder).rglob("*.py")),
    ]
    known = set(decisions())
    for source in sources:
        text = source.read_text()
        named = re.findall(r"\bdecision (\d+)\b|decisions/0*([1-9]\d*)", text, re.IGNORECASE)
        missing = {int(one or other) for one, other in named} - known
        assert not missing, f"{source} refers to {missing}"


def test_every_test_that_the_threat_model_names_exists() -> None:
    named = re.findall(r"`(tests/[^`]+)`", (ROOT / "docs" / "security.md").read_text())
    assert len(named) > 50
    assert [each for each in named if not (ROOT / each).is_file()] == []


def test_every_package_has_tests_at_the_same_place() -> None:
    package = ROOT / "src" / "gossamer"
    for below in package.rglob("__init__.py"):
        place = below.parent.relative_to(package)
        if len(list(below.parent.glob("*.py"))) == 1:  # only packages below it
            continue
        assert list((ROOT / "tests" / place).glob("test_*.py")), f"{place} has no tests"
