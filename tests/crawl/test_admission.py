import asyncio
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.crawl.cases import NOW

from gossamer.config import Config, Crawl, Politeness, Scope, Urls
from gossamer.crawl.admission import MOST_KNOWN, Admission, Admitted, KnownUrls, Scoping
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Link, Url
from gossamer.moments import now_utc
from gossamer.reading.jobs import Targets
from gossamer.urls.scope import SeedScope

SEED = Url("http://a.test/")
INSIDE = Url("http://a.test/x")
OUTSIDE = Url("http://b.test/x")
TRAP = Url("http://a.test/x/x/x/x/x/x")


def admission(config: Config | None = None) -> Admission:
    config = config or Config()
    return Admission(config, SeedScope(config.scope, [SEED]))


def admit(*links: Link, config: Config | None = None, nofollow: bool = False) -> Admitted:
    return admission(config).admit(Targets.of(links), NOW, nofollow=nofollow)


def urls(admitted: Admitted) -> tuple[list[Url], list[Url], dict[Url, str]]:
    return (
        list(admitted.links),
        list(admitted.outside),
        {link.url: link.rule for link in admitted.refused},
    )


def test_links_are_followed_kept_for_later_or_refused() -> None:
    found = admit(Link(INSIDE), Link(OUTSIDE), Link(TRAP))
    refused = {OUTSIDE: "scope-host", TRAP: "trap-repeats"}
    assert urls(found) == ([INSIDE], [OUTSIDE], refused)


def test_a_trap_is_not_even_kept_for_a_wider_scope() -> None:
    far = Url(TRAP.replace("a.test", "b.test"))
    assert urls(admit(Link(far))) == ([], [], {far: "trap-repeats"})


def test_a_link_that_asks_for_it_is_not_followed() -> None:
    assert urls(admit(Link(INSIDE, nofollow=True))) == ([], [], {INSIDE: "nofollow"})


def test_the_wish_of_single_links_can_be_overruled_but_not_that_of_a_page() -> None:
    config = Config(politeness=Politeness(honour_nofollow=False))
    link = Link(INSIDE, nofollow=True)
    assert urls(admit(link, config=config)) == ([INSIDE], [], {})
    assert urls(admit(link, config=config, nofollow=True)) == ([], [], {INSIDE: "nofollow"})


def test_of_a_page_that_asks_for_it_no_link_is_looked_at_further() -> None:
    found = admit(Link(INSIDE), Link(OUTSIDE), Link(TRAP), nofollow=True)
    assert urls(found) == ([], [], dict.fromkeys((INSIDE, OUTSIDE, TRAP), "nofollow"))


def test_a_url_is_refused_for_a_trap_before_its_scope() -> None:
    far = Url(TRAP.replace("a.test", "b.test"))
    refusal = admission().refusal(far, NOW)
    assert refusal is not None
    assert refusal.rule == "trap-repeats"
    assert admission().refusal(INSIDE, NOW) is None


def test_calendars_are_judged_by_the_present() -> None:
    far = Url("http://a.test/calendar/2037/01")
    assert admission().refusal(far, NOW) is not None
    assert admission().refusal(far, NOW + timedelta(days=366)) is None


def test_what_was_admitted_once_is_asked_about_anew_when_the_month_is_another() -> None:
    far, asked = Url("http://a.test/calendar/2037/01"), admission()
    targets, later = Targets(far.encode()), NOW + timedelta(days=366)
    assert urls(asked.admit(targets, later))[0] == [far]
    assert asked.refusal(far, later) is None
    assert urls(asked.admit(targets, NOW))[2] == {far: "trap-calendar"}
    assert asked.refusal(far, NOW) is not None


def test_what_was_admitted_before_is_not_remembered_without_end() -> None:
    known, limits = KnownUrls(), Config().traps
    known.now(NOW, limits)[1].update(Url(f"{SEED}{number}") for number in range(MOST_KNOWN))
    assert len(known.now(NOW, limits)[1]) == MOST_KNOWN
    known.now(NOW, limits)[1].add(SEED)
    assert len(known.now(NOW, limits)[1]) == 0


def test_links_are_admitted_in_their_forms_each_once() -> None:
    config = Config(urls=Urls(drop_parameters=("utm_*",), sort_query=True))
    links = [
        Link(Url(f"{SEED}1?utm_a=1"), nofollow=True),
        Link(Url(f"{SEED}2?b=1&a=1")),
        Link(Url(f"{SEED}1")),
        Link(Url(f"{SEED}2?a=1&utm_b&b=1")),
        Link(Url(f"{OUTSIDE}?utm_c")),
        Link(Url(f"{SEED}3?utm_d"), nofollow=True),
    ]
    assert urls(admit(*links, config=config)) == (
        [Url(f"{SEED}2?a=1&b=1"), Url(f"{SEED}1")],
        [OUTSIDE],
        {OUTSIDE: "scope-host", Url(f"{SEED}3"): "nofollow"},
    )


def test_a_redirect_leads_to_a_form_unless_that_is_the_page_itself() -> None:
    asked = admission(Config(urls=Urls(drop_session_parameters=True)))
    page, session = Url(f"{SEED}1"), Url(f"{SEED}1?sid=5")
    assert asked.target_of(SEED, session) == page
    assert asked.target_of(page, session) == session
    assert admission().target_of(SEED, session) == session


def test_pages_of_one_depth_are_equally_urgent() -> None:
    asked = admission()
    assert asked.priority(1) == asked.priority(1) > asked.priority(2)
    assert asked.priority(1, quads=500) == asked.priority(1)


def test_links_of_pages_with_much_data_are_the_most_promising_however_far() -> None:
    best = admission(Config(crawl=Crawl(strategy="best")))
    assert best.priority(9, quads=500) > best.priority(1, quads=0)
    assert best.priority(9, quads=5) == best.priority(1, quads=5)


LINKS = st.lists(
    st.builds(
        Link,
        st.sampled_from([INSIDE, OUTSIDE, TRAP, *(Url(f"{SEED}{n}") for n in range(5))]),
        nofollow=st.booleans(),
    ),
    max_size=20,
    unique_by=lambda link: link.url,
)


@given(LINKS, st.booleans(), st.sampled_from(["host", "any"]))
def test_every_link_is_followed_or_refused(links: list[Link], nofollow: bool, kind: str) -> None:
    config = Config(scope=Scope(kind="host" if kind == "host" else "any"))
    inside, outside, refused = urls(admit(*links, config=config, nofollow=nofollow))
    assert sorted([*inside, *refused]) == sorted(link.url for link in links)
    assert set(outside) == {url for url, rule in refused.items() if rule == "scope-host"}
    shunned = {link.url for link in links if nofollow or link.nofollow}
    assert shunned == {url for url, rule in refused.items() if rule == "nofollow"}


SEED, FAR, DEEP = (Url(f"http://{each}") for each in ("a.test/", "b.test/", "b.test/deep"))


def caught_up(folder: Path, scope: Scope, *, later: tuple[Url, ...] = ()) -> list[int]:
    """How many URLs are taken up, now and after further seeds."""

    async def run(frontier: SqlFrontier) -> list[int]:
        with FrontierThread("test") as frontier_thread:
            known = SeedScope(scope, frontier.seeds())
            scoping = Scoping(frontier, frontier_thread, Admission(Config(), known), now_utc)
            found = [await scoping.catch_up()]
            for seed in later:
                known.add_seed(seed)
                found.append(await scoping.catch_up())
            return found

    with closing(SqliteStore(folder / "frontier.db")) as store:
        return asyncio.run(run(_with_a_link_outside(store)))


def _with_a_link_outside(store: SqliteStore) -> SqlFrontier:
    frontier = SqlFrontier(store, "test", Politeness())
    frontier.take_over()
    frontier.add([NewUrl(SEED, seed=True)])
    _settle_with_a_link_outside(frontier, FAR)
    return frontier


def _settle_with_a_link_outside(frontier: SqlFrontier, link: Url) -> None:
    for lease in frontier.lease(1):
        page = lease.pages[0]
        frontier.settle([Settlement(page=page, ended=Ended.CONTENT, outside=(link,))], {})


def test_a_first_run_has_nothing_to_catch_up_with(tmp_path: Path) -> None:
    assert caught_up(tmp_path, Scope(kind="host")) == [0]


def test_a_wider_scope_is_caught_up_with_once(tmp_path: Path) -> None:
    caught_up(tmp_path, Scope(kind="host"))
    assert caught_up(tmp_path, Scope(kind="any")) == [1]
    assert caught_up(tmp_path, Scope(kind="any")) == [0]


def test_a_seed_found_on_the_way_widens_the_scope(tmp_path: Path) -> None:
    caught_up(tmp_path, Scope(kind="host"))
    assert caught_up(tmp_path, Scope(kind="host"), later=(SEED, FAR, FAR)) == [0, 0, 1, 0]


def test_what_another_node_found_to_be_a_seed_widens_the_scope_of_all(database: str) -> None:
    async def run(mine: SqlFrontier, theirs: SqlFrontier) -> list[int]:
        with FrontierThread("test") as frontier_thread, FrontierThread("other") as other:
            one, two = (
                Scoping(frontier, thread, Admission(Config(), SeedScope(Scope(), [SEED])), now_utc)
                for frontier, thread in ((mine, frontier_thread), (theirs, other))
            )
            found = [await one.catch_up(), await two.catch_up()]
            theirs.add([NewUrl(FAR, seed=True)])
            # They are in step before we have settled what we judged by the narrower scope.
            found += [await two.catch_up()]
            _settle_with_a_link_outside(mine, DEEP)
            found += [await one.catch_up(), await one.catch_up(), await two.catch_up()]
            assert one.admission.scope.admits(FAR) is None
            return found

    with closing(PostgresStore(database)) as store, closing(PostgresStore(database)) as other:
        mine, theirs = (
            SqlFrontier(each, name, Politeness()) for each, name in ((store, "me"), (other, "they"))
        )
        mine.add([NewUrl(SEED, seed=True)])
        assert asyncio.run(run(mine, theirs)) == [0, 0, 0, 1, 0, 0]
        assert mine.page(DEEP) is not None


def test_what_another_node_found_is_heard_of_without_asking_for_all_seeds_each_time(
    database: str,
) -> None:
    with closing(PostgresStore(database)) as store:
        frontier = SqlFrontier(store, "me", Politeness())
        assert frontier.more_seeds(0) == []
        frontier.add([NewUrl(SEED, seed=True), NewUrl(DEEP)])
        assert frontier.more_seeds(0) == [SEED]
        assert frontier.more_seeds(1) == []
