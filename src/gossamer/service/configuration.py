"""`/api/config` and `/env`: every value in force and where it comes from, and what waits; changes, with the token.

Whoever owns the folder says what it goes by. This process knows better of what it has itself: its own
section, and the proxy's where it has one.
"""

import asyncio
import os
import platform
from collections import defaultdict
from typing import Any, Final

from starlette.responses import Response

from gossamer import __version__, values
from gossamer.errors import ConfigError
from gossamer.events import ConfigChanged
from gossamer.owner.messages import AnswerError, Record, UnableError, ask
from gossamer.owner.questions import Configure, SettingsInForce
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.service.answers import json_answer
from gossamer.service.errors import not_found
from gossamer.service.routes import JSON, Body, Call, Parameter, Route, json_reply
from gossamer.service.schemas import (
    ANYTHING,
    TEXT,
    WHOLE,
    Schema,
    listed,
    one_of,
    or_null,
    record,
    table_of,
    text,
)
from gossamer.settings import sources as settings
from gossamer.settings.runtime import change

WHERE: Final = "value"
_VALUE: Final[Schema] = {
    "description": "As gossamer.toml has it.",
    "type": ["string", "number", "boolean", "array", "object"],
}
_WAITING: Final = record({"value": ANYTHING, "source": TEXT, "until": one_of("reload", "restart")})
_KEY: Final = record(
    {
        "value": ANYTHING,
        "source": TEXT,
        "waiting": or_null(_WAITING),
        "default": ANYTHING,
        "doc": TEXT,
    }
)
_CRAWL: Final = record({"process": WHOLE, "waits": listed(TEXT), "refused": or_null(TEXT)})
_CHANGED: Final = record(
    {
        "key": TEXT,
        "value": ANYTHING,
        "source": TEXT,
        "waits": listed(TEXT),
        "crawl": or_null(_CRAWL),
    }
)


async def all_keys(call: Call) -> Response:
    """Every key."""
    return json_answer(call.request, (await keys_in_force(call))[0])


async def one_key(call: Call) -> Response:
    """Answer with one key in force."""
    name = _name(call)
    return json_answer(call.request, (await keys_in_force(call))[0][name])


async def put(call: Call) -> Response:
    """Change a value, now and for later runs."""
    name, raw = _name(call), call.body["value"]
    settings.read_remote_value(name, raw, WHERE)
    return json_answer(call.request, await _change(call, name, raw))


async def delete(call: Call) -> Response:
    """Take a change back."""
    name = _name(call)
    settings.read_remote_value(name, None, "key")
    return json_answer(call.request, await _change(call, name, None))


async def env(call: Call) -> Response:
    """The configuration in force, what waits, and what runs it."""
    sections: defaultdict[str, dict[str, object]] = defaultdict(dict)
    every, refused = await keys_in_force(call)
    for name, told in every.items():
        section, _, key = name.partition(".")
        sections[section][key] = told["value"]
    told = {
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "process": os.getpid(),
        "data": str(call.parts.data.path.resolve()),
        "config": sections,
        "waiting": {name: each["waiting"] for name, each in every.items() if each["waiting"]},
        "refused": refused,
    }
    return json_answer(call.request, told)


async def keys_in_force(call: Call) -> tuple[dict[str, dict[str, Any]], str | None]:
    """Each key with its value in force and what waits; and why the files are wrong now, if they are."""
    parts, known = call.parts, settings.keys()
    own = await parts.in_force.record()
    try:
        owner = await ask(parts.answering, SettingsInForce())
    except (AnswerError, NoOwnerError):
        owner = own
    ours = ("service.",) if parts.proxy is None else ("service.", "proxy.")
    every = {
        name: {
            **(own if name.startswith(ours) else owner)["settings"][name],
            "default": values.as_json(key.default),
            "doc": key.doc,
        }
        for name, key in known.items()
    }
    return every, owner["refused"] or own["refused"]


def _name(call: Call) -> str:
    name: str = call.given["key"]
    try:
        return settings.key_named(name, "There is no such thing").name
    except ConfigError as error:
        raise not_found(str(error)) from None


async def _change(call: Call, name: str, raw: object | None) -> Record:
    parts = call.parts
    changed = await asyncio.to_thread(change, parts.data, {name: raw}, parts.in_force.checked)
    await parts.in_force.look()
    shown = changed.shown(name)
    assert shown is not None  # it is a key
    crawl = await _take_up(call, name)
    if crawl is None:  # else whoever takes it up tells
        parts.tell(ConfigChanged(key=name, value=shown[0]))
    told = changed.settings.record()[name]
    waits = [each for each in parts.in_force.waits if each == name]
    return {"key": name, **told, "source": shown[1], "waits": waits, "crawl": crawl}


async def _take_up(call: Call, name: str) -> Record | None:
    """What a crawl that is running makes of it; None where there is none."""
    try:
        told = await ask(call.parts.answering, Configure((name,)))
    except (UnableError, NoOwnerError):
        return None
    return {name: each for name, each in told.items() if name != "values"}


_NAME: Final = Parameter(
    name="key", doc="Its name: politeness.delay", place="path", schema=text(most=100, least=1)
)

ROUTES: Final = (
    Route(
        path="/api/config",
        summary="Every value in force and where it comes from",
        doc="`waiting` has the value that an edit of gossamer.toml or a change asks for and that is "
        "not in force: `until` a `reload` (`gossamer config reload`, SIGHUP) or a `restart`.",
        handler=all_keys,
        replies=json_reply("By key; secrets are masked.", table_of(_KEY)),
        tag="configuration",
    ),
    Route(
        path="/api/config/{key}",
        summary="One value",
        handler=one_key,
        parameters=(_NAME,),
        replies=json_reply("The value.", _KEY),
        tag="configuration",
    ),
    Route(
        path="/api/config/{key}",
        method="PUT",
        summary="Change a value",
        doc="For the run in progress and those to come. What is wrong changes nothing. `waits` "
        "names what this service takes up only when it starts again, `crawl.waits` the same of a "
        "crawl.",
        handler=put,
        parameters=(_NAME,),
        body=Body(doc="The new value.", schemas={JSON: record({"value": _VALUE}, closed=True)}),
        replies=json_reply("What it is now, and what a crawl that runs makes of it.", _CHANGED),
        changes=True,
        tag="configuration",
    ),
    Route(
        path="/api/config/{key}",
        method="DELETE",
        summary="Take a change back",
        handler=delete,
        parameters=(_NAME,),
        replies=json_reply("What it is now.", _CHANGED),
        changes=True,
        tag="configuration",
    ),
    Route(
        path="/env",
        summary="The configuration in force, and what runs it",
        handler=env,
        replies=json_reply(
            "Secrets are masked. `waiting` has the values that are not in force, by key; `refused` "
            "says why gossamer.toml could not be taken up as it is now.",
            record(
                {
                    "version": TEXT,
                    "config": table_of(table_of(ANYTHING)),
                    "waiting": table_of(_WAITING),
                    "refused": or_null(TEXT),
                }
            ),
        ),
        tag="configuration",
    ),
)
