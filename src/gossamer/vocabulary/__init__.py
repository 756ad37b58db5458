"""What is known of classes beforehand, whatever pages say: `hierarchy.py` and `structural.py`. Pure.

`schema_org.py` is the table of schema.org's classes. Search, tables and whoever selects by class go by
it, so that an event is found that its page calls a MusicEvent.
"""

from gossamer.vocabulary.hierarchy import (
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
    "ancestors",
    "class_names",
    "is_class",
    "is_structural",
    "named",
    "namespace",
    "plain",
    "subclasses",
]
