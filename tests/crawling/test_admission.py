from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Config, Politeness, Scope
from gossamer.crawling.admission import MOST_KNOWN, Admission, Admitted, KnownUrls
from gossamer.extracted import Targets
from gossamer.model import Link, Url
from gossamer.urls.scope import SeedScope

from .cases import NOW

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


def test_pages_of_one_depth_are_equally_urgent() -> None:
    asked = admission()
    assert asked.priority(1) == asked.priority(1) > asked.priority(2)


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
