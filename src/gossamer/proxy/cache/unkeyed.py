"""Request fields that make a server answer something else, and that no cache tells apart. Pure.

Many servers and frameworks take host, scheme, path, method or client from such a field, and say
nothing of it in `Vary`. Whoever sends one gets an answer that suits nobody else: once stored, it
would be everybody's (cache poisoning). So requests that have one go past the cache.
"""

from typing import Final

_PREFIXES: Final = (
    b"x-forwarded-",
    b"x-original-",
    b"x-rewrite-",
    b"x-http-",  # X-HTTP-Method, X-HTTP-Method-Override, X-HTTP-Host-Override, X-HTTP-Path…
    b"x-method",
    b"x-proxy-",
    b"x-backend-",
    b"x-accel-",
    b"x-sendfile-",
    b"x-middleware-",
    b"x-invoke-",
    b"x-override-",
    b"x-envoy-",
    b"cf-connecting-",
)
_NAMES: Final = frozenset(
    (
        b"forwarded",
        b"forwarded-for",
        b"x-forwarded",
        b"x-forward-for",
        b"x-forwarder-for",
        b"x-host",
        b"x-host-override",
        b"x-server-name",
        b"x-wap-profile",
        b"x-scheme",
        b"x-url-scheme",
        b"x-protocol",
        b"x-port",
        b"x-ssl",
        b"x-https",
        b"front-end-https",
        b"x-request-uri",
        b"x-uri",
        b"x-url",
        b"x-path",
        b"x-base-url",
        b"x-script-name",
        b"x-path-info",
        b"x-replaced-path",
        b"x-api-version-override",
        b"method-override",
        b"override-method",
        b"http-method-override",
        b"x-real-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"x-originating-ip",
        b"x-remote-ip",
        b"x-remote-addr",
        b"x-custom-ip-authorization",
        b"true-client-ip",
        b"client-ip",
        b"fastly-client-ip",
        b"proxy",  # which CGI programs take for their own proxy
        b"proxy-host",
        b"destination",
        b"x-now-route-matches",
        b"x-user-id",
        b"x-user",
        b"x-remote-user",
        b"x-authenticated-user",
    )
)


def is_unkeyed(name: bytes) -> bool:
    """Whether a field, its name in lower case, takes a request past the cache."""
    # Servers that hand fields on as variables (CGI, WSGI) take `_` for `-`.
    plain = name.replace(b"_", b"-")
    return plain in _NAMES or plain.startswith(_PREFIXES)
