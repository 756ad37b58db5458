"""The table of routes."""

import re

from gossamer.service.app import ROUTES
from gossamer.service.routes import JSON, json_reply
from gossamer.service.schemas import TEXT


def test_no_two_routes_are_the_same() -> None:
    named = [(route.method, route.path) for route in ROUTES]
    assert len(set(named)) == len(named)


def test_parameters_of_a_path_are_declared() -> None:
    for route in ROUTES:
        in_path = set(re.findall(r"\{(\w+)", route.path))
        assert in_path == {each.name for each in route.parameters if each.place == "path"}


def test_whatever_changes_something_is_no_get() -> None:
    assert not [route for route in ROUTES if route.changes and route.method == "GET"]


def test_a_reply_of_json_says_so() -> None:
    reply = json_reply("Well.", TEXT)[200]
    assert (reply.doc, reply.schemas) == ("Well.", {JSON: TEXT})
