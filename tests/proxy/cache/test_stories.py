"""Whatever clients ask, origins say and time does: what no client may ever get."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .world import START, Origin, World

LIFETIMES = {"max-age=5": 5.0, "max-age=50": 50.0, "s-maxage=20, max-age=1": 20.0, "no-cache": 0.0}
SECRETS = ("no-store", "private, max-age=50")
URLS = ("one", "two")
LANGUAGES = ("en", "de")
NUMBERS = count()

GETS = st.tuples(
    st.just("GET"),
    st.sampled_from(URLS),
    st.sampled_from(LANGUAGES),
    st.sampled_from([*LIFETIMES, *SECRETS]),
    st.booleans(),  # whether the page varies by language
)
POSTS = st.tuples(
    st.just("POST"), st.sampled_from(URLS), st.just("en"), st.just("no-store"), st.just(False)
)
WAITS = st.tuples(st.just("wait"), st.sampled_from([1, 4, 6, 30, 100]))


@dataclass
class Told:
    """What the origin said of one page, by the number of its answer."""

    at: dict[str, float] = field(default_factory=dict)
    keep: dict[str, str] = field(default_factory=dict)
    language: dict[str, str] = field(default_factory=dict)
    varies: dict[str, bool] = field(default_factory=dict)
    changed_at: str = "0"  # the last answer before a change


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("stories"))
    yield world
    world.close()


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(GETS | POSTS | WAITS, max_size=25))
def test_nobody_gets_what_is_secret_stale_changed_or_for_others(
    shared: World, steps: list[tuple[object, ...]]
) -> None:
    host, told = f"http://s{next(NUMBERS)}.test/", {url: Told() for url in URLS}
    shared.now, shared.answers = START, 0
    for step in steps:
        if step[0] == "wait":
            assert isinstance(step[1], int)
            shared.wait(step[1])
        else:
            visit(shared, host, told, *map(str, step[:4]), varies=bool(step[4]))


def visit(
    world: World,
    host: str,
    told: dict[str, Told],
    method: str,
    url: str,
    language: str,
    keep: str,
    *,
    varies: bool,
) -> None:
    said = {"Date": "@0", "Cache-Control": keep, **({"Vary": "Accept-Language"} if varies else {})}
    got = world.ask({"Accept-Language": language}, Origin(said=said), method=method, url=host + url)
    page, number = told[url], got["answer"]
    if method == "POST":
        page.changed_at = number
    elif got.is_hit:
        assert page.keep[number] not in SECRETS
        assert world.now - page.at[number] < LIFETIMES[page.keep[number]]
        assert int(number) > int(page.changed_at)
        assert page.language[number] == language or not page.varies[number]
    else:
        page.at[number], page.keep[number] = world.now, keep
        page.language[number], page.varies[number] = language, varies
