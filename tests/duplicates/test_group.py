from hypothesis import given
from hypothesis import strategies as st

from gossamer.duplicates.group import (
    MANY,
    MOST_MARKS,
    GroupKind,
    GroupMember,
    kind_of,
    pack_marks,
    path_mark,
    representative,
    unpack_marks,
)
from gossamer.model import Url

LONG, SHORT = Url("http://a.test/a/long/path"), Url("http://a.test/p")


def chosen(*members: GroupMember) -> tuple[Url, str]:
    member, why = representative(members)
    assert representative(members[::-1]) == (member, why)
    return member.url, why


def test_each_kind_of_evidence_counts_more_than_those_after_it() -> None:
    plain = GroupMember(SHORT, 1)
    assert chosen(GroupMember(LONG, 2), plain) == (SHORT, "its address is shorter")
    query = GroupMember(Url("http://a.test/?a=1"), 3)
    assert chosen(GroupMember(LONG, 2), query) == (LONG, "its address has fewer parameters")
    listed = GroupMember(LONG, 2, is_listed=True)
    assert chosen(listed, plain) == (LONG, "a sitemap lists it")
    reached = GroupMember(LONG, 2, is_redirect_target=True)
    assert chosen(reached, GroupMember(SHORT, 1, is_listed=True)) == (
        LONG,
        "a redirect leads to it",
    )
    elsewhere = GroupMember(SHORT, 1, canonical=9, is_redirect_target=True)
    named_none = "it names no other address as canonical"
    assert chosen(GroupMember(LONG, 2), elsewhere) == (LONG, named_none)
    names = GroupMember(SHORT, 1, canonical=2)
    assert chosen(names, GroupMember(LONG, 2)) == (LONG, "others name it as canonical")
    assert chosen(plain) == (SHORT, "it stands alone")


@given(st.lists(st.integers(0, (1 << 32) - 1), max_size=40))
def test_marks_are_kept_each_once_and_not_without_end(marks: list[int]) -> None:
    kept = unpack_marks(pack_marks(marks))
    assert kept == list(dict.fromkeys(marks))[:MOST_MARKS]


def test_one_answer_at_many_addresses_is_a_soft_404_and_at_many_sites_a_parked_one() -> None:
    paths = [path_mark(Url(f"http://a.test/{number}?q=1")) for number in range(MANY)]
    assert path_mark(Url("http://a.test/0?q=2")) == paths[0]
    assert kind_of(pack_marks(paths[:-1]), pack_marks([1])) is GroupKind.DUPLICATES
    assert kind_of(pack_marks(paths), pack_marks([1])) is GroupKind.SOFT_404
    assert kind_of(pack_marks(paths), pack_marks(range(MANY))) is GroupKind.PARKED
