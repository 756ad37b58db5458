"""What `gossamer extract --engine spark` does: a session of Spark is opened, a job run on it, and what was done is told."""

import os
import sys
import warnings
from collections.abc import Sequence

import click

from gossamer.cli.errors import DONE
from gossamer.cli.options import effective_settings
from gossamer.cli.run_columns import read_options
from gossamer.cli.text import counted, plain
from gossamer.errors import ConfigError, GossamerError, InputError
from gossamer.folder.data import DataFolder
from gossamer.tables.needs import needed


def run_spark(
    names: tuple[str, ...],
    folder: str,
    *,
    master: str | None,
    settings: Sequence[str],
    page_statements: bool,
    links: bool,
    keep_graphs: bool,
    given: tuple[str, ...],
    data: DataFolder,
) -> int:
    """Make columns of WARC files on a cluster; the exit status."""
    config = effective_settings(data).config
    options = read_options(config, page_statements, links, keep_graphs, given)
    needed("pyspark.sql")
    from gossamer.spark.job import run_spark_job

    session = _session(master, settings)
    try:
        session.sparkContext.setLogLevel("ERROR")
        report = run_spark_job(
            session,
            names,
            folder,
            options,
            tell=lambda done, of: click.echo(f"{done:,} of {counted(of, 'file')} done", err=True),
        )
    except GossamerError:
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("py4j.", "pyspark.")):
            raise
        raise InputError(f"Spark failed: {_reason(error)}") from None
    finally:
        session.stop()
    for line in report.broken:
        click.echo(plain(line), err=True)
    if report.there:
        click.echo(f"{counted(report.there, 'file')} had been read before.", err=True)
    told = ", ".join(
        counted(report.totals[key], key.removesuffix("s")) for key in ("pages", "quads", "problems")
    )
    click.echo(f"{told} of {counted(report.totals['inputs'], 'file')} in {folder}", err=True)
    return DONE


def _session(master: str | None, settings: Sequence[str]):  # type: ignore[no-untyped-def]  # noqa: ANN202 (Spark's)
    from pyspark.sql import SparkSession

    # Executors on this machine run this Python, unless somebody says otherwise.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # It says at every start that it does not know the newest pandas, of which nothing is used here.
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    builder = SparkSession.builder.appName("gossamer extract")
    if master is not None:
        builder = builder.master(master)
    for each in settings:
        name, equals, value = each.partition("=")
        if not equals:
            raise ConfigError(f"--conf {each!r}: write NAME=VALUE, as in spark.executor.memory=4g.")
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        if "JAVA_GATEWAY" in str(error) or "java" in str(error).lower():
            raise InputError(
                "Spark needs Java 17 or newer. On Debian: sudo apt-get install openjdk-17-jre-headless"
            ) from None
        raise InputError(f"Spark does not start: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith(("Caused by:", "gossamer."))]
    return ((causes or lines or [type(error).__name__])[-1 if causes else 0])[:300]
