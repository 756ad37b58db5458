import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from psycopg import conninfo
from tests.slowness import patience

from gossamer.errors import ConfigError
from gossamer.frontier.postgres_server import connect
from gossamer.frontier.postgres_tls import tls_settings


def settings(dsn: str, **environment: str) -> dict[str, str]:
    return tls_settings(conninfo.conninfo_to_dict(dsn), environment)


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql:///crawl",
        "postgresql://me:secret@localhost/crawl",
        "postgresql://127.0.0.1:5433/crawl",
        "postgresql://[::1]/crawl",
        "postgresql://%2Fvar%2Frun%2Fpostgresql/crawl",
        "host=/tmp dbname=crawl",
        "host=@abstract dbname=crawl",
        "host=localhost,127.0.0.2,/tmp dbname=crawl",
        "host=db.example hostaddr=127.0.0.1 dbname=crawl",
        "dbname=crawl",
    ],
)
def test_what_stays_on_this_machine_needs_no_encryption(dsn: str) -> None:
    assert settings(dsn) == {}


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://me:secret@db.example/crawl",
        "postgresql://10.0.0.5/crawl",
        "postgresql://[2001:db8::1]/crawl",
        "host=localhost,db.example dbname=crawl",
        "host=/tmp,db.example dbname=crawl",
        "host=localhost hostaddr=192.0.2.1 dbname=crawl",
        "host=localhost,localhost hostaddr=127.0.0.1,192.0.2.1 dbname=crawl",
        "hostaddr=192.0.2.1 dbname=crawl",
        "postgresql://db.example/crawl?sslmode=prefer",
        "host=localhost.example dbname=crawl",
    ],
)
def test_what_goes_over_a_network_is_encrypted(dsn: str) -> None:
    assert settings(dsn) == {"sslmode": "require"}


def test_an_authority_that_is_named_is_checked_against() -> None:
    dsn = "postgresql://db.example/crawl?sslrootcert=/etc/ca.pem"
    assert settings(dsn) == {"sslmode": "verify-full"}
    assert settings("host=db.example", PGSSLROOTCERT="/etc/ca.pem") == {"sslmode": "verify-full"}


@pytest.mark.parametrize("mode", ["disable", "allow", "require", "verify-ca", "verify-full"])
def test_whoever_names_a_mode_has_it(mode: str) -> None:
    assert settings(f"postgresql://db.example/crawl?sslmode={mode}") == {}
    assert settings("postgresql://db.example/crawl", PGSSLMODE=mode) == {}


def test_the_environment_names_hosts_too() -> None:
    assert settings("dbname=crawl", PGHOST="db.example") == {"sslmode": "require"}
    assert settings("dbname=crawl", PGHOSTADDR="192.0.2.1") == {"sslmode": "require"}
    assert settings("host=localhost dbname=crawl", PGHOST="db.example") == {}


def test_a_service_file_has_the_last_word() -> None:
    assert settings("service=crawl") == {}
    assert settings("host=db.example", PGSERVICE="crawl") == {}


def test_a_server_without_tls_gets_nothing_and_the_user_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as threads:
        heard = threads.submit(_says_no, listening)
        port = listening.getsockname()[1]
        dsn = f"host=db.example hostaddr=127.0.0.1 port={port} sslmode=require password=s3cret"
        with pytest.raises(ConfigError, match=r"offers no TLS.*sslmode=disable") as refused:
            connect(dsn, "gossamer", timedelta(seconds=15))
    assert "s3cret" not in str(refused.value)
    assert heard.result() == struct.pack("!ii", 8, 80877103)  # the wish for TLS, and nothing else


def _says_no(listening: socket.socket) -> bytes:
    listening.settimeout(patience(60))
    heard = b""
    with listening.accept()[0] as client:
        heard += client.recv(1024)
        client.sendall(b"N")
        while part := client.recv(1024):
            heard += part
    return heard
