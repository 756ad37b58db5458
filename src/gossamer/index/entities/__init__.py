"""Entities: what is known of one thing, gathered from all pages that speak of it. Pure.

`home_of` says under which key a subject is gathered, `entity_of` makes one thing of all subjects of
a home, `type_term` and `type_terms` compare types. See `docs/entities.md`.
"""

from gossamer.index.entities.entity import Entity, Text
from gossamer.index.entities.gathering import entity_of
from gossamer.index.entities.homes import IDENTIFYING, home_of, may_identify
from gossamer.index.entities.kinds import (
    is_of_type,
    short_name,
    type_term,
    type_terms,
    wanted_terms,
)
from gossamer.index.entities.registries import spelled
from gossamer.index.entities.said import Said, page_of, said_of

__all__ = [
    "IDENTIFYING",
    "Entity",
    "Said",
    "Text",
    "entity_of",
    "home_of",
    "is_of_type",
    "may_identify",
    "page_of",
    "said_of",
    "short_name",
    "spelled",
    "type_term",
    "type_terms",
    "wanted_terms",
]
