"""An archived copy read once more."""

import re

from tests.service.running import Client
from tests.web.conftest import Look


def test_links_and_quads_by_syntax_are_told(look: Look, ask: Client) -> None:
    rows = ask(
        "/sparql",
        query="SELECT ?page { GRAPH ?f { ?f gossamer:syntax 'jsonld', 'page' ; prov:used ?page ; "
        "gossamer:outcome 'fetched' } } ORDER BY ?page LIMIT 1",
        headers={"Accept": "application/json"},
    ).json["results"]["bindings"]
    url = rows[0]["page"]["value"]
    page = look("/page", url=url, read="again")
    known = re.search(r"Quads (\d+)", page.text)
    assert known
    counts = [
        int(each.text().split()[1]) for each in page.all(".facts .badge") if " " in each.text()
    ]
    assert sum(counts) >= int(known[1]) > 0  # what two syntaxes say is one quad
    assert [link for link in page.links("aside .plain-list a") if link.startswith("/page?url=")]
