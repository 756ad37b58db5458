from pathlib import Path

from gossamer.transform.feeds import vocabulary

DOCS = Path(__file__).parents[3] / "docs" / "vocabularies.md"


def test_every_word_is_in_the_documentation() -> None:
    feeds = DOCS.read_text().partition("## Feeds")[2].partition("## Microformats")[0]
    kinds = DOCS.read_text().partition("## Kinds of values")[2].partition("## The page itself")[0]
    words = [term for name, term in vars(vocabulary).items() if str(term).startswith("<http")]
    assert len(words) > 40
    for word in words:
        local = word[1:-1].replace("#", "/").rpartition("/")[2]
        assert f":{local}`" in feeds + kinds, word
