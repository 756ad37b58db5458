"""Our tables and pySHACL on the same things: shapes made of profiles and of schema.org's domains and ranges, and things at random."""

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pyshacl
import rdflib

from gossamer.report.page_graph import PageGraph
from gossamer.report.profile import ProfileFeature, Requirement, load_profile, profile_names
from gossamer.report.profile_rules import missing_values
from gossamer.report.schema_page import SCHEMA, TYPE
from gossamer.report.statements import page_statements
from gossamer.vocabulary import class_names, subclasses
from gossamer.vocabulary.schema_terms import (
    class_and_above,
    data_types,
    domain,
    property_names,
    range_of,
)

SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
PAGE = "http://a.test/page"
PREFIX = "@prefix sh: <http://www.w3.org/ns/shacl#> .\n"


class Disagreement(NamedTuple):
    """What is wrong with a thing, by one of the two."""

    entity: str
    shape: str


def features() -> list[ProfileFeature]:
    """All features of all profiles."""
    return [feature for name in profile_names() for feature in load_profile(name).features]


# ---- profiles


def profile_shapes(wanted: Iterable[ProfileFeature]) -> str:
    """Each requirement as a shape of its own."""
    return PREFIX + "".join(
        _shape(f"urn:f{nth}:{number}", feature, requirement)
        for nth, feature in enumerate(wanted)
        for number, requirement in enumerate(feature.requirements)
    )


def _shape(name: str, feature: ProfileFeature, requirement: Requirement) -> str:
    conditions = [_has(path) for path in requirement.paths]
    if feature.only_with:
        conditions.append(_no(_has((each,)) for each in feature.only_with))
    if feature.of:
        conditions.append(_no(f"[ sh:class <{each}> ]" for each in sorted(feature.classes)))
        targets = "".join(f" sh:targetClass <{each}> ;" for each in sorted(feature.of))
        (via,) = feature.via
        either = " ".join(conditions)
        return f"<{name}:of> a sh:NodeShape ;{targets} sh:property <{name}> .\n<{name}> sh:path <{via}> ; sh:or ( {either} ) .\n"
    targets = "".join(f" sh:targetClass <{each}> ;" for each in sorted(feature.classes))
    if feature.is_of_page:
        targets = f" sh:targetNode <{PAGE}> ;"
    return f"<{name}> a sh:NodeShape ;{targets} sh:or ( {' '.join(conditions)} ) .\n"


def _has(path: Iterable[str]) -> str:
    steps = [f"<{each}>" for each in path]
    whole = steps[0] if len(steps) == 1 else f"( {' '.join(steps)} )"
    return f"[ sh:path {whole} ; sh:minCount 1 ]"


def _no(shapes: Iterable[str]) -> str:
    return f"[ sh:not [ sh:or ( {' '.join(shapes)} ) ] ]"


def ours_by_profiles(triples: str, wanted: list[ProfileFeature]) -> set[Disagreement]:
    """What our tables say."""
    graph = PageGraph(page_statements(_as_quads(triples)))
    return {
        Disagreement(entity, f"urn:f{wanted.index(feature)}:{feature.requirements.index(each)}")
        for entity, feature, each in missing_values(graph, wanted, PAGE)
    }


def _as_quads(triples: str) -> bytes:
    return triples.replace(" .\n", f" <{PAGE}> .\n").encode()


# ---- domains and ranges


def schema_shapes(names: Iterable[str]) -> str:
    """For each property, a shape for the things that have it, and one for the things that are its values."""
    lines = [PREFIX]
    for name in names:
        of, to = sorted({*domain(name), "Role"}), sorted({*(range_of(name) - data_types()), "Role"})
        homes, kinds = (
            " ".join(f"[ sh:class <{SCHEMA}{each}> ]" for each in lot) for lot in (of, to)
        )
        lines.append(
            f"<urn:domain:{name}> a sh:NodeShape ; sh:targetSubjectsOf <{SCHEMA}{name}> ; sh:or ( {homes} ) .\n"
            f"<urn:range:{name}> a sh:NodeShape ; sh:targetObjectsOf <{SCHEMA}{name}> ; sh:or ( {kinds} ) .\n"
        )
    return "".join(lines)


def pyshacl_says(triples: str, shapes: str, hierarchy: str) -> set[Disagreement]:
    """What pySHACL says; of a value, where a property shape was not kept to."""
    data = rdflib.Graph().parse(data=triples + hierarchy, format="nt")
    _, results, _ = pyshacl.validate(
        data, shacl_graph=rdflib.Graph().parse(data=shapes, format="turtle"), inference="none"
    )
    sh = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    found = set()
    for node in results.subjects(rdflib.RDF.type, sh.ValidationResult):
        shape = str(results.value(node, sh.sourceShape))
        has_path = results.value(node, sh.resultPath) is not None
        entity = results.value(node, sh.value if has_path else sh.focusNode)
        found.add(Disagreement(str(entity), shape))
    return found


def hierarchy_of(classes: Iterable[str]) -> str:
    """All that these classes are below, as triples."""
    rows = {
        (each, above)
        for kind in classes
        for each in class_and_above(kind)
        for above in class_and_above(each)
        if above != each
    }
    return "".join(
        f"<{SCHEMA}{each}> <{SUBCLASS}> <{SCHEMA}{above}> .\n" for each, above in sorted(rows)
    )


# ---- things at random


def random_things(seed: int, count: int) -> Iterator[tuple[str, set[str], set[str]]]:
    """Triples of things that are mostly right, with the names of the classes and properties in them."""
    chance = random.Random(seed)
    classes = sorted(class_names())
    # Where an address will do, a thing's IRI is one: that is no matter of shapes.
    names = sorted(
        name
        for name in property_names()
        if range_of(name) - data_types() and "URL" not in range_of(name)
    )
    by_class: Mapping[str, list[str]] = {
        kind: [name for name in names if domain(name) & class_and_above(kind)] for kind in classes
    }
    for nth in range(count):
        kind = chance.choice(classes)
        entity, used, kinds = f"http://a.test/{nth}", set[str](), {kind}
        lines = [f"<{entity}> <{TYPE}> <{SCHEMA}{kind}> .\n"]
        for number in range(chance.randint(1, 5)):
            own = by_class[kind]
            name = chance.choice(own if own and chance.random() < 0.7 else names)
            if name in used:
                continue
            near = sorted(range_of(name) - data_types())
            base = chance.choice(near) if chance.random() < 0.7 else chance.choice(classes)
            below = sorted(each[len(SCHEMA) :] for each in subclasses(SCHEMA + base))
            below = [each for each in below if each != "Thing"]  # of which nothing is said
            value_kind = chance.choice(below)
            value = f"{entity}/{number}"
            lines.append(f"<{entity}> <{SCHEMA}{name}> <{value}> .\n")
            lines.append(f"<{value}> <{TYPE}> <{SCHEMA}{value_kind}> .\n")
            used.add(name)
            kinds.add(value_kind)
        yield "".join(lines), kinds, used


def random_profile_things(seed: int, count: int) -> Iterator[str]:
    """Triples of things that profiles speak of, each with some of what they want."""
    chance = random.Random(seed)
    wanted = features()
    for nth in range(count):
        feature = chance.choice(wanted)
        entity = PAGE if feature.is_of_page else f"http://a.test/{nth}"
        lines = []
        if feature.classes:
            kind = chance.choice(sorted(feature.classes))
            lines.append(f"<{entity}> <{TYPE}> <{kind}> .\n")
        if feature.of:
            parent = chance.choice(sorted(feature.of))
            lines.append(f"<{entity}/of> <{TYPE}> <{parent}> .\n")
            (via,) = feature.via
            lines.append(f"<{entity}/of> <{via}> <{entity}> .\n")
        others = [each for more in wanted for each in more.requirements]
        for number, requirement in enumerate((*feature.requirements, *chance.sample(others, k=3))):
            if chance.random() < 0.6:
                path = chance.choice(requirement.paths)
                lines += _path(entity, path[: chance.randint(1, len(path))], number, chance)
        lines += [
            f'<{entity}> <{each}> "x" .\n' for each in feature.only_with if chance.random() < 0.4
        ]
        yield "".join(lines)


def _path(entity: str, path: tuple[str, ...], number: int, chance: random.Random) -> Iterator[str]:
    at = entity
    for depth, name in enumerate(path):
        is_last = depth == len(path) - 1
        value = f"{entity}/v{number}x{depth}"
        written = '"text"' if is_last and chance.random() < 0.5 else f"<{value}>"
        yield f"<{at}> <{name}> {written} .\n"
        at = value
