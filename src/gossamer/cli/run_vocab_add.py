"""What `gossamer vocab add` does: a vocabulary is fetched politely, once, and its terms are kept for reports."""

from datetime import timedelta
from hashlib import blake2b

import click

from gossamer.cli.build_client import ask
from gossamer.cli.options import effective_settings
from gossamer.cli.page_inputs import read_pages
from gossamer.cli.text import counted, plain
from gossamer.errors import InputError
from gossamer.fetch.response import redirect_of
from gossamer.folder.data import DataFolder
from gossamer.model import BodyState, Failed, Refusal
from gossamer.moments import now_utc
from gossamer.politeness.ledger import Wait
from gossamer.reading.inputs import Input
from gossamer.reading.jobs import PageJob
from gossamer.report.added_vocabulary import AddedVocabulary, vocabulary_of
from gossamer.report.statements import page_statements
from gossamer.sending.check import check
from gossamer.sending.client import PoliteClient

PATIENCE = timedelta(seconds=10)
ACCEPT = (
    "Accept",
    "text/turtle, application/n-triples, application/rdf+xml;q=0.9, application/ld+json;q=0.9, */*;q=0.1",
)


def add_vocabulary(data: DataFolder, url: str) -> None:
    """Fetch a vocabulary and keep its terms in the data folder, instead of what was kept of it before."""
    config = effective_settings(data).config
    page = ask("vocab", data, config, lambda client: _fetch(client, url))
    ((_, extracted),) = read_pages(
        iter([page]), PageJob("", b"", find_links=False), config.transform, 1
    )
    found = None
    if extracted is not None and extracted.cause is None:
        day = now_utc().date().isoformat()
        found = vocabulary_of(page_statements(extracted.nquads), page.url, day)
    if found is None:
        raise InputError(f"{plain(page.url)} defines no classes and no properties in RDF.")
    _keep(data, found)
    classes, properties = len(found.classes), len(found.properties)
    click.echo(
        f"{found.namespace}: {classes:,} {'class' if classes == 1 else 'classes'} and "
        f"{properties:,} {'property' if properties == 1 else 'properties'}. Reports check its terms "
        "from now on.",
        err=True,
    )


def list_vocabularies(data: DataFolder) -> list[AddedVocabulary]:
    """The vocabularies that were added."""
    files = sorted(data.vocabularies_folder.glob("*.txt"))
    return [AddedVocabulary.parse(each.read_text(encoding="utf-8")) for each in files]


def remove_vocabulary(data: DataFolder, name: str) -> None:
    """Remove a vocabulary by its namespace or the address that it came from."""
    for each in list_vocabularies(data):
        if name in (each.namespace, each.source):
            (data.vocabularies_folder / _file_name(each.namespace)).unlink(missing_ok=True)
            click.echo(f"{each.namespace} is not checked any more.", err=True)
            return
    known = [each.namespace for each in list_vocabularies(data)]
    raise InputError(
        f"There is no vocabulary {name!r} in {data.path}. There {'is' if len(known) == 1 else 'are'} "
        f"{', '.join(known) or 'none'}."
    )


def told_vocabularies(data: DataFolder) -> str:
    """A line for each vocabulary."""
    return "\n".join(
        f"{each.namespace}  {counted(len(each.classes) + len(each.properties), 'term')}  {each.source}  {each.day}"
        for each in list_vocabularies(data)
    )


async def _fetch(client: PoliteClient, text: str) -> Input:
    checked = await check(client, text)
    allowed = checked.decision is not None and checked.decision.allowed
    if checked.url is None or not allowed:
        raise InputError(f"{plain(text)} may not be fetched: {checked.verdict.error}")
    answer = await client.get(checked.url, "vocabulary", PATIENCE, headers=(ACCEPT,))
    if isinstance(answer, Wait):
        raise InputError(f"{checked.url}: the host rests for longer than we wait: {answer.delay}.")
    if isinstance(answer, Failed):
        raise InputError(f"{checked.url}: {answer.message}")
    target = redirect_of(answer, hops=0)
    if target is not None:
        where = target.why if isinstance(target, Refusal) else f"`gossamer vocab add {target}`"
        raise InputError(
            f"{checked.url} redirects, and what you name is all that is asked for: {where}"
        )
    if answer.status != 200 or answer.body_state is not BodyState.WHOLE:
        raise InputError(f"{checked.url}: the server answered {answer.status}.")
    return Input(
        checked.url,
        checked.url,
        answer.body,
        answer.header("content-type"),
        answer.content_encoding,
    )


def _keep(data: DataFolder, found: AddedVocabulary) -> None:
    folder = data.vocabularies_folder
    folder.mkdir(exist_ok=True)
    file = folder / _file_name(found.namespace)
    draft = file.with_suffix(".tmp")
    draft.write_text(found.text(), encoding="utf-8")
    draft.replace(file)


def _file_name(namespace: str) -> str:
    return f"{blake2b(namespace.encode(), digest_size=8).hexdigest()}.txt"
