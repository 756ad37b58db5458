"""Small drawings."""

import pytest
from lxml import etree

from gossamer.web.icons import DRAWINGS, icon, kind_icon


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_drawing_is_well_formed_and_silent(name: str) -> None:
    drawn = etree.fromstring(str(icon(name)))
    assert drawn.get("aria-hidden") == "true"
    assert len(drawn)


def test_things_have_the_drawing_of_their_kind() -> None:
    assert kind_icon(["http://schema.org/Person"]) == "person"
    assert kind_icon(["https://schema.org/Nothing", "http://xmlns.com/foaf/0.1/Organization"]) == (
        "building"
    )
    assert kind_icon([], is_page=True) == "page"
    assert kind_icon(["urn:x"]) == "thing"
