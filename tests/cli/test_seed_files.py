from pathlib import Path

import pytest

from gossamer.cli.seed_files import seed_texts
from gossamer.errors import InputError


def test_a_seed_is_itself() -> None:
    assert seed_texts("example.org") == ["example.org"]


def test_a_file_has_a_seed_a_line_and_may_name_other_files(tmp_path: Path) -> None:
    more, seeds = tmp_path / "more", tmp_path / "seeds"
    more.write_text("c.test\n")
    seeds.write_text(f"\ufeffa.test\n\n  b.test/ü \r\n@{more}\n@{more}\n", encoding="utf-8")
    assert seed_texts(f"@{seeds}") == ["a.test", "b.test/ü", "c.test", "c.test"]


def test_a_file_that_is_not_there_or_no_text_is_told_in_a_sentence(tmp_path: Path) -> None:
    latin = tmp_path / "latin"
    latin.write_bytes("a.test/ü".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin is not text in UTF-8 \(byte 7\)"):
        seed_texts(f"@{latin}")
    with pytest.raises(InputError, match="nowhere cannot be read: No such file"):
        seed_texts(f"@{tmp_path / 'nowhere'}")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        seed_texts(f"@{tmp_path}")


def test_files_that_name_each_other_are_told_in_a_sentence(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text(f"@{other}\n")
    other.write_text(f"@{one}\n")
    with pytest.raises(InputError, match="one names itself"):
        seed_texts(f"@{one}")
