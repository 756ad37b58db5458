"""What a crawl kept of the good hosts, compared with what their pages say."""

import csv
import io
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from bench.hostile_cases.web import GOOD, Web, good_name, good_url

QUERY = """SELECT ?page ?name WHERE { GRAPH ?page { ?page <http://schema.org/name> ?name }
FILTER(STRSTARTS(STR(?page), "http://%s")) }"""


def settled_good_pages(data: Path) -> set[str]:
    """The good pages that the frontier has settled as answered with content."""
    file = f"file:{data / 'frontier.db'}?mode=ro"
    wanted = f"http://{GOOD}%"
    with closing(sqlite3.connect(file, uri=True)) as database:
        rows = database.execute(
            "SELECT url FROM pages WHERE url LIKE ? AND status = 200", (wanted,)
        )
        return {url for (url,) in rows}


def differences(data: Path, web: Web) -> list[str]:
    """The settled good pages whose names in the graph are not exactly what the page says."""
    command = [sys.executable, "-m", "gossamer", "query", QUERY % GOOD, "--to", "csv"]
    asked = subprocess.run(
        [*command, "--data", str(data)], capture_output=True, text=True, check=False
    )
    if asked.returncode:
        raise SystemExit(f"The graph cannot be asked:\n{asked.stderr}")
    found: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(asked.stdout)):
        found.setdefault(row["page"], []).append(row["name"])
    expected = {
        good_url(host, page): [good_name(host, page)]
        for host in range(web.good)
        for page in range(web.pages)
    }
    return sorted(url for url in settled_good_pages(data) if found.get(url) != expected.get(url))
