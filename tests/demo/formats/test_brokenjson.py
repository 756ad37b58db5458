import html
import json
import re
from typing import Any

import pytest
from tests.demo.formats.reading import Page, pages
from tests.demo.formats.test_jsonld import json_ld_graph, script

from gossamer.demo.content import Format
from gossamer.demo.formats.brokenjson import FAULTS, fault_of
from gossamer.demo.things import thing
from gossamer.model import Syntax


def repaired(fault: str, block: str) -> list[dict[str, Any]]:
    """The objects of a block, mended by someone who knows what is wrong with it."""
    block = block.strip()
    if fault == "trailing comma":
        block = re.sub(r",\s*}$", "}", block)
    elif fault == "comments":
        block = re.sub(r"(?m)^\s*//.*$|/\*.*?\*/", "", block)
    elif fault == "entities":
        block = html.unescape(block)
    elif fault.endswith("CDATA"):
        block = re.sub(r"(//)?(<!\[CDATA\[|\]\]>)", "", block)
    elif fault == "two objects":
        return [json.loads(part) for part in re.split(r"(?<=\n})\n", block)]
    return [json.loads(block, strict=fault != "raw newline")]


def broken_pages(fault: str) -> list[Page]:
    found = [
        read
        for read in pages(Format.BROKEN_JSON_LD_IN_HTML, 120)
        if fault_of(thing(read.spec.number)) == fault
    ]
    assert len(found) >= 5
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_no_json_parser_takes_the_block(fault: str) -> None:
    for read in broken_pages(fault):
        with pytest.raises(json.JSONDecodeError):
            json.loads(script(read))


@pytest.mark.parametrize("fault", FAULTS)
def test_the_repaired_block_holds_what_the_page_is_said_to_hold(fault: str) -> None:
    for read in broken_pages(fault):
        assert json_ld_graph(*repaired(fault, script(read))) == read.graph(Syntax.JSON_LD)
