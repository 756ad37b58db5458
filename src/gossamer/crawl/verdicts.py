"""What becomes of a page, and when one that failed is tried again: from what was asked and answered to what is kept. Pure.

DESIGN's life of a URL, steps 4 to 9, for everything that is decided and not done.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gossamer.config import Config
from gossamer.crawl.admission import Admission
from gossamer.duplicates.sketch import PACKED_BYTES
from gossamer.fetch.response import Validators, redirect_of, revalidated, validators_of
from gossamer.focus.hints import LinkHint, unpack_hints
from gossamer.frontier.hidden import HiddenUrl, HiddenWay
from gossamer.frontier.protocol import NO_HINTS, Assignment, Ended, Settlement
from gossamer.index.server.rdf_1_1 import loss
from gossamer.model import NOT_MODIFIED, BodyState, Cause, Failed, Fetched, Refusal, Url
from gossamer.politeness import challenge
from gossamer.politeness.consent import objection
from gossamer.politeness.delay import configured_delay
from gossamer.politeness.directives import Directives, page_directives
from gossamer.politeness.outcome import backoff
from gossamer.politeness.priority import MOST, clamped
from gossamer.politeness.usage import UsageStatement, page_usage
from gossamer.reading.jobs import NOWHERE, Extracted
from gossamer.reading.readers_mark import MARK_BYTES
from gossamer.transform.pdf.needs import MISSING, is_pdf, is_readable
from gossamer.transform.statement_hash import HASH_BYTES
from gossamer.urls import canonical, host_of, site_of

GONE: Final = frozenset({404, 410})
TRANSIENT_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
DIGEST_BYTES: Final = 16
SAID_BYTES: Final = MARK_BYTES + HASH_BYTES
SHOWN_BYTES: Final = 8
MOST_HIDDEN: Final = 500  # links of a page that are hard to find, of each kind
MOST_OF_A_TYPE: Final = 255  # characters: RFC 6838 allows 127 before the slash and after it


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What is to be kept of one page: in the frontier, in the graph, in the archive."""

    settlement: Settlement
    nquads: bytes | None = None  # of its source graphs; None: they stay as they are
    answer: Fetched | Failed | None = None  # None: nobody was asked
    extracted: Extracted | None = None
    archive: bool = False
    may_keep_text: bool = False  # it does not forbid copies of itself, or excerpts of them
    usage: tuple[UsageStatement, ...] = ()  # what the page and its site say about its use
    hidden: tuple[HiddenUrl, ...] = ()  # links that are hard to find

    @property
    def said_bytes(self) -> int:
        """How much there is of what the page says, kept or not."""
        extracted = self.extracted
        return 0 if extracted is None else len(extracted.nquads) + len(extracted.text)

    @property
    def text(self) -> bytes | None:
        """The page's visible text, packed; empty: it has none; None: what is kept of it stays."""
        if self.nquads is None:
            return None
        return self.extracted.text if self.may_keep_text and self.extracted is not None else b""

    @property
    def has_data(self) -> bool:
        """Whether the page has data: statements other than those about its fetch.

        A 304 is about the content that the page keeps; what it says was looked at when it came.
        """
        if self.nquads is None:
            return self.settlement.ended is Ended.CONTENT
        return bool(self.nquads)


@dataclass(frozen=True, slots=True)
class Judge:
    """The rules of one crawl about what becomes of pages."""

    config: Config
    admission: Admission

    def refused(self, page: Assignment, refusal: Refusal) -> PageVerdict:
        """A page that its site forbids: what it said before goes too."""
        return PageVerdict(_unasked(page, Ended.REFUSED, refusal), nquads=b"")

    def out_of_reach(self, page: Assignment, refusal: Refusal) -> PageVerdict:
        """A page that we must not ask for as things are, though nobody forbids it; it keeps its graph.

        The site may be back tomorrow: its rules cannot be had, or its name leads to an address
        inside a network.
        """
        return PageVerdict(_keeping_content(_unasked(page, Ended.REFUSED, refusal)))

    def challenged(self, page: Assignment, fetched: Fetched, wall: str) -> PageVerdict:
        """A page that a bot wall stands before: not asked for again, and what it said before stays."""
        settlement = Settlement(
            page=page,
            ended=Ended.REFUSED,
            status=fetched.status,
            why=f"{challenge.RULE}: {challenge.meaning(wall)}.",
        )
        return PageVerdict(_keeping_content(settlement), answer=fetched)

    def aside(self, page: Assignment, refusal: Refusal) -> PageVerdict:
        """A page that is not in scope as it is now, whatever it was when it was found."""
        return PageVerdict(_unasked(page, Ended.ASIDE, refusal))

    def failed(self, page: Assignment, failed: Failed) -> PageVerdict:
        """A page that could not be had; it keeps the graph it had."""
        why = f"{failed.cause}: {failed.message}"
        verdict = self._not_had(page, failed, why, transient=failed.cause.transient)
        return self._timed(verdict, failed) if self._is_focused else verdict

    def answered(
        self,
        page: Assignment,
        fetched: Fetched,
        extracted: Extracted | None,
        now: datetime,
        site_usage: tuple[UsageStatement, ...] = (),
    ) -> PageVerdict:
        """A page that was answered; `extracted` is what it says, where it was read.

        `site_usage` is what its site says about its use, beside the page.
        """
        if extracted is not None and extracted.wall is not None:
            return self.challenged(page, fetched, extracted.wall)
        metas = extracted.directives if extracted is not None else ()
        usage = page_usage(fetched.headers, metas, self.config.politeness.agent) + site_usage
        verdict = self._answered(page, fetched, extracted, now, usage)
        if verdict.archive and self.config.archive.keep == "data" and not verdict.has_data:
            verdict = replace(verdict, archive=False)
        verdict = replace(verdict, usage=usage) if usage else verdict
        return self._timed(verdict, fetched) if self._is_focused else verdict

    @property
    def _is_focused(self) -> bool:
        return bool(self.config.focus.want or self.config.focus.words)

    def _timed(self, verdict: PageVerdict, answer: Fetched | Failed) -> PageVerdict:
        """A verdict with the host's time that it took: the request, and the rest that the host has after it."""
        politeness, settled = self.config.politeness, verdict.settlement
        took = (answer.finished_at - answer.started_at).total_seconds()
        delay = configured_delay(settled.page.host, politeness).seconds
        rest = max(delay, politeness.slowness * took if delay else 0.0)
        return replace(verdict, settlement=settled._replace(spent=took + rest))

    def _answered(
        self,
        page: Assignment,
        fetched: Fetched,
        extracted: Extracted | None,
        now: datetime,
        usage: tuple[UsageStatement, ...],
    ) -> PageVerdict:
        if (still := self._still_stands(page, fetched)) is not None:
            return still
        if (target := redirect_of(fetched)) is not None:
            return self._redirected(page, fetched, target)
        if not 200 <= fetched.status < 300:
            return self._sorry(page, fetched)
        if fetched.body_state is BodyState.TRUNCATED:
            why = f"{Cause.TRUNCATED}: The answer broke off before its end."
            return self._not_had(page, fetched, why, transient=True)
        if fetched.body_state is BodyState.SKIPPED or extracted is None:
            return self._skipped(page, fetched)
        # What a page says without a service of ours that is absent is kept when we give up on that.
        is_kept = extracted.cause is Cause.SERVICE_ABSENT and not self._has_attempts_left(page)
        if extracted.cause is not None and not is_kept:
            why = f"{extracted.cause}: {extracted.problems[0].message}"
            return self._not_had(page, fetched, why, transient=extracted.cause.transient)
        if self.config.index.url is not None and (lost := loss(extracted.nquads)) is not None:
            extracted = replace(extracted, problems=(*extracted.problems, lost))
        return self._content(page, fetched, extracted, now, usage)

    def _still_stands(self, page: Assignment, fetched: Fetched) -> PageVerdict | None:
        if fetched.status != NOT_MODIFIED:
            return None
        stored = Validators(page.etag, page.last_modified)
        validators = revalidated(stored, fetched)
        if stored.request_headers and (validators is None or self._unwanted(fetched)):
            return self._to_be_read(page, fetched)
        if validators is None:
            return None
        settlement = Settlement(
            page=page,
            ended=Ended.CONTENT,
            status=fetched.status,
            etag=validators.etag,
            last_modified=validators.last_modified,
            keep_content=True,
        )
        # Content that is not in the archive may have asked for that itself.
        archive = page.archived is not None and self._may_archive(fetched)
        return PageVerdict(settlement, answer=fetched, archive=archive)

    def _to_be_read(self, page: Assignment, fetched: Fetched) -> PageVerdict:
        """A 304 about another state of the page than ours, or one whose headers forbid to keep it.

        The page is asked for plainly, as soon as may be, and its answer decides. However many
        attempts there were: there is no such answer to a plain request.
        """
        other = "about another state of the page"
        said = "and not to index the page" if self._unwanted(fetched) else other
        settlement = Settlement(
            page=page,
            ended=Ended.RETRY,
            why=f"status-304: The server answered 304 {said}.",
            retry_at=fetched.finished_at,
            ask_plainly=True,
        )
        return PageVerdict(settlement, answer=fetched)

    def _redirected(self, page: Assignment, fetched: Fetched, target: Url | Refusal) -> PageVerdict:
        most = self.config.traps.max_length
        if not isinstance(target, Refusal):
            target = self.admission.target_of(page.url, target)
        if not isinstance(target, Refusal) and len(target) > most:
            # It would be kept with the page, and no page has such an address.
            long = f"The redirect leads to a URL of {len(target):,} bytes; more than {most:,} are a trap."
            target = Refusal("trap-length", long)
        if isinstance(target, Refusal):
            why = f"bad-redirect: {target.why}"
            return self._not_had(page, fetched, why, transient=False, nquads=b"")
        if page.seed:
            self.admission.scope.add_seed(target)
        admitted = self.admission.admit_target(target, page.hops, fetched.finished_at)
        settlement = Settlement(
            page=page,
            ended=Ended.REDIRECTED,
            status=fetched.status,
            why=target,
            links=admitted.links,
            outside=admitted.outside,
            priority=MOST if page.seed else self.admission.priority(page.depth),
            refused=admitted.refused,
        )
        archive = self._may_archive(fetched)
        return PageVerdict(settlement, nquads=b"", answer=fetched, archive=archive)

    def _sorry(self, page: Assignment, fetched: Fetched) -> PageVerdict:
        """No content. What is gone loses its graph; after other failures the last good one stays."""
        why = f"status-{fetched.status}: The server answered {fetched.status}."
        transient = fetched.status in TRANSIENT_STATUSES
        forbidden = fetched.status == NOT_MODIFIED and self._unwanted(fetched)
        nquads = b"" if fetched.status in GONE or forbidden else None
        return self._not_had(page, fetched, why, transient=transient, nquads=nquads)

    def _not_had(
        self,
        page: Assignment,
        answer: Fetched | Failed,
        why: str,
        *,
        transient: bool,
        nquads: bytes | None = None,
    ) -> PageVerdict:
        status = answer.status if isinstance(answer, Fetched) else None
        if transient and self._has_attempts_left(page):
            politeness = self.config.politeness
            wait = backoff(page.attempts + 1, politeness.backoff_first, politeness.backoff_most)
            retry_at = answer.finished_at + wait
            settlement = Settlement(page=page, ended=Ended.RETRY, why=why, retry_at=retry_at)
            return PageVerdict(settlement, answer=answer)
        settlement = Settlement(page=page, ended=Ended.FAILED, status=status, why=why)
        if nquads is None:
            settlement = _keeping_content(settlement)
        archive = isinstance(answer, Fetched) and self._may_archive(answer)
        return PageVerdict(settlement, nquads, answer, archive=archive)

    def _skipped(self, page: Assignment, fetched: Fetched) -> PageVerdict:
        media_type = (fetched.media_type or "")[:MOST_OF_A_TYPE] or None
        settlement = Settlement(
            page=page,
            ended=Ended.SKIPPED,
            status=fetched.status,
            why=_why_skipped(media_type),
            media_type=media_type,
        )
        return PageVerdict(settlement, nquads=b"", answer=fetched)

    def _content(
        self,
        page: Assignment,
        fetched: Fetched,
        extracted: Extracted,
        now: datetime,
        usage: tuple[UsageStatement, ...],
    ) -> PageVerdict:
        asked = self._directives(fetched, extracted.directives, now, usage)
        admitted = self.admission.admit(extracted.targets, now, nofollow=asked.nofollow)
        # A 304 would not say that a page may be indexed by now, or that its date has passed.
        # And what a service would have said of it is still to be asked for.
        in_doubt = (
            asked.noindex or asked.unavailable_after is not None or extracted.cause is not None
        )
        validators = Validators() if in_doubt else validators_of(fetched)
        # What nobody wanted is asked for, followed and counted, and not kept.
        unwanted = self._is_focused and self.config.focus.keep == "wanted" and not extracted.wanted
        unkept = asked.noindex or unwanted
        quads = 0 if unkept else extracted.count
        settlement = Settlement(
            page=page,
            ended=Ended.CONTENT,
            status=fetched.status,
            etag=validators.etag,
            last_modified=validators.last_modified,
            digest=hashlib.blake2b(fetched.body, digest_size=DIGEST_BYTES).digest(),
            media_type=extracted.detection.media_type or None,
            quads=quads,
            problems=len(extracted.problems),
            links=admitted.links,
            outside=admitted.outside,
            priority=clamped(
                self.admission.priority(page.depth + 1, 0 if asked.noindex else extracted.count)
                + extracted.points
            ),
            refused=admitted.refused,
            said=None if unkept else extracted.said_hash[:SAID_BYTES] or None,
            shown=None if unkept else extracted.text_hash[:SHOWN_BYTES] or None,
            sketch=None if unkept else extracted.sketch[:PACKED_BYTES] or None,
            canonical=_address(extracted.canonical),
            hints=self._hints_of(extracted) if self._is_focused else NO_HINTS,
            wanted=() if asked.noindex else extracted.wanted,
        )
        nquads = b"" if unkept else extracted.nquads
        return PageVerdict(
            settlement,
            nquads,
            fetched,
            extracted,
            archive=not asked.noarchive and not unwanted,
            may_keep_text=not (unkept or asked.noarchive or asked.nosnippet),
            hidden=() if asked.nofollow else self._hidden(page, extracted, admitted.links, now),
        )

    def _hidden(
        self, page: Assignment, extracted: Extracted, plain: Collection[Url], now: datetime
    ) -> tuple[HiddenUrl, ...]:
        """The links of a page that are hard to find, beside its plain ones, as far as they belong to the crawl."""
        if extracted.hidden == NOWHERE:
            return ()
        site, found, known = site_of(page.host), dict[Url, HiddenUrl](), frozenset(plain)
        ways = (HiddenWay.SCRIPT, HiddenWay.FORM)
        for way, urls in zip(ways, extracted.hidden.urls, strict=True):
            for url in self.admission.forms.apply_all(urls[:MOST_HIDDEN]):
                is_ours = url not in known and site_of(host_of(url)) == site
                if is_ours and self.admission.refusal(url, now) is None:
                    found.setdefault(url, HiddenUrl(url, page.depth + 1, way))
        return tuple(found.values())

    def _hints_of(self, extracted: Extracted) -> dict[Url, LinkHint]:
        """Where the links of a page stand, by the form in which they are followed."""
        vouched = extracted.targets.urls[0]
        hints = unpack_hints(extracted.hints, len(vouched))
        forms = self.admission.forms
        urls = vouched if forms.is_plain else forms.apply_all(vouched)
        return dict(zip(urls, hints, strict=True))

    def _has_attempts_left(self, page: Assignment) -> bool:
        return page.attempts + 1 < self.config.crawl.attempts

    def _may_archive(self, unread: Fetched) -> bool:
        """Whether an answer that nobody read may be archived; its headers say so.

        Not if it is content: HTML that broke off, or was too much for us, may have more to say.
        """
        if 200 <= unread.status < 300:
            return False
        return not self._directives(unread, (), unread.finished_at).noarchive

    def _unwanted(self, unread: Fetched) -> bool:
        """Whether the headers of an answer without content say that the page is not to be indexed."""
        return self._directives(unread, (), unread.finished_at).noindex

    def _directives(
        self,
        fetched: Fetched,
        metas: Iterable[tuple[str, str]],
        now: datetime,
        usage: tuple[UsageStatement, ...] | None = None,
    ) -> Directives:
        """What is asked of us for a page; where nothing that we are for is allowed, nothing of it is kept.

        `usage` is what is said about its use where that was read, else what its headers say is.
        """
        headers, agent = fetched.header_values("x-robots-tag"), self.config.politeness.agent
        asked = page_directives(headers, metas, agent, now)
        said = page_usage(fetched.headers, agent=agent) if usage is None else usage
        if objection(said, self.config.consent.purposes) is None:
            return asked
        return replace(asked, noindex=True, noarchive=True)


def _address(named: str | None) -> Url | None:
    """An address that a page names, where it is one."""
    url = None if named is None else canonical(named)
    return None if isinstance(url, Refusal) else url


def _why_skipped(media_type: str | None) -> str:
    if media_type is not None and is_pdf(media_type) and not is_readable():
        return MISSING
    return f"{media_type} holds nothing for us."


def _unasked(page: Assignment, ended: Ended, refusal: Refusal) -> Settlement:
    return Settlement(page=page, ended=ended, why=f"{refusal.rule}: {refusal.why}")


def _keeping_content(settlement: Settlement) -> Settlement:
    """A settlement that keeps the content of an earlier visit, if there was any: then it has a digest.

    With its graph a page keeps its links, its place in the archive, and what a conditional
    request goes by.
    """
    page = settlement.page
    if page.digest is None:
        return settlement
    return settlement._replace(
        etag=page.etag,
        last_modified=page.last_modified,
        digest=page.digest,
        archived=page.archived,
        said=page.said,
        shown=page.shown,
        keep_content=True,
    )
