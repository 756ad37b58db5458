"""One page fetched for somebody who asked for it by name: with all manners, and patiently."""

from datetime import timedelta
from typing import Final

from gossamer.check import check
from gossamer.errors import InputError
from gossamer.fetch.redirect import redirect_of
from gossamer.inputs import Input
from gossamer.model import BodyState, Failed, Fetched, Refusal, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait

PATIENCE: Final = timedelta(minutes=1)  # somebody sits and waits


async def visit(client: PoliteClient, text: str) -> Input:
    """The page, wherever redirects lead; `InputError` says why it cannot be had."""
    asked: list[str] = []
    while True:
        fetched = await _fetched(client, text)
        target = redirect_of(fetched, hops=len(asked))
        if target is None:
            return _page(fetched)
        asked.append(fetched.url)
        if isinstance(target, Refusal):
            raise InputError(f"{fetched.url}: redirects to what cannot be fetched: {target.why}")
        if target in asked:
            raise InputError(f"{asked[0]}: redirects without end.")
        text = target


async def _fetched(client: PoliteClient, text: str) -> Fetched:
    checked = await check(client, text)
    verdict = checked.verdict
    hopeless = verdict.wait is None or verdict.wait > PATIENCE
    if checked.url is None or checked.decision is None or not checked.decision.allowed or hopeless:
        raise InputError(f"{verdict.url}: may not be fetched: {verdict.error}")
    answer = await client.get(checked.url, "page", PATIENCE)
    if isinstance(answer, Wait):
        raise InputError(f"{checked.url}: the host rests for longer than we wait: {answer.delay}.")
    if isinstance(answer, Failed):
        raise InputError(f"{checked.url}: {answer.message}")
    return answer


def _page(fetched: Fetched) -> Input:
    if not 200 <= fetched.status < 300:
        raise InputError(f"{fetched.url}: the server answered {fetched.status}.")
    if fetched.body_state is not BodyState.WHOLE:
        raise InputError(f"{fetched.url}: the answer broke off before its end; try again later.")
    return Input(
        name=fetched.url,
        url=Url(fetched.url),
        body=fetched.body,
        content_type=fetched.header("content-type"),
        content_encoding=fetched.content_encoding,
    )
