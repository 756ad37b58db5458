from typing import get_args

from tests.demo.conftest import MALICE

from gossamer.demo.lookup import resource_at
from gossamer.demo.resources import NOT_FOUND, Resource
from gossamer.demo.truth import truth


def test_a_malicious_world_has_resources_of_every_kind() -> None:
    said = truth(MALICE, [MALICE.front(0)], scope="any")
    kinds = set()
    for url in said.requested:
        name, _, path = url.removeprefix("http://").partition("/")
        kinds.add(type(resource_at(MALICE, name, "/" + path)))
    assert kinds == set(get_args(Resource))
    assert NOT_FOUND.status == 404
