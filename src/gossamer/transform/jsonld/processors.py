"""Chooses the processor of a document: pyoxigraph, or PyLD where that fails."""

from collections.abc import Mapping

from gossamer.transform.jsonld.contexts import Prepared
from gossamer.transform.jsonld.directions import AS_DATATYPES
from gossamer.transform.jsonld.fast import fast_quads
from gossamer.transform.jsonld.processing import Found, Json, JsonLdError, JsonLdOptions


class Processors:
    """The two processors, set up for one document."""

    def __init__(
        self, base: str | None, contexts: Mapping[str, bytes], processing: JsonLdOptions
    ) -> None:
        self._base = base
        self._contexts = contexts
        self._processing = processing
        self._scopes = 0

    def found(self, prepared: Prepared, value: Json, *, directions: bool = False) -> Found:
        """The quads of a value or a part of it. Raises JsonLdError if both processors fail.

        With `directions`, those of texts are in their datatypes.
        """
        if directions:
            return self._full(value, AS_DATATYPES)
        if not self._processing.is_plain:
            return self._full(value)

        def fast(value: Json) -> Found:
            return fast_quads(value, self._base, is_covered=prepared.is_covered)

        first, second = (self._full, fast) if prepared.needs_full else (fast, self._full)
        try:
            return first(value)
        except JsonLdError as error:
            try:  # each has errors that the other has not
                return second(value)
            except JsonLdError as other:
                raise error.or_better(other) from error

    def _full(self, value: Json, processing: JsonLdOptions | None = None) -> Found:
        # Few pages need it, and it takes as long to load as half of what reads all others.
        from gossamer.transform.jsonld.full import full_quads

        self._scopes += 1  # two blocks shall not share blank nodes by accident
        scope = f"{self._scopes}-"
        return full_quads(
            value, self._base, self._contexts.get, processing or self._processing, scope
        )
