"""`--follow-query FILE`: the query is read here, and kept as text with the crawl."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from gossamer import settings
from gossamer.cli.options import read_option

KEY = "crawl.follow_query"
FLAG = "--follow-query"
NONE = "none"  # takes it away again, as with every option


def _query(file: str) -> Mapping[str, object]:
    text = NONE if file == NONE else _read(file)
    settings.read_value(KEY, text, f"{FLAG} {file}")
    return {KEY: text}


def _read(file: str) -> str:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"{FLAG}: {file} cannot be read: {why}.") from None
    if not text.strip():
        raise click.UsageError(f"{FLAG}: {file} is empty; it is to hold a SPARQL query.")
    return text


follow_query_option = read_option(FLAG, "FILE", settings.keys()[KEY].doc, _query)
