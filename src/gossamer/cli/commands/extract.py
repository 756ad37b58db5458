"""`gossamer extract`: any of our formats to quads. `cli.run_extract` does it."""

from pathlib import Path
from typing import Any, Final

import click

from gossamer.cli.options import complete_file, fetch_options, only_option, strict_option
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder
from gossamer.index.graph.query import RDF

ITEM_FORMATS: Final = ("items", "uniform-items")
PARQUET: Final = "parquet"
ENGINES: Final = ("local", "spark")


@click.command(
    epilog=example(
        "gossamer extract page.html",
        "gossamer extract page.html --url https://example.org/ --only rdfa,jsonld --to turtle",
        "gossamer extract page.html --to items --only json-ld",
        "gossamer extract https://example.org/ --agent-contact you@example.org",
        "gossamer extract crawl.warc.gz > crawl.nq",
        "gossamer extract 'archive/*.warc.gz' --to parquet -o columns",
        "curl -s https://example.org/ | gossamer extract - --url https://example.org/",
    ),
)
@click.argument(
    "names",
    metavar="FILE|FOLDER|URL|WARC|-...",
    nargs=-1,
    required=True,
    shell_complete=complete_file,
)
@click.option(
    "--url", metavar="BASE", help="The URL of the page: names its graph and resolves its links."
)
@click.option(
    "--type", "media_type", metavar="MEDIA", help="The Content-Type of pages that have none."
)
@click.option(
    "--to",
    "to",
    type=click.Choice([*RDF, *ITEM_FORMATS, PARQUET]),
    default="nquads",
    show_default=True,
    help="The output format.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    help="With --to parquet: the folder for the files; inputs that it has already are not read again.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="local",
    show_default=True,
    help="With --to parquet: where the work is done. Spark reads and writes what its file systems name.",
)
@click.option(
    "--master", metavar="URL", help="With --engine spark: the cluster, as in local[4] or yarn."
)
@click.option(
    "--conf",
    "spark_settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="With --engine spark: a setting of Spark. May be repeated.",
)
@only_option
@strict_option
@click.option(
    "--page/--no-page",
    "page_statements",
    default=None,
    help="Write statements about HTML pages themselves: title, images, language [default: yes; to Parquet: no].",
)
@click.option("--links", is_flag=True, help="Write every link with its label as statements.")
@click.option("--keep-graphs", is_flag=True, help="Keep the names of named graphs in a document.")
@click.option(
    "--context",
    "given",
    metavar="ADDRESS=FILE",
    multiple=True,
    help="A JSON-LD context or RDFa vocabulary that pages use; none is ever fetched.",
)
@click.option(
    "--start", type=click.IntRange(min=0), default=0, help="Begin at this byte of a WARC file."
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Number of processes [default: one per core]."
)
@fetch_options
def extract(
    names: tuple[str, ...],
    url: str | None,
    media_type: str | None,
    to: str,
    folder: str | None,
    engine: str,
    master: str | None,
    spark_settings: tuple[str, ...],
    page_statements: bool | None,
    links: bool,
    keep_graphs: bool,
    given: tuple[str, ...],
    start: int,
    workers: int | None,
    data: DataFolder,
) -> int:
    """Turn pages into quads: HTML, feeds, RDF files, whole folders and WARC files.

    `--to parquet` makes tables of WARC files, two files each: statements and pages (docs/columns.md).
    `--to items` writes nested dictionaries by syntax as JSON: an object for a page, a line for each of several.
    Problems go to stderr, with page, line and syntax; the rest of the page is written all
    the same. Only a URL is fetched, politely, and uses the data folder.
    """
    if engine != "spark" and (master or spark_settings):
        raise click.UsageError("--master and --conf go with --engine spark.")
    if engine == "spark" and to != PARQUET:
        raise click.UsageError("--engine spark makes columns: add --to parquet -o DIR.")
    if (to == PARQUET) is (folder is None):
        raise click.UsageError("--to parquet and -o DIR go together.")
    if folder is not None:
        if url is not None or media_type is not None or start:
            raise click.UsageError(
                "--to parquet takes WARC files: --url, --type and --start are for others."
            )
        reading: dict[str, Any] = {
            "page_statements": bool(page_statements),
            "links": links,
            "keep_graphs": keep_graphs,
            "given": given,
        }
        if engine == "spark":
            from gossamer.cli.run_spark import run_spark

            return run_spark(
                names, folder, master=master, settings=spark_settings, **reading, data=data
            )
        from gossamer.cli.run_columns import run_columns

        return run_columns(names, Path(folder), **reading, workers=workers, data=data)
    from gossamer.cli.run_extract import run_extract

    return run_extract(
        names,
        url=url,
        media_type=media_type,
        to=to,
        page_statements=page_statements is not False,
        links=links,
        keep_graphs=keep_graphs,
        given=given,
        start=start,
        workers=workers,
        data=data,
    )
