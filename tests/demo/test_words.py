import pytest

from gossamer.demo import words
from gossamer.demo.things import Kind, thing

LISTS = {
    name: value
    for name, value in vars(words).items()
    if name.isupper() and isinstance(value, tuple)
}


@pytest.mark.parametrize("name", sorted(LISTS))
def test_no_word_stands_twice_in_a_list(name: str) -> None:
    assert len(set(LISTS[name])) == len(LISTS[name]) >= 3


def test_every_language_can_speak_of_every_kind() -> None:
    for language, sentences in words.SENTENCES.items():
        assert set(sentences) == set(Kind) == set(words.KIND_NAMES[language])
        assert language in words.CLOSINGS
        assert language in words.SEE_ALSO


def test_every_sentence_can_be_filled() -> None:
    for sentences in words.SENTENCES.values():
        for kind in sentences.values():
            for sentence in kind:
                assert "{" not in sentence.format(name="Ada", city="Cork", year=1950)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_property_has_a_label_in_its_language(language: str) -> None:
    used = {name for number in range(200) for name, _ in thing(number).item.properties}
    assert used - {"name", "description"} == set(words.LABELS[language])
