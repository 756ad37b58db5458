"""How a configuration value is written down, and read back.

One reader serves TOML (numbers, lists, tables), the environment, the command line
and runtime changes (text). A value that cannot be read raises `ValueError` with a
sentence that says what would be right; the caller adds where it stood.
"""

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import timedelta
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin

Lines = NewType("Lines", str)
"""A text that may have line breaks and tabs in it."""

Addresses = NewType("Addresses", str)
"""One address, or several with spaces between them; TOML and JSON may have a list."""


class PerDay(float):
    """How often something is to happen in a day."""

    def __str__(self) -> str:
        """As it is written down."""
        return f"{float(self):.6f}".rstrip("0").rstrip(".") + "/day"


SECONDS = {"ms": 0.001, "s": 1, "min": 60, "m": 60, "h": 3600, "d": 86400}
BYTES = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
BYTES |= {"kib": 2**10, "mib": 2**20, "gib": 2**30}
LONGEST_TIME = timedelta(
    days=3650
)  # beyond this a time is a typing error, and date arithmetic unsafe
TRUE, FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
_RATE = re.compile(r"\s*+(\d{1,12}(?:\.\d{1,6})?)\s*+(?:(?:/|per\s)\s*+([a-z]+?)s?)?\s*+", re.ASCII)
A_TIME = "a time: give seconds (1.5) or a number with a unit (500ms, 2min, 1h, 7d)"
A_RATE = "a number per time: give one as 5000/day or 200/hour"
A_WHOLE_NUMBER = "a whole number (sizes may have a unit: 64KiB, 16MiB)"


def read(kind: Any, raw: object, *, at_least: float | None = None) -> object:  # noqa: ANN401 (a type form)
    """The typed value of `raw`, which is text or what TOML makes of it."""
    value = _reader(kind)(raw)
    for number in value.values() if isinstance(value, Mapping) else [value]:
        _check_least(number, at_least)
    return value


def written(value: object) -> str:
    """The text that `read` takes back for the same value."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case timedelta():
            return _written_time(value)
        case Mapping() if not value:
            return "{}"
        case Mapping():
            if all(map(_is_plain_name, value)):
                return ", ".join(f"{name}={written(each)}" for name, each in value.items())
            pairs = (f"{_in_quotes(name)} = {_toml_value(each)}" for name, each in value.items())
            return "{" + ", ".join(pairs) + "}"
        case tuple():
            return "[" + ", ".join(map(_in_quotes, value)) + "]"
        case _:
            return str(value)


def _is_plain_name(name: str) -> bool:
    """Whether a name in a table is read back as it is from NAME=VALUE."""
    return name == name.strip() and not name.startswith("{") and "," not in name and "=" not in name


def _in_quotes(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _toml_value(value: object) -> str:
    return written(value) if isinstance(value, int | float) else _in_quotes(written(value))


def written_size(count: int) -> str:
    """A number of bytes in the largest unit that leaves no rest."""
    for unit in ("GiB", "MiB", "KiB"):
        if count and count % BYTES[unit.lower()] == 0:
            return f"{count // BYTES[unit.lower()]}{unit}"
    return str(count)


def _written_time(value: timedelta) -> str:
    for unit in ("d", "h", "min"):
        if value and value % timedelta(seconds=SECONDS[unit]) == timedelta(0):
            return f"{value // timedelta(seconds=SECONDS[unit])}{unit}"
    return f"{value.total_seconds():.6f}".rstrip("0").rstrip(".") + "s"


def as_json(value: object) -> object:
    """The value as JSON has it: times in seconds, tables as objects."""
    match value:
        case timedelta():
            return value.total_seconds()
        case Mapping():
            return {name: as_json(each) for name, each in value.items()}
        case tuple():
            return list(value)
        case _:
            return value


def described(kind: Any) -> str:  # noqa: ANN401 (a type form)
    """What people are told a value of this kind is."""
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    if _is_optional(kind):
        return f"{described(_without_none(kind))}, or none"
    if get_origin(kind) is tuple:
        return "list"
    if get_origin(kind) is Mapping:
        return f"table of {described(get_args(kind)[1])}s"
    words = {bool: "true or false", int: "whole number", float: "number", timedelta: "time"}
    words |= {PerDay: "number per day"}
    return words.get(kind, "text")


def _reader(kind: Any) -> Callable[[object], object]:  # noqa: ANN401 (a type form)
    if get_origin(kind) is Literal:
        return lambda raw: _choice(raw, get_args(kind))
    if _is_optional(kind):
        return lambda raw: None if raw in (None, "", "none") else _reader(_without_none(kind))(raw)
    if get_origin(kind) is Mapping:
        return lambda raw: _table(raw, _reader(get_args(kind)[1]))
    plain: Mapping[Any, Callable[[object], object]] = {
        bool: _flag,
        int: _whole_number,
        float: _number,
        str: _text,
        Lines: _lines,
        Addresses: _addresses,
        timedelta: _time,
        PerDay: _per_day,
        tuple: _texts,
    }
    return plain[get_origin(kind) or kind]


def _is_optional(kind: Any) -> bool:  # noqa: ANN401 (a type form)
    return get_origin(kind) in (Union, UnionType)


def _without_none(kind: Any) -> Any:  # noqa: ANN401 (a type form)
    return next(each for each in get_args(kind) if each is not NoneType)


def _check_least(value: object, at_least: float | None) -> None:
    number = value.total_seconds() if isinstance(value, timedelta) else value
    if at_least is not None and isinstance(number, int | float) and number < at_least:
        raise ValueError(f"{written(value)} is too small; give at least {at_least:g}")


def _choice(raw: object, choices: tuple[str, ...]) -> str:
    if (
        "all" in choices
        and "none" in choices
        and (word := str(raw).strip().lower()) in TRUE | FALSE
    ):
        return "all" if word in TRUE else "none"  # what was on or off before there was a choice
    if raw not in choices:
        raise ValueError(f"{raw!r} is not one of {', '.join(choices)}")
    return str(raw)


def _flag(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().lower()
    if word not in TRUE | FALSE:
        raise ValueError(f"{raw!r} is neither true nor false")
    return word in TRUE


def _whole_number(raw: object) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    match = re.fullmatch(r"\s*+(-?\d{1,18})\s*+([a-zA-Z]*+)\s*+", str(raw), re.ASCII)
    if not match or match[2].lower() not in BYTES:
        raise ValueError(f"{raw!r} is not {A_WHOLE_NUMBER}")
    return int(match[1]) * BYTES[match[2].lower()]


def _number(raw: object) -> float:
    try:
        number = float(str(raw))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{raw!r} is not a number")
    return number


def _text(raw: object) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise ValueError(f"{raw!r} is not text")
    if not raw.isprintable():
        raise ValueError(f"{raw!r} holds characters that cannot be printed")
    return raw.strip()


def _lines(raw: object) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"{raw!r} is not text")
    _text(" ".join(raw.split()))
    return raw


def _addresses(raw: object) -> str:
    texts = raw if isinstance(raw, list | tuple) else [raw]
    if not texts:
        raise ValueError("there is no address in the list")
    return " ".join(" ".join(_text(each).split()) for each in texts)


def _time(raw: object) -> timedelta:
    match = re.fullmatch(r"\s*+(-?[\d.]{1,18})\s*+([a-z]*+)\s*+", str(raw).lower(), re.ASCII)
    unit = match[2] or "s" if match else ""
    if not match or unit not in SECONDS or match[1].count(".") > 1 or match[1] in ("-", ".", "-."):
        raise ValueError(f"{raw!r} is not {A_TIME}")
    seconds = float(match[1]) * SECONDS[unit]
    if seconds > LONGEST_TIME.total_seconds():
        raise ValueError(f"{raw!r} is longer than {LONGEST_TIME.days} days")
    return timedelta(seconds=seconds)


def _per_day(raw: object) -> PerDay:
    match = _RATE.fullmatch(str(raw).lower())
    in_a_day = {"day": 1, "d": 1, "hour": 24, "h": 24, "minute": 1440, "min": 1440}
    unit = match[2] or "day" if match else ""
    if match is None or unit not in in_a_day:
        raise ValueError(f"{raw!r} is not {A_RATE}")
    return PerDay(float(match[1]) * in_a_day[unit])


def _texts(raw: object) -> tuple[str, ...]:
    if isinstance(raw, str):
        stripped = raw.strip()
        # A comma may stand inside an expression, so a list can also be written as TOML has it.
        raw = (
            _toml(stripped) if stripped.startswith("[") else stripped.split(",") if stripped else []
        )
    if not isinstance(raw, list | tuple):
        raise ValueError(f"{raw!r} is not a list of texts")
    return tuple(_text(each) for each in raw)


def _table(raw: object, reader: Callable[[object], object]) -> Mapping[str, object]:
    if raw == "{}":
        return MappingProxyType({})
    table = _table_text(raw.strip()) if isinstance(raw, str) else raw
    if not isinstance(table, Mapping) or not all(table):
        raise ValueError(
            f'{raw!r} is not a table; write NAME=VALUE, NAME=VALUE, or {{"NAME" = VALUE}} '
            "where a name has a comma or an equals sign"
        )
    return MappingProxyType({str(name): reader(value) for name, value in table.items()})


def _table_text(text: str) -> object:
    # A comma may stand inside a name, so a table can also be written as TOML has it.
    if text.startswith("{"):
        try:
            return tomllib.loads(f"table = {text}")["table"]
        except tomllib.TOMLDecodeError:
            raise ValueError(f'{text!r} is not a table; write {{"NAME" = VALUE}}') from None
    pairs = (_pair(each) for each in text.split(",") if each.strip())
    return {name.strip(): value for name, _, value in pairs}


def _pair(text: str) -> tuple[str, str, str]:
    """A name and its value: a namespace may have `=` in it, and so may a service's address."""
    if re.match(r"\s*[\w.+*-]+/[\w.+*-]+\s*=", text):  # a media type
        return text.partition("=")
    return text.rpartition("=")


def _toml(text: str) -> object:
    try:
        return tomllib.loads(f"list = {text}")["list"]
    except tomllib.TOMLDecodeError:
        raise ValueError(f'{text!r} is not a list; write ["one", "two"]') from None
