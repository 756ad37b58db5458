"""Which certificate authorities we trust."""

import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gossamer.errors import ConfigError

# pycurl's wheels look where one family of Linux keeps its authorities, and find nothing elsewhere.
USUAL_PLACES: Final = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, Red Hat
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # Alpine, macOS, the BSDs
)


def trusted_authorities(configured: str | None, places: Sequence[str] = USUAL_PLACES) -> str | None:
    """The file of authorities to verify against: the user's, or the system's.

    None where the system has none that we know of: the HTTP library then tries its own idea.
    """
    if configured is not None:
        return _check(configured)
    known = (ssl.get_default_verify_paths().cafile, *places)
    return next((place for place in known if place and Path(place).is_file()), None)


def _check(path: str) -> str:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except FileNotFoundError:
        raise ConfigError(f"--ca {path}: there is no such file.") from None
    except ssl.SSLError:
        raise ConfigError(
            f"--ca {path}: holds no certificate; give a file in PEM form "
            "(-----BEGIN CERTIFICATE-----)."
        ) from None
    except OSError as error:
        raise ConfigError(f"--ca {path}: cannot be read: {error.strerror}.") from None
    return path
