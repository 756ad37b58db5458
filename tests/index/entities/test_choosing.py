import random

from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.entities.choosing import Candidate, chosen, language_rank, owned

OWN, OTHER, EVIL = "http://www.good.org/", "http://other.org/", "http://evil.test/"


def label(text: str, page: str = OTHER, rank: int = 0, language: str | None = None) -> Candidate:
    return Candidate(rank, language, text, page)


def choice(*candidates: Candidate, languages: tuple[str, ...] = ()) -> str | None:
    found = chosen(candidates, "good.org", languages)
    return found and found.text


def test_where_nobody_proposes_there_is_none() -> None:
    assert choice() is None
    assert choice(label("Ada")) == "Ada"


def test_its_own_site_is_believed_before_all_others() -> None:
    others = [label("AAA", f"http://x{number}.test/") for number in range(9)]
    assert choice(*others, label("Ada", OWN, rank=5, language="zu")) == "Ada"


def test_one_site_with_a_thousand_hosts_is_one_voice() -> None:
    many = [label("Evil", f"http://x{number}.evil.test/") for number in range(1_000)]
    assert choice(*many, label("Ada", rank=3), label("Ada", "http://third.org/", rank=3)) == "Evil"
    voices = [label("Ada", f"http://x{number}.org/", rank=3) for number in range(3)]
    assert choice(*many, *voices) == "Ada"


def test_then_the_predicate_decides_then_the_language_then_the_sites() -> None:
    assert choice(label("B", rank=1), label("C", rank=2, language="en")) == "B"
    assert choice(label("B", language="de"), label("C"), label("D", language="en")) == "D"
    assert choice(label("B", language="de"), label("C")) == "C"
    assert choice(label("B"), label("C"), label("C", EVIL)) == "C"
    assert choice(label("B"), label("A")) == "A"


def test_the_languages_of_the_user_come_first() -> None:
    there = [
        label("Wien", language="de-AT"),
        label("Vienna", language="en"),
        label("Vienne", language="fr"),
    ]
    there = [each._replace(language=(each.language or "").lower()) for each in there]
    assert choice(*there) == "Vienna"
    assert choice(*there, languages=("fr", "de")) == "Vienne"
    assert choice(*there, languages=("es", "de")) == "Wien"


def test_the_order_of_languages() -> None:
    tags = ["zu", None, "de-at", "en-gb", "fr", "en", "de"]
    ordered = sorted(tags, key=lambda tag: language_rank(tag, ("de-at", "fr")))
    assert ordered == ["de-at", "fr", "en", "en-gb", None, "de", "zu"]


def test_all_are_heard_where_the_own_site_is_silent() -> None:
    assert owned([label("A")], "good.org") == [label("A")]
    assert owned([label("A"), label("B", OWN)], "good.org") == [label("B", OWN)]
    assert owned([label("A"), label("B", OWN)], None) == [label("A"), label("B", OWN)]


CANDIDATES = st.builds(
    label,
    st.sampled_from("ABC"),
    st.builds(
        "http://{}/{}".format,
        st.sampled_from(["a.org", "b.org", "www.good.org"]),
        st.sampled_from("xy"),
    ),
    st.integers(0, 2),
    st.sampled_from([None, "en", "de"]),
)


@given(st.lists(CANDIDATES, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_matter(found: list[Candidate], dice: random.Random) -> None:
    shuffled = [*found, *found[:2]]
    dice.shuffle(shuffled)
    assert chosen(shuffled, "good.org", ()) == chosen(found, "good.org", ())


@given(st.lists(CANDIDATES, min_size=1, max_size=8), st.lists(CANDIDATES, max_size=8))
def test_nobody_is_renamed_by_others(own: list[Candidate], others: list[Candidate]) -> None:
    own = [each._replace(page=OWN) for each in own]
    others = [each._replace(page=EVIL) for each in others]
    assert chosen([*others, *own], "good.org", ()) == chosen(own, "good.org", ())
