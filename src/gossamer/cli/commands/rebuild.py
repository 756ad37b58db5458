"""`gossamer rebuild`: the graph anew from the archive. `cli.run_rebuild` makes it."""

import click

from gossamer.cli.options import data_options, only_option, strict_option
from gossamer.cli.text import example
from gossamer.folder.data import DataFolder


@click.command(
    epilog=example("gossamer rebuild", "gossamer rebuild --data my-crawl --only jsonld,rdfa"),
)
@click.option("--anew", is_flag=True, help="Set the graph aside even if it seems intact.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@only_option
@strict_option
@data_options
def rebuild(anew: bool, as_json: bool, data: DataFolder) -> None:
    """Parse every archived page again, on all cores, and print the pages whose statements differ.

    Use it after an upgrade, a change of options such as transform.drop, or damage. Nothing
    is fetched; pages that were not archived keep what they have, with names of schema.org in
    one form (see transform.keep_schemes). A graph that is damaged,
    or of another version, is set aside, not deleted, and a new one is built.
    """
    from gossamer.cli.run_rebuild import run_rebuild

    run_rebuild(data, anew=anew, as_json=as_json)
