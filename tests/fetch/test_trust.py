from pathlib import Path

import pytest
from tests.fetch.authority import Authority

from gossamer.errors import ConfigError
from gossamer.fetch.trust import trusted_authorities


def test_the_users_file_is_trusted(authority: Authority) -> None:
    assert trusted_authorities(str(authority.file)) == str(authority.file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--ca .*no such file"):
        trusted_authorities(str(tmp_path / "none.pem"))


def test_a_file_without_certificates_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.pem").write_text("hello")
    with pytest.raises(ConfigError, match=r"--ca .*BEGIN CERTIFICATE"):
        trusted_authorities(str(tmp_path / "text.pem"))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--ca .*cannot be read"):
        trusted_authorities(str(tmp_path))


def test_the_systems_authorities_are_found_where_it_keeps_them(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    missing = str(tmp_path / "missing.pem")
    assert trusted_authorities(None, [missing, str(authority.file)]) == str(authority.file)
    assert trusted_authorities(None, [missing]) is None
