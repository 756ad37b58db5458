"""Redirects: good ones, chains, loops, and some that lead where no crawler may go."""

import re

from gossamer.demo.malice.exhibits import Exhibits, MaliceHost, landing, url_of
from gossamer.demo.names import host_name
from gossamer.demo.resources import Moved, Resource
from gossamer.model import Url

NAME = "redirects.malice.test"
LONG_CHAIN = 15  # redirects in a row; a crawler follows ten

_CHAIN = re.compile(r"/(short|long)/(\d+)")


def _to(path: str, status: int = 302) -> Moved:
    return Moved(status, path, url_of(NAME, path))


def _away(url: str) -> Moved:
    return Moved(302, url, Url(url))


_EXHIBITS: Exhibits = {
    **{f"/{status}": _to(f"/landed/{status}", status) for status in (301, 302, 303, 307, 308)},
    "/relative": Moved(302, "landed/relative", url_of(NAME, "/landed/relative")),
    "/fragment": Moved(301, "/landed/fragment#part", url_of(NAME, "/landed/fragment")),
    "/short/3": _to("/short/2"),
    f"/long/{LONG_CHAIN}": _to(f"/long/{LONG_CHAIN - 1}"),
    "/loop/a": _to("/loop/b"),
    "/elsewhere": _away(f"http://{host_name(0)}/"),
    "/forbidden": _away(f"http://{host_name(0)}/private/nothing"),
    "/internal": _away("http://169.254.169.254/latest/meta-data/"),
    "/file": Moved(302, "file:///etc/passwd", None),
    "/script": Moved(302, "javascript:alert(1)", None),
    "/self": Moved(302, "/self", None),
    "/nowhere": Moved(302, None, None),
    "/garbled": Moved(302, "http://[::/", None),
}


def _behind(path: str) -> Resource | None:
    if path == "/loop/b":
        return _to("/loop/a")
    if chain := _CHAIN.fullmatch(path):
        name, left = chain[1], int(chain[2])
        most = 2 if name == "short" else LONG_CHAIN - 1
        following = f"/{name}/{left - 1}" if left > 1 else f"/landed/{name}"
        return _to(following) if 1 <= left <= most else None
    return landing(NAME, path) if path.startswith("/landed/") else None


REDIRECTS = MaliceHost(NAME, "redirects of every kind", _EXHIBITS, _behind)
