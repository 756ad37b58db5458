"""The OpenAPI page is true: whatever it allows is answered as it says, and nothing else is."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.owner.small_crawl import made
from tests.service.running import TOKEN, Client, service_on
from tests.slowness import patience

from gossamer.config import Service
from gossamer.service.openapi import document
from gossamer.service.routes import Route
from gossamer.service.sparql import QUERY
from gossamer.web.app import ROUTES

EXAMPLES = 8
# No schema tells what is a query, a search or a value of a key; and whoever gives a query a thousandth
# of a second is told that it took longer, with 503.
NOT_CHECKED: list[Any] = [positive_data_acceptance, not_a_server_error]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A service over a folder of its own, in which anything may be changed."""
    data = asyncio.run(made(tmp_path_factory.mktemp("small") / "data"))
    with service_on(data, Service(token=TOKEN)) as client:
        yield client


@schemathesis.serializer(QUERY)
def sparql_query(_: Any, value: Any) -> bytes:
    return str(value).encode()


# What explains a URL would ask whatever host that is generated; live news have no end.
schema = schemathesis.openapi.from_dict(dict(document(ROUTES))).exclude(
    path=["/api/explain", "/api/live"]
)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_route_answers_as_its_page_says(case: Case[Any], own: Client) -> None:
    answer = case.call_and_validate(
        base_url=own.url,
        headers={"Authorization": f"Bearer {TOKEN}"},
        timeout=patience(60),
        excluded_checks=NOT_CHECKED,
    )
    assert answer.status_code != 500


def is_listed(route: Route) -> bool:
    """Whether it is for programs, and describes itself in no other way."""
    return route.is_listed and not route.is_page


def test_the_page_lists_every_route_and_itself(ask: Client) -> None:
    page = ask("/openapi.json").json
    listed = {(path, method.upper()) for path, each in page["paths"].items() for method in each}
    assert listed == {(route.path, route.method) for route in ROUTES if is_listed(route)}
    assert "/openapi.json" in page["paths"]
    names = [told["operationId"] for each in page["paths"].values() for told in each.values()]
    assert len(set(names)) == len(names)


def test_whoever_has_the_page_need_not_get_it_again(ask: Client) -> None:
    tag = ask("/openapi.json").headers["etag"]
    again = ask("/openapi.json", headers={"If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["x-content-type-options"] == "nosniff"


def test_changes_want_the_token_and_say_so() -> None:
    for route in (each for each in ROUTES if is_listed(each)):
        told = document(ROUTES)["paths"][route.path][route.method.lower()]
        assert ("security" in told) is route.changes
