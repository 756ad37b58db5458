from gossamer.frontier.recent import RecentUrls


def test_what_was_learned_is_known() -> None:
    recent = RecentUrls()
    assert recent.get(1) is None
    recent.learn([(1, (2, 500))])
    assert recent.get(1) == (2, 500)


def test_memory_is_bounded_and_the_older_half_goes_first() -> None:
    recent = RecentUrls(10)
    for key in range(11):
        recent.learn([(key, (0, 0))])
    known = [key for key in range(11) if recent.get(key)]
    assert known == [6, 7, 8, 9, 10]
    recent.learn((key, (0, 0)) for key in range(100, 200))
    assert [key for key in range(200) if recent.get(key)] == [195, 196, 197, 198, 199]


def test_a_memory_for_nothing_keeps_nothing() -> None:
    recent = RecentUrls(0)
    recent.learn([(1, (0, 0))])
    assert recent.get(1) is None


def test_it_can_be_made_to_forget() -> None:
    recent = RecentUrls()
    recent.learn([(1, (0, 0))])
    recent.clear()
    assert recent.get(1) is None
