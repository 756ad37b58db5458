"""Loads transforms of other packages, by entry points in the group `gossamer.transforms`.

A plug-in is any object with `media_types` and `statements(document)`: a module will do. It is
loaded when a document is first looked at for plug-ins, once a process. What goes wrong with
it is a problem that names it; what it says is checked, so that it cannot spoil a page.
See docs/plugins.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Protocol

from gossamer.model import Problem
from gossamer.transform.media_types import matches
from gossamer.transform.terms import InGraph, Term, Triple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    import pyoxigraph as rdf

    # The process that owns the folder asks which plug-ins there are, and has no parser.
    from gossamer.transform.document import Document, Item

GROUP: Final = "gossamer.transforms"


class Transformer(Protocol):
    """The interface of a plug-in, as its entry point provides it."""

    media_types: Iterable[str]
    """Which documents it takes: `application/pdf`, `image/*`."""

    def statements(self, document: "Document") -> "Iterable[Item]":
        """Triples, triples in graphs and problems, in a fixed order."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A loaded plug-in, and its name."""

    name: str
    media_types: tuple[str, ...]
    transformer: Transformer
    space: str  # what the labels of its blank nodes begin with, and of nobody else's

    def run(self, document: "Document") -> "Iterator[Item]":
        """The valid statements of a plug-in about a document."""
        try:
            for item in self.transformer.statements(document):
                yield self._checked(item, document)
        except MemoryError:
            raise
        except Exception as error:  # it is somebody else's code
            yield self._problem(f"failed: {_told(error)}")

    def _checked(self, item: "Item", document: "Document") -> "Item":
        if isinstance(item, Problem):
            return replace(item, syntax=item.syntax or self.name)
        try:
            return _statement(item, document.blank(""), document.blank(self.space))
        except ValueError as error:
            return self._problem(f"said what cannot be used: {error}")

    def _problem(self, clause: str) -> Problem:
        return Problem(f"The plug-in {self.name} {clause}.", self.name)


class Plugins:
    """All plug-ins of this environment, and the errors of those that do not load."""

    def __init__(self, found: "Iterable[EntryPoint]") -> None:
        self.plugins: list[Plugin] = []
        self.problems: list[Problem] = []
        for entry_point in sorted(found, key=lambda each: (each.name, each.value)):
            try:
                self.plugins.append(_loaded(entry_point))
            except MemoryError:
                raise
            except Exception as error:  # it is somebody else's code
                message = f"The plug-in {entry_point.name} cannot be loaded: {_told(error)}."
                self.problems.append(Problem(message, entry_point.name))

    def for_media_type(self, media_type: str | None) -> list[Plugin]:
        """The plug-ins for a media type."""
        return [each for each in self.plugins if matches(media_type, each.media_types)]

    def statements(self, document: "Document") -> "Iterator[Item]":
        """What plug-ins say of a document; and which of them could not be asked."""
        yield from self.problems
        for plugin in self.for_media_type(document.media_type):
            yield from plugin.run(document)


@lru_cache(maxsize=1)
def installed() -> Plugins:
    """The installed plug-ins, loaded when first needed."""
    from importlib.metadata import entry_points  # which brings mail and ZIP files along: on request

    return Plugins(entry_points(group=GROUP))


def plugin_statements(document: "Document") -> "Iterator[Item]":
    """The statements of the installed plug-ins about a document."""
    return installed().statements(document)


def _loaded(entry_point: "EntryPoint") -> Plugin:
    transformer: Transformer = entry_point.load()
    if not callable(getattr(transformer, "statements", None)):
        raise TypeError("it has no function `statements`")
    media_types = transformer.media_types
    if isinstance(media_types, str):
        raise TypeError("its `media_types` is one text; it has to be a list of them")
    types = tuple(each.lower() for each in media_types)
    return Plugin(entry_point.name, types, transformer, _space(entry_point))


def _space(entry_point: "EntryPoint") -> str:
    known_by = f"{entry_point.name} = {entry_point.value}".encode()
    return f"p{blake2b(known_by, digest_size=4).hexdigest()}"  # no syntax of ours begins with p


def _statement(item: object, page: Term, own: Term) -> "Item":
    """The item, once it is sure that it is a statement, spelled as ours are.

    A plug-in labels blank nodes as it likes, and so do others: its own move to its own space.
    """
    graph = f" {item.graph}" if isinstance(item, InGraph) else ""
    text = item.triple if isinstance(item, InGraph) else item
    if not isinstance(text, str):
        raise ValueError(f"an object of type {type(item).__name__}")
    quad = _quad(f"{text}{graph} .")
    nodes = (quad.subject, quad.predicate, quad.object)
    statement = Triple(" ".join(_term(node, page, own) for node in nodes))
    return InGraph(_term(quad.graph_name, page, own), statement) if graph else statement


def _term(node: object, page: Term, own: Term) -> Term:
    import pyoxigraph as rdf

    if isinstance(node, rdf.Triple):
        return Term(f"<<( {' '.join(_term(each, page, own) for each in node)} )>>")
    text = str(node)
    if not isinstance(node, rdf.BlankNode):
        return Term(text)
    if not text.startswith(page):
        raise ValueError(f"{text} is not made by `document.blank`")
    return Term(own + text.removeprefix(page))


def _quad(line: str) -> "rdf.Quad":
    import pyoxigraph as rdf  # 11 MB: on request

    try:
        quad: rdf.Quad
        (quad,) = rdf.parse(line, rdf.RdfFormat.N_QUADS)
    except (SyntaxError, ValueError):
        raise ValueError(f"{line[:60]!r} is no statement") from None
    return quad


def _told(error: Exception) -> str:
    message = str(error).partition("\n")[0][:160].rstrip(".")
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
