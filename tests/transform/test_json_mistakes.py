import json

import pytest

from gossamer.transform.json_mistakes import no_json


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a": "b', "This is no JSON: unterminated string."),
        ('{"a": "b\n"}', "This is no JSON: invalid control character."),
        ("[1 2]", "This is no JSON: expecting ',' delimiter."),
        ("", "This is no JSON: expecting value."),
    ],
)
def test_the_sentence_is_whole(text: str, sentence: str) -> None:
    with pytest.raises(json.JSONDecodeError) as found:
        json.loads(text)
    assert no_json(found.value) == sentence
