"""Who is gathered where is kept from commit to commit."""

from pathlib import Path

import pytest

from gossamer.index.words import members
from gossamer.index.words.members import Members


def test_a_subject_that_is_not_moved_is_at_home(tmp_path: Path) -> None:
    kept = Members(tmp_path / "members.db")
    assert kept.elsewhere(["a", "b"]) == {}
    assert kept.of(["a"]) == {}


def test_subjects_move_and_come_back(tmp_path: Path) -> None:
    kept = Members(tmp_path / "members.db")
    kept.move("a", "home")
    kept.move("b", "home")
    kept.move("c", "other")
    assert kept.elsewhere(["a", "c", "d"]) == {"a": "home", "c": "other"}
    assert kept.of(["home", "other", "none"]) == {"home": ["a", "b"], "other": ["c"]}
    kept.move("a", "a")
    kept.move("b", None)
    kept.move("c", "home")
    assert kept.all() == {"c": "home"}


def test_what_is_committed_stays_and_what_is_not_is_forgotten(tmp_path: Path) -> None:
    kept = Members(tmp_path / "members.db")
    kept.move("a", "home")
    kept.put_off(["x", "y"])
    kept.commit()
    kept.move("b", "home")
    kept.done(["x"])
    kept.close()
    again = Members(tmp_path / "members.db")
    assert again.all() == {"a": "home"}
    assert again.later() == {"x", "y"}
    again.done(["x", "y"])
    assert again.left() == 0


def test_of_very_many_members_the_first_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "MOST_MEMBERS", 3)
    kept = Members(tmp_path / "members.db")
    for name in "edcba":
        kept.move(name, "home")
    assert kept.of(["home"]) == {"home": ["a", "b", "c"]}
