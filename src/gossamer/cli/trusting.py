"""How to have a certificate authority trusted, tool by tool."""

from pathlib import Path
from typing import Final

_TOOLS: Final = (
    ("curl", "curl --cacert {file} -x {proxy} https://example.org/"),
    ("wget", "wget --ca-certificate={file} -e https_proxy={proxy} https://example.org/"),
    ("Python, requests", "export REQUESTS_CA_BUNDLE={file} HTTPS_PROXY={proxy}"),
    ("Python, others", "export SSL_CERT_FILE={file} HTTPS_PROXY={proxy}"),
    ("Node", "export NODE_EXTRA_CA_CERTS={file}"),
    ("git", "git -c http.sslCAInfo={file} -c http.proxy={proxy} clone https://…"),
    ("Java", "keytool -importcert -cacerts -alias gossamer -file {file}"),
)
_BROWSERS: Final = (
    (
        "Firefox",
        "Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import",
    ),
    ("Chrome on Linux", "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n gossamer -i {file}"),
    ("other browsers", "take what the system trusts"),
)
_SYSTEMS: Final = (
    (
        "Debian, Ubuntu",
        "sudo cp {file} /usr/local/share/ca-certificates/gossamer.crt && sudo update-ca-certificates",
    ),
    (
        "Fedora, RHEL",
        "sudo cp {file} /etc/pki/ca-trust/source/anchors/gossamer.pem && sudo update-ca-trust",
    ),
    (
        "macOS",
        "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db {file}",
    ),
    ("Windows", "certutil -addstore -user Root {file}"),
)
PARTS: Final = (
    ("One program, the best way: nothing else on the machine changes", _TOOLS),
    ("A browser", _BROWSERS),
    ("Everything on this machine", _SYSTEMS),
)


def ways(file: Path, proxy: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings, and under each what to do for whom."""
    quoted = f"'{file}'" if " " in str(file) else str(file)
    address = f"http://{proxy}"
    return [
        (title, [(whom, what.format(file=quoted, proxy=address)) for whom, what in rows])
        for title, rows in PARTS
    ]
