from pathlib import Path

from gossamer.index.words.skipped import Skipped, SkippedList, read_skipped


def test_a_thing_with_which_the_process_died_twice_is_avoided_for_good(tmp_path: Path) -> None:
    listed = SkippedList(tmp_path / "skipped")
    assert not listed.note_death("urn:x", "it died").is_left_out
    assert listed.avoided == ()
    assert listed.note_death("urn:x", "it died").is_left_out
    listed.note([Skipped("urn:y", "it was slow", ("http://a.test/",))])
    again = SkippedList(tmp_path / "skipped")
    assert again.avoided == ("urn:x",)
    assert again.names == ("urn:x", "urn:y")
    again.note((), ["urn:y"])
    again.clear()
    assert [each.iri for each in read_skipped(tmp_path / "skipped")] == ["urn:x"]
