"""What tests of the proxy share: an authority of their own, and what its servers speak TLS with."""

import asyncio
import ssl
from datetime import UTC, datetime

import pytest

from gossamer.proxy.authority import Authority
from gossamer.proxy.certificates import Certificates


@pytest.fixture(scope="session")
def test_authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Whom clients and the proxy trust."""
    return Authority.create(tmp_path_factory.mktemp("ca") / "ca", datetime.now(UTC))


@pytest.fixture(scope="session")
def tls(test_authority: Authority) -> ssl.SSLContext:
    """What the server of `secure.test` speaks TLS with."""
    return asyncio.run(Certificates(test_authority).certificate_for("secure.test"))
