"""SPARQL queries as text: which are asked, what they are asked of, and what is wrong with one. Pure."""

from gossamer.sparql.guard import refusal
from gossamer.sparql.mistakes import mistake, shortened
from gossamer.sparql.schema_forms import in_held_forms
from gossamer.sparql.shape import columns, declared, names_graphs

__all__ = [
    "columns",
    "declared",
    "in_held_forms",
    "mistake",
    "names_graphs",
    "refusal",
    "shortened",
]
