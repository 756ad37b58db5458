"""Items of hostile pages come to no more than their pages are worth, written out, and whoever asks is told."""

import json
from collections.abc import Callable, Mapping

import pytest

from gossamer import Page, extract
from gossamer.transform.microdata.values import FREE_TEXT, REPEATS

SIZE = 1_500
ATTACKS: Mapping[str, tuple[str, Callable[[int], str]]] = {
    "items that double at each reference": (
        "microdata",
        lambda n: (
            "".join(f"<p id=a{i} itemprop='p q' itemscope itemref=a{i + 1}></p>" for i in range(n))
            + "<p itemscope itemref=a0></p>"
        ),
    ),
    "items that refer to the next five": (
        "microdata",
        lambda n: (
            "".join(
                f"<p id=a{i} itemprop=p itemscope itemref='{' '.join(f'a{i + k}' for k in range(1, 6))}'></p>"
                for i in range(n // 10)
            )
            + "<p itemscope itemref=a0></p>"
        ),
    ),
    "one long content with many names": (
        "opengraph",
        lambda n: (
            f"<meta content='{'x' * 10 * n}' property='{' '.join(f'og:p{i}' for i in range(n))}'>"
        ),
    ),
    "one link with many relations": (
        "dublincore",
        lambda n: f"<link href=x title='{'x' * 10 * n}' rel='{'DC.title ' * n}'>",
    ),
    "cards that double at each level": (
        "microformat",
        lambda n: "<div class='h-card p-a p-b'>" * n,
    ),
    "markup within markup": (
        "microformat",
        lambda n: "<div class='h-entry'>" + "<div class='e-content'>" * n + "x" * 30 * n,
    ),
}


def read(name: str) -> tuple[Page, int]:
    body = f"<!doctype html>{ATTACKS[name][1](SIZE)}"
    return extract(body, url="http://h.test/", syntaxes=[ATTACKS[name][0]]), len(body)


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_repeated_beyond_reason_is_left_out_with_a_problem(name: str) -> None:
    page, length = read(name)
    for items in (page.items, page.uniform_items):
        assert len(json.dumps(items)) < 2 * (REPEATS * length + FREE_TEXT)
    assert any("out of all proportion" in problem.message for problem in page.problems)


@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_json_that_nests_without_end_is_cut_to_what_json_can_write(opening: str) -> None:
    script = '<script type="application/ld+json">'
    body = f"{script}{opening * 100_000}1</script>{script}{{'name': 'good'}}</script>"
    page = extract(body, url="http://h.test/")
    assert page.items["json-ld"][-1]["name"] == "good"
    assert json.loads(json.dumps(page.items)) == page.items


def test_items_that_are_too_long_to_be_handed_over_are_left_out_by_kind() -> None:
    from gossamer.model import Problem
    from gossamer.transform.items.readers import as_json

    problems: list[Problem] = []
    items = {"json-ld": [{"a": "x" * 100}], "rdfa": [{"a": "x"}]}
    assert json.loads(as_json(items, 60, problems)) == {"json-ld": [], "rdfa": [{"a": "x"}]}
    assert "more than 60 bytes; those of json-ld are left out" in problems[0].message
