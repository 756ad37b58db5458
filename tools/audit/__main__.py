"""`make audit`: known advisories of what we pin, and a list of all parts with their licences.

Advisories are asked for at the package indexes (`pip-audit`, `npm audit`); where they cannot be
reached, that is said, and is no failure. The parts are written to `dist/` as CycloneDX, one file for
Python and one for what the pages load, and as a table of licences. Exit status 1: something that we
pin has a known advisory.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "dist"
TOOLS = Path(sys.executable).parent  # of the environment that has them
OURS = ROOT / ".venv/bin/python"
PINS = ("requirements.txt", "requirements-dev.txt")
SECONDS = 600


@dataclass(frozen=True, slots=True)
class Advisories:
    """What is known about one list of packages."""

    known: tuple[str, ...] = ()  # a line each
    asked: int = 0  # packages of which somebody could tell
    silent: str | None = None  # why nobody could tell of others


def python_advisories(printed: str, complaint: str) -> Advisories:
    """What pip-audit prints as JSON. A package that its index does not know was not looked at."""
    try:
        packages = json.loads(printed)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Advisories(silent=last_line(complaint))
    skipped = [each for each in packages if "skip_reason" in each]
    known = tuple(
        f"{each['name']} {each['version']}: {found['id']}{_fixed(found['fix_versions'])}"
        for each in packages
        for found in each.get("vulns", ())
    )
    silent = f"{len(skipped)} packages are not known there" if skipped else None
    return Advisories(known, len(packages) - len(skipped), silent)


def npm_advisories(printed: str, complaint: str) -> Advisories:
    """What npm audit prints as JSON."""
    try:
        told = json.loads(printed)
        packages = told["vulnerabilities"]
        count = told["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError, TypeError):
        return Advisories(silent=last_line(complaint))
    known = tuple(
        f"{name} {each['range']}: {each['severity']}" for name, each in sorted(packages.items())
    )
    return Advisories(known, count)


def _fixed(versions: Sequence[str]) -> str:
    return f", mended in {', '.join(versions)}" if versions else ""


def last_line(text: str) -> str:
    """The last thing that a program said, without where it keeps a log."""
    lines = [
        line.strip() for line in text.splitlines() if line.strip() and "log of this" not in line
    ]
    return lines[-1] if lines else "it said nothing"


def pinned_names(requirements: str) -> set[str]:
    """The packages that a requirements file pins."""
    return {_plain(each) for each in re.findall(r"(?m)^([A-Za-z0-9._-]+)==", requirements)}


def mark_scope(bom: dict[str, Any], delivered: set[str]) -> None:
    """Mark the parts that only tests and checks use: whoever installs Gossamer does not get them."""
    for part in bom.get("components", ()):
        is_npm = str(part.get("purl", "")).startswith("pkg:npm/")
        needed = not _is_for_development(part) if is_npm else _plain(part["name"]) in delivered
        part["scope"] = "required" if needed else "excluded"


def _is_for_development(part: Mapping[str, Any]) -> bool:
    named = {each["name"]: each["value"] for each in part.get("properties", ())}
    return named.get("cdx:npm:package:development") == "true"


def licences(bom: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Name, version and licence of each part that is delivered."""
    for part in bom.get("components", ()):
        if part.get("scope") != "excluded":
            named = (_licence(each) for each in part.get("licenses", ()))
            licence = " / ".join(dict.fromkeys(filter(None, named))) or "not stated"
            yield part["name"], part.get("version", ""), licence


def _licence(entry: Mapping[str, Any]) -> str:
    licence = entry.get("license", {})
    found = entry.get("expression") or licence.get("id") or licence.get("name") or ""
    # Classifiers say the same in more words; a whole text says nothing in a table.
    return str(found).removeprefix("License :: OSI Approved :: ") if "\n" not in found else ""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def run(*command: str, cwd: Path = ROOT) -> tuple[str, str]:
    """What a program prints, and what it complains about."""
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    return done.stdout, done.stderr or f"it ended with status {done.returncode}"


def ask_about_pins() -> dict[str, Advisories]:
    """Ask the indexes about everything that we pin."""
    flags = ("--require-hashes", "--no-deps", "--disable-pip", "--format", "json")
    quiet = ("--progress-spinner", "off", "--timeout", "15")
    asked = {
        name: python_advisories(*run(str(TOOLS / "pip-audit"), "-r", name, *flags, *quiet))
        for name in PINS
    }
    npm = run("npm", "audit", "--package-lock-only", "--json", cwd=ROOT / "web")
    return {**asked, "web/package-lock.json": npm_advisories(*npm)}


def list_parts() -> dict[str, dict[str, Any]]:
    """Write down the parts; the lists by the names of their files."""
    python, complaint = run(
        *(str(TOOLS / "cyclonedx-py"), "environment", str(OURS)),
        *("--pyproject", "pyproject.toml", "--output-format", "JSON"),
    )
    npm = run("npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", cwd=ROOT / "web")
    lists = {}
    for name, (printed, why) in {"python": (python, complaint), "web": npm}.items():
        try:
            bom = json.loads(printed)
        except ValueError:
            say(f"parts of {name}: they cannot be listed here: {last_line(why)}")
            continue
        mark_scope(bom, pinned_names((ROOT / PINS[0]).read_text()))
        lists[f"sbom-{name}.cdx.json"] = bom
    return lists


def tell_advisories(asked: Mapping[str, Advisories]) -> int:
    """Say what is known; how many advisories there are."""
    for name, found in asked.items():
        if found.asked:
            say(f"{name}: {len(found.known)} known advisories of {found.asked} packages")
        if found.silent:
            say(f"{name}: nobody could be asked about its packages here ({found.silent})")
        for line in found.known:
            say(f"  {line}")
    return sum(len(found.known) for found in asked.values())


def write_parts(lists: Mapping[str, dict[str, Any]]) -> None:
    """Write the lists of parts, and the table of their licences."""
    OUT.mkdir(exist_ok=True)
    rows: list[tuple[str, str, str]] = []
    for name, bom in lists.items():
        (OUT / name).write_text(json.dumps(bom, indent=2) + "\n")
        say(f"dist/{name}: {len(bom.get('components', ())):,} parts")
        rows += licences(bom)
    (OUT / "licences.tsv").write_text("".join("\t".join(row) + "\n" for row in sorted(rows)))
    say(f"dist/licences.tsv: {tally(row[2] for row in rows)}")


def tally(names: Iterable[str]) -> str:
    """How often each licence comes, the usual ones first."""
    return ", ".join(f"{count} {name}" for name, count in Counter(names).most_common())


def say(text: str) -> None:
    """Tell people."""
    print(text, flush=True)


if __name__ == "__main__":
    advisories = tell_advisories(ask_about_pins())
    write_parts(list_parts())
    sys.exit(1 if advisories else 0)
