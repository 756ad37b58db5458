"""Which graphs a query is asked of. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dataset:
    """Graphs by name, as SPARQL 1.1 Protocol has them (section 2.1.4).

    One that names none is all there is, with the union of all graphs as the default graph.
    """

    default: tuple[str, ...] = ()  # the union of these is the default graph
    named: tuple[str, ...] = ()  # what GRAPH finds

    @property
    def is_everything(self) -> bool:
        """Whether no graph is left out."""
        return not (self.default or self.named)


EVERYTHING = Dataset()
