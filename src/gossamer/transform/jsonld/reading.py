"""Parses the text of a document or block to JSON values, and records oddities."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, NoReturn

from gossamer.transform.json_mistakes import no_json
from gossamer.transform.jsonld.processing import Json
from gossamer.transform.jsonld.repair import Piece, repaired
from gossamer.wording import quoted

MOST_DEPTH: Final = 128  # pyoxigraph recurses, and its work grows with the square of the depth
MOST_DIGITS: Final = 300  # of a whole number; no double has more
_TOO_LARGE: Final = "A number is larger than any double; left out."
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Oddity:
    """A repair or error to report about a text."""

    message: str  # a sentence
    line: int  # from 0, within the text


class Parsed(NamedTuple):
    """A JSON value, and the text it was parsed from."""

    value: Json
    text: str


@dataclass(slots=True)
class Reading:
    """The values in a text, and its oddities."""

    values: list[Parsed] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)


def read(text: str, max_depth: int) -> Reading:
    """Parse a text: usually one value, several or none if it is not valid JSON."""
    depth = min(max_depth, MOST_DEPTH)
    try:
        value = _CLEAN.decode(text)
    except (ValueError, RecursionError):
        return _read_odd(text, depth)
    # As many brackets as levels are allowed must be counted; fewer cannot be too deep.
    if text.count("{") + text.count("[") > depth and _depth(value) > depth:
        return _read_odd(text, depth)
    if _has_surrogates(text, value):
        return _read_odd(text, depth)
    return Reading([Parsed(value, text)])


def _read_odd(text: str, depth: int) -> Reading:
    mended = repaired(text, depth)
    if not mended.pieces:
        return Reading(oddities=[Oddity("There is no JSON object or array here.", 0)])
    reading = Reading()
    good = [piece for piece in mended.pieces if _read_piece(piece, reading)]
    if good:  # else the repairs came to nothing, and what they were is of no use to anybody
        told = [Oddity(str(repair), repair.line) for repair in mended.repairs(good)]
        reading.oddities[:0] = told
    return reading


def _read_piece(piece: Piece, reading: Reading) -> bool:
    """Add the value of a piece, if it has one, and what is odd about it."""
    decoder = _NotingDecoder()
    try:
        value = decoder.decode(piece.text)
    except json.JSONDecodeError as error:
        reading.oddities.append(Oddity(no_json(error), piece.line + error.lineno - 1))
        return False
    except (ValueError, RecursionError) as error:
        reading.oddities.append(Oddity(f"This is no JSON: {error}.", piece.line))
        return False
    if _has_surrogates(piece.text, value):
        decoder.notes.setdefault("Half of a character pair stands for no character; replaced.")
        value = json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    reading.oddities += [Oddity(note, piece.line) for note in decoder.notes]
    reading.values.append(Parsed(value, piece.text))
    return True


def _depth(value: Json) -> int:
    """How deeply the value is nested, without recursion."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth


def _has_surrogates(text: str, value: Json) -> bool:
    """Whether half of a pair is left: only an escape can bring one in."""
    if "\\ud" not in text and "\\uD" not in text:
        return False
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name occurs twice in an object")
    return members


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number too large")
    return number


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number too large")
    return int(digits)


# Shared, since it keeps nothing: what is odd makes it give up.
_CLEAN: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_float, parse_int=_int, parse_constant=_no_constant
)


class _NotingDecoder(json.JSONDecoder):
    """Takes what has a usual meaning all the same, and notes it."""

    def __init__(self) -> None:
        super().__init__(
            object_pairs_hook=self._object,
            parse_float=self._float,
            parse_int=self._int,
            parse_constant=_no_constant,
        )
        self.notes: dict[str, None] = {}

    def _object(self, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            name = Counter(name for name, _ in pairs).most_common(1)[0][0]
            self.notes.setdefault(f"{quoted(name)} occurs twice in an object; the last one counts.")
        return members

    def _float(self, digits: str) -> float | None:
        try:
            return _float(digits)
        except ValueError:
            self.notes.setdefault(_TOO_LARGE)
            return None

    def _int(self, digits: str) -> int | None:
        try:
            return _int(digits)
        except ValueError:
            self.notes.setdefault(_TOO_LARGE)
            return None
