"""Keys of an identity: made, kept for their owner's eyes, rotated."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.identity.directory import directory_body
from gossamer.identity.keys import (
    KEYS_FILE,
    OVERLAP,
    IdentityError,
    KeyRing,
    SigningKey,
    create,
    rotate,
)

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


def test_keys_are_readable_by_their_owner_only_and_read_back(tmp_path: Path) -> None:
    ring = create(tmp_path / "identity", NOW)
    file = tmp_path / "identity" / KEYS_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert KeyRing.load(tmp_path / "identity") == ring
    assert [*file.parent.iterdir()] == [file]


def test_keys_that_others_can_read_are_refused(tmp_path: Path) -> None:
    create(tmp_path, NOW)
    (tmp_path / KEYS_FILE).chmod(0o640)
    with pytest.raises(IdentityError, match="can be read by others"):
        KeyRing.load(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": 1}', '{"keys": [{"d": "x"}]}', "\x00"])
def test_a_damaged_file_says_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / KEYS_FILE
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(IdentityError, match="is damaged"):
        KeyRing.load(tmp_path)


def test_an_identity_is_made_once(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match="gossamer identity create"):
        rotate(tmp_path, NOW)
    create(tmp_path, NOW)
    with pytest.raises(IdentityError, match="gossamer identity rotate"):
        create(tmp_path, NOW)


def test_what_is_published_has_no_private_half(tmp_path: Path) -> None:
    ring = create(tmp_path, NOW)
    (key,) = json.loads(directory_body(ring.published(NOW)))["keys"]
    assert (key["kty"], key["crv"], key["use"], "d" in key) == ("OKP", "Ed25519", "sig", False)


def test_a_key_that_is_replaced_at_once_is_dropped_at_once(tmp_path: Path) -> None:
    (old,) = create(tmp_path, NOW).keys
    ring = rotate(tmp_path, NOW + timedelta(hours=1), timedelta(0))
    assert old.keyid not in [key.keyid for key in ring.published(NOW + timedelta(hours=1))]
    assert ring.in_use(NOW + timedelta(hours=1)) == ring.keys[-1]


@given(st.lists(st.integers(0, 96), max_size=4), st.integers(0, 200), st.integers(0, 24))
def test_a_key_in_use_was_published_for_long_enough_whenever_servers_fetched_it(
    pauses: list[int], asked: int, age: int
) -> None:
    """A server that fetched the directory within `OVERLAP` knows the key by which a request is signed."""
    hour = timedelta(hours=1)
    at, ring = NOW, KeyRing((SigningKey(b"0", b"0" * 32, NOW - 2 * OVERLAP, NOW - 2 * OVERLAP),))
    history = [(NOW - 9 * OVERLAP, ring)]
    for number, pause in enumerate(pauses, 1):
        at += pause * hour
        new = SigningKey(b"", f"{number:032}".encode(), at, at + OVERLAP)
        ring = ring.rotated(new, OVERLAP)
        history.append((at, ring))

    def ring_at(moment: datetime) -> KeyRing:
        return [each for made_at, each in history if made_at <= moment][-1]

    now = NOW + asked * hour
    fetched_at = now - age * hour
    current = ring_at(now).in_use(now)
    assert current is not None
    if ring_at(fetched_at).published(fetched_at):
        known = [key.keyid for key in ring_at(fetched_at).published(fetched_at)]
        assert current.keyid in known
