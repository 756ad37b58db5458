"""Reads Dublin Core elements and terms, in RSS and in Atom."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gossamer.transform.feeds import values, vocabulary
from gossamer.transform.feeds.extensions import Handler, saying, saying_agent

_BOTH: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "title": saying(vocabulary.TITLE, values.text),
        "description": saying(vocabulary.DESCRIPTION, values.text),
        "subject": saying(vocabulary.SUBJECT, values.text),
        "creator": saying_agent(),
        "contributor": saying_agent(vocabulary.CONTRIBUTOR),
        "publisher": saying_agent(vocabulary.PUBLISHER),
        "identifier": saying(vocabulary.IDENTIFIER, values.code),
        "language": saying(vocabulary.LANGUAGE, values.code),
        "rights": saying(vocabulary.RIGHTS, values.text),
    }
)
# What `dc:date` means, the feed and the entry say each for itself.
DUBLIN_CORE: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        **{f"dc:{name}": handler for name, handler in _BOTH.items()},
        **{f"dcterms:{name}": handler for name, handler in _BOTH.items()},
        "dc:author": saying_agent(),  # no element of Dublin Core, and written all the same
        "dcterms:abstract": saying(vocabulary.ABSTRACT, values.text),
        "dcterms:created": saying(vocabulary.CREATED, values.time),
        "dcterms:issued": saying(vocabulary.ISSUED, values.time),
        "dcterms:modified": saying(vocabulary.MODIFIED, values.time),
        "dcterms:license": saying(vocabulary.LICENSE, values.address),
    }
)
