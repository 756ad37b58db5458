"""A certificate authority of our own, made anew by the `openssl` command."""

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

_LEAF = """
basicConstraints = CA:FALSE
subjectAltName = DNS:site.test, DNS:www.example.org, IP:127.0.0.1
"""


@dataclass(frozen=True)
class Authority:
    """Trusts nobody, and is trusted by whoever names its file."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "ca.pem"

    def server_side(self, *protocols: str) -> ssl.SSLContext:
        """What a server needs to be `site.test` or `www.example.org`, offering these protocols."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "site.pem", self.folder / "site.key")
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


def new_authority(folder: Path) -> Authority:
    """Make an authority, and a certificate signed by it."""
    (folder / "leaf.ext").write_text(_LEAF)
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    _openssl(folder, "req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem",
             "-days", "2", "-subj", "/CN=A test authority")  # fmt: skip
    _openssl(folder, "req", *new_key, "-keyout", "site.key", "-out", "site.csr",
             "-subj", "/CN=site.test")  # fmt: skip
    _openssl(folder, "x509", "-req", "-in", "site.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
             "-CAcreateserial", "-days", "2", "-extfile", "leaf.ext", "-out", "site.pem")  # fmt: skip
    return Authority(folder)


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)
