"""One form of schema.org's IRIs, whatever a page writes: `http://schema.org/`. Pure.

Pages write the namespace with http or https, with www or without. JSON-LD says http by the context of
schema.org itself, so this is the form in the graph, for every syntax. `transform.keep_schemes` and
strict mode keep what the page wrote.
"""

import re
from typing import Final

from gossamer.transform.terms import Triple

_OTHER_FORM: Final = re.compile(r"<https?://(?:www\.)?schema\.org/(?=[A-Za-z0-9]*>)")
_OTHER_NAME: Final = re.compile(r"^https?://(?:www\.)?schema\.org/(?=[A-Za-z0-9]*\Z)")
# In a triple term: a text, which is left alone, or a name.
_TEXT_OR_OTHER_FORM: Final = re.compile(rf'("(?:[^"\\]++|\\.)*+")|{_OTHER_FORM.pattern}')
_FORM: Final = "<http://schema.org/"


def is_of_schema_org(url: str) -> bool:
    """Whether a page is one of schema.org's own: its address is no name of the vocabulary there."""
    return re.match(r"https?://(?:www\.)?schema\.org(?:[/?#]|$)", url) is not None


def iri_in_one_form(iri: str) -> str:
    """A name of schema.org in the one form; any other IRI as it is."""
    return _OTHER_NAME.sub("http://schema.org/", iri)


def one_form(triple: Triple) -> Triple:
    """Write the names of schema.org in one form: subject, predicate, object and datatype."""
    quote = triple.find('"')  # of a text, behind subject and predicate: IRIs have none
    if quote < 0:
        return Triple(_OTHER_FORM.sub(_FORM, triple))
    if "<<(" in triple[:quote]:
        return Triple(_TEXT_OR_OTHER_FORM.sub(lambda found: found[1] or _FORM, triple))
    end = triple.rindex('"')
    tail = triple[end:]
    if "schema.org/" in tail:
        tail = _OTHER_FORM.sub(_FORM, tail)
    return Triple(f"{_OTHER_FORM.sub(_FORM, triple[:quote])}{triple[quote:end]}{tail}")
