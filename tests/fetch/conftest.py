import shutil

import pytest
from tests.fetch.authority import Authority, new_authority


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A certificate authority made for this run, or a skip that says what it takes."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl: the command that makes certificates")
    return new_authority(tmp_path_factory.mktemp("authority"))
