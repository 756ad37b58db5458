"""`--index URL`: the address is kept with the crawl, a password in it is for this run alone."""

from collections.abc import Mapping

from gossamer import settings
from gossamer.cli.options import read_option
from gossamer.index.server.address import login

KEY = "index.url"
FLAG = "--index"


def _address(word: str) -> Mapping[str, object]:
    url, user, password = login(word)
    settings.read_value(KEY, url, FLAG)
    given = {KEY: url, "index.user": user, "index.password": password}
    return {name: value for name, value in given.items() if value is not None}


index_option = read_option(FLAG, "URL", settings.keys()[KEY].doc, _address)
