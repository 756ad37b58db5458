"""What is known of classes and properties beforehand, whatever pages say. Pure.

- `tables.py`: facts from published packages, in the text files beside it (`tools/vocabulary_facts.py` draws them)
- `hierarchy.py`, `structural.py`: schema.org's classes. Search, tables and whoever selects by class go by
  them, so that an event is found that its page calls a MusicEvent
- `schema_terms.py`: its properties, members of enumerations, and superseded terms; `codes.py`: languages, countries,
  currencies; `nearness.py`: which name was meant. Reports go by these
"""

from gossamer.vocabulary.hierarchy import (
    SCHEMA,
    ancestors,
    class_names,
    is_class,
    named,
    namespace,
    plain,
    subclasses,
)
from gossamer.vocabulary.structural import is_structural

__all__ = [
    "SCHEMA",
    "ancestors",
    "class_names",
    "is_class",
    "is_structural",
    "named",
    "namespace",
    "plain",
    "subclasses",
]
