"""Determines an element's subject and object (Core, section 7.5, steps 5 and 6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.names import Names
from gossamer.transform.rdfa.scope import Scope
from gossamer.transform.rdfa.tree import AnyElement
from gossamer.transform.terms import Term

_OUTERMOST: Final = 2  # `head` and `body` have nothing around them but the root


@dataclass(slots=True)
class Roles:
    """The resources of one element: its subject, its object, and what has its type."""

    subject: Term  # the new subject
    object: Term | None = None  # the current object resource
    typed: Term | None = None  # what `typeof` gives its classes
    skip: bool = False  # the element says nothing itself


class Links(NamedTuple):
    """The predicates of `rel` and `rev`."""

    rel: tuple[Term, ...]
    rev: tuple[Term, ...]


def object_of(attributes: Mapping[str, str], names: Names) -> Term | None:
    """The term of `resource`, `href` or `src`, the first that is present."""
    found = None
    if "resource" in attributes:
        found = names.resource(attributes["resource"])
    if found is None and "href" in attributes:
        found = names.reference(attributes["href"])
    if found is None and "src" in attributes:
        found = names.reference(attributes["src"])
    return found


def without_link(element: AnyElement, scope: Scope, host: Host) -> Roles:
    """Step 5 of the rules: no `rel` and no `rev`."""
    attributes, names = element.attributes, scope.names
    about = _about(attributes, names)
    if "property" in attributes and "content" not in attributes and "datatype" not in attributes:
        return _with_property(element, scope, host, about)
    typed = "typeof" in attributes
    subject = about or object_of(attributes, names)
    if subject is None and typed and not _speaks_of_parent(element, host):
        subject = names.blanks.fresh()
    if subject is None:
        skip = "property" not in attributes and not _speaks_of_parent(element, host)
        return Roles(scope.object, typed=scope.object if typed else None, skip=skip)
    return Roles(subject, typed=subject if typed else None)


def with_link(element: AnyElement, scope: Scope, _host: Host) -> Roles:
    """Step 6 of the rules: `rel` or `rev` are present and take the object."""
    attributes, names = element.attributes, scope.names
    about = _about(attributes, names)
    typed = "typeof" in attributes
    object_ = object_of(attributes, names)
    if object_ is None and typed and about is None:
        object_ = names.blanks.fresh()
    of = (about or object_) if typed else None
    return Roles(about or scope.object, object=object_, typed=of)


def _with_property(element: AnyElement, scope: Scope, host: Host, about: Term | None) -> Roles:
    """Step 5.1: `property` takes the object, so that a class is of the object too."""
    attributes, names = element.attributes, scope.names
    if "typeof" not in attributes:
        return Roles(about or scope.object)
    if about is not None or _speaks_of_parent(element, host):
        subject = about or scope.object
        return Roles(subject, typed=subject)
    object_ = object_of(attributes, names) or names.blanks.fresh()
    return Roles(scope.object, object=object_, typed=object_)


def _about(attributes: Mapping[str, str], names: Names) -> Term | None:
    return names.resource(attributes["about"]) if "about" in attributes else None


def _speaks_of_parent(element: AnyElement, host: Host) -> bool:
    """Whether an element acts as if it had `about`, naming what its parent speaks of."""
    if element.depth > _OUTERMOST:
        return False
    return element.is_root or (host.implied_subjects and element.name in ("head", "body"))
