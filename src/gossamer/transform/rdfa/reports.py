"""Problems of a page by the rules of RDFa, or as the processor graph of Core, section 7.6."""

from collections.abc import Callable
from typing import Final

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.rdfa.context import DCTERMS, RDFA
from gossamer.transform.terms import A, InGraph, Term, iri, known, literal, triple
from gossamer.wording import quoted

MOST: Final = 100  # a page of nothing but mistakes is not worth more sentences
PROCESSOR_GRAPH: Final = "#rdfa-processor-graph"  # added to the URL of a page


class Reports:
    """Collects problems, once each, and emits them as the options ask."""

    def __init__(self, document: Document, fresh: Callable[[], Term], out: list[Item]) -> None:
        self._url = document.url
        self._as_graph = document.options.processor_graph
        self._fresh = fresh
        self._out = out
        self._told: set[str] = set()

    def taken(self) -> list[Item]:
        """The reports since the last call."""
        taken = self._out.copy()
        self._out.clear()
        return taken

    def not_well_formed(self, problem: Problem) -> None:
        """The document is broken; what could be read was."""
        self._tell(problem.message, "Error", "DocumentError", problem.line)

    def unresolved_term(self, word: str) -> None:
        """A word that no vocabulary in force gives a meaning."""
        self._tell(f"The term {quoted(word)} is not defined here.", "Warning", "UnresolvedTerm")

    def unresolved_curie(self, text: str) -> None:
        """A prefixed name whose prefix nobody declared."""
        self._tell(f"The prefix of {quoted(text)} is not defined.", "Warning", "UnresolvedCURIE")

    def prefix_redefined(self, prefix: str, iri: str) -> None:
        """A prefix of the initial context means something else here: common, and no mistake."""
        if self._as_graph:
            message = f"The prefix {quoted(prefix)} is redefined as {quoted(iri)}."
            self._tell(message, "Warning", "PrefixRedefinition")

    def no_vocabulary(self, address: str) -> None:
        """A vocabulary that is to be expanded is not at hand."""
        self._tell(
            f"The vocabulary {quoted(address)} is not at hand.", "Warning", "VocabReferenceError"
        )

    def bad_iri(self, text: str) -> None:
        """An IRI that cannot be mended."""
        self._tell(f"{quoted(text)} is no IRI; it is passed over.", "Warning")

    def too_deep(self, depth: int) -> None:
        """Elements beyond the limit are passed over."""
        self._tell(f"What is nested more than {depth} deep is left out.", "Warning")

    def too_much_markup(self) -> None:
        """Markup literals within each other are cut off."""
        self._tell("Literals hold too much markup; it is left out of further ones.", "Warning")

    def too_much_text(self) -> None:
        """Texts within texts are cut off."""
        self._tell(
            "Properties within properties repeat too much text: some is left out.", "Warning"
        )

    def too_many_links(self) -> None:
        """Links that wait for an object have found too many."""
        self._tell("Links wait for too many objects; some are left out.", "Warning")

    def too_many_prefixes(self) -> None:
        """Further declarations are passed over."""
        self._tell("The page declares too many prefixes; further ones are left out.", "Warning")

    def _tell(self, message: str, kind: str, detail: str = "", line: int | None = None) -> None:
        if message in self._told or len(self._told) >= MOST:
            return
        self._told.add(message)
        page, graph = iri(self._url), iri(f"{self._url}{PROCESSOR_GRAPH}")
        if self._as_graph and page and graph:
            self._describe(graph, page, message, kind, detail)
        else:
            self._out.append(Problem(message, Syntax.RDFA, line))

    def _describe(self, graph: Term, page: Term, message: str, kind: str, detail: str) -> None:
        node = self._fresh()
        kinds = [known(f"{RDFA}{each}") for each in (kind, detail) if each]
        statements = [(A, each) for each in kinds]
        statements.append((known(f"{DCTERMS}description"), literal(message, "en")))
        statements.append((known(f"{RDFA}context"), page))
        self._out += [InGraph(graph, triple(node, *statement)) for statement in statements]
