import pytest

from gossamer.demo.directives import DRAWS, HEADER, META, Directive

ALL = [*META.values(), *HEADER.values()]


@pytest.mark.parametrize("directive", ALL, ids=lambda directive: directive.text)
def test_the_meaning_is_what_the_words_say(directive: Directive) -> None:
    agent, colon, rest = directive.text.partition(":")
    words = {word.strip().lower() for word in (rest if colon else agent).split(",")}
    assert directive.noindex == bool(words & {"noindex", "none"})
    assert directive.nofollow == bool(words & {"nofollow", "none"})
    assert directive.agent == (agent if colon else None)


def test_a_directive_for_another_agent_is_not_for_us() -> None:
    other = next(each for each in ALL if each.agent == "otherbot")
    assert other.concerns("otherbot")
    assert not other.concerns("gossamer")
    assert Directive("noindex").concerns("anyone")


def test_most_pages_draw_nothing() -> None:
    assert max(*META, *HEADER) < DRAWS // 4
