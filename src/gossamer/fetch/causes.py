"""What an error of the HTTP library means: one table. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pycurl

from gossamer.model import Cause

_TOO_LARGE: Final = 100  # CURLE_TOO_LARGE, which pycurl has no name for: a header line without end
_HTTP2_STREAM: Final = 92  # CURLE_HTTP2_STREAM, likewise
_PROXY: Final = 97  # CURLE_PROXY, likewise

CAUSES: Mapping[int, Cause] = MappingProxyType(
    {
        pycurl.E_URL_MALFORMAT: Cause.BAD_URL,
        pycurl.E_COULDNT_RESOLVE_PROXY: Cause.PROXY,
        _PROXY: Cause.PROXY,
        pycurl.E_COULDNT_CONNECT: Cause.CONNECT,
        pycurl.E_INTERFACE_FAILED: Cause.CONNECT,
        pycurl.E_OPERATION_TIMEDOUT: Cause.TIMEOUT_CONNECT,  # the only limit we leave to it
        pycurl.E_SSL_CONNECT_ERROR: Cause.TLS,
        pycurl.E_SSL_CIPHER: Cause.TLS,
        pycurl.E_SSL_SHUTDOWN_FAILED: Cause.TLS,
        pycurl.E_PEER_FAILED_VERIFICATION: Cause.CERTIFICATE,
        pycurl.E_SSL_ISSUER_ERROR: Cause.CERTIFICATE,
        pycurl.E_SSL_INVALIDCERTSTATUS: Cause.CERTIFICATE,
        pycurl.E_SEND_ERROR: Cause.RESET,
        pycurl.E_RECV_ERROR: Cause.RESET,
        pycurl.E_GOT_NOTHING: Cause.RESET,
        pycurl.E_HTTP2: Cause.RESET,
        _HTTP2_STREAM: Cause.RESET,
        pycurl.E_UNSUPPORTED_PROTOCOL: Cause.BAD_RESPONSE,  # HTTP/0.9; other schemes never get here
        pycurl.E_FTP_WEIRD_SERVER_REPLY: Cause.BAD_RESPONSE,  # not only of FTP, despite its name
        pycurl.E_PARTIAL_FILE: Cause.TRUNCATED,
        _TOO_LARGE: Cause.HEADER_TOO_LARGE,
        pycurl.E_FILESIZE_EXCEEDED: Cause.TOO_LARGE,
    }
)


def cause_of(code: int) -> Cause:
    """The cause behind an error number of curl."""
    return CAUSES.get(code, Cause.OTHER)
