"""What a value may look like: the part of JSON Schema that we describe requests with. Pure.

The same schema is published in `/openapi.json` and used to refuse a request, so that neither can
say anything that the other does not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

Schema = Mapping[str, Any]

TEXT: Final[Schema] = MappingProxyType({"type": "string"})
FLAG: Final[Schema] = MappingProxyType({"type": "boolean"})
NUMBER: Final[Schema] = MappingProxyType({"type": "number"})
WHOLE: Final[Schema] = MappingProxyType({"type": "integer"})
ANYTHING: Final[Schema] = MappingProxyType({})

_KINDS: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType(
    {
        "string": (str,),
        "boolean": (bool,),
        "integer": (int,),
        "number": (int, float),
        "array": (list,),
        "object": (dict,),
        "null": (type(None),),
    }
)
_WORDS: Final = {
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_WHOLE: Final = re.compile(r"-?\d{1,18}", re.ASCII)


def text(*, most: int, least: int = 0, pattern: str | None = None) -> Schema:
    """Text of so many characters."""
    schema: dict[str, Any] = {"type": "string", "maxLength": most}
    if least:
        schema["minLength"] = least
    return schema if pattern is None else {**schema, "pattern": pattern}


def whole(least: int, most: int) -> Schema:
    """A whole number between these."""
    return {"type": "integer", "minimum": least, "maximum": most}


def one_of(*choices: str) -> Schema:
    """One of these words."""
    return {"type": "string", "enum": list(choices)}


def listed(items: Schema, *, most: int | None = None) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}


def record(
    fields: Mapping[str, Schema], *, optional: Sequence[str] = (), closed: bool = False
) -> Schema:
    """An object with these fields; `closed` where it may have no others."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": dict(fields),
        "required": [name for name in fields if name not in optional],
    }
    return {**schema, "additionalProperties": False} if closed else schema


def table_of(values: Schema) -> Schema:
    """An object whose names are not known beforehand."""
    return {"type": "object", "additionalProperties": values}


def or_null(schema: Schema) -> Schema:
    """A schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def read_text(schema: Schema, raw: str) -> object:
    """A value that came as text, as the schema has it; what cannot be read stays text."""
    match schema.get("type"):
        case "integer" if _WHOLE.fullmatch(raw):
            return int(raw)
        case "boolean" if raw in ("true", "false"):
            return raw == "true"
        case "number":
            return _number(raw)
    return raw


def faults(schema: Schema, value: object, where: str) -> Iterator[str]:
    """What is wrong with a value: sentences without a full stop; nothing where all is well.

    `where` is a name in code quotes, or what people call the whole: the body.
    """
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else kind
    if kinds is not None and not any(_is(each, value) for each in kinds):
        yield f"{where} is {' or '.join(_WORDS[each] for each in kinds)}, not {_shown(value)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is one of {', '.join(map(str, schema['enum']))}, not {_shown(value)}"
        return
    match value:
        case bool():
            return
        case int() | float():
            yield from _number_faults(schema, value, where)
        case str():
            yield from _text_faults(schema, value, where)
        case list():
            yield from _list_faults(schema, value, where)
        case dict():
            yield from _record_faults(schema, value, where)


def _number_faults(schema: Schema, value: float, where: str) -> Iterator[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and value < least:
        yield f"{where} is at least {least:,}, not {value:,}"
    if most is not None and value > most:
        yield f"{where} is at most {most:,}, not {value:,}"


def _text_faults(schema: Schema, value: str, where: str) -> Iterator[str]:
    if len(value) < schema.get("minLength", 0):
        yield f"{where} is empty" if not value else f"{where} is too short"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{where} may have {schema['maxLength']:,} characters, not {len(value):,}"
    elif "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where} cannot be {_shown(value)}"


def _list_faults(schema: Schema, value: Sequence[object], where: str) -> Iterator[str]:
    if len(value) > schema.get("maxItems", len(value)):
        yield f"{where} may have {schema['maxItems']:,} items, not {len(value):,}"
        return
    for index, item in enumerate(value):
        yield from faults(schema.get("items", ANYTHING), item, _within(where, f"[{index}]"))


def _record_faults(schema: Schema, value: Mapping[str, object], where: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where} lacks `{name}`"
    for name, item in value.items():
        if name in known:
            yield from faults(known[name], item, _within(where, f".{name}"))
        elif schema.get("additionalProperties") is False:
            yield f"{where} has a field {_shown(name)} that means nothing"


def _within(where: str, step: str) -> str:
    """A part of what has a name in code quotes, or of a whole that has none."""
    whole = where[1:-1] if where.startswith("`") else ""
    return f"`{(whole + step).removeprefix('.')}`"


def _is(kind: str, value: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS[kind])


def _number(raw: str) -> object:
    try:
        number = float(raw)
    except ValueError:
        return raw
    return number if abs(number) < float("inf") else raw


def _shown(value: object) -> str:
    told = repr(value)
    return told if len(told) <= 60 else f"{told[:60]}…"
