from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.crawl.cases import (
    NOW,
    PAGE,
    QUAD,
    SECOND,
    answered,
    assignment,
    extracted,
    failed,
    judge,
)

from gossamer.config import Archive, Config, Consent, Crawl, Index, Politeness, Scope
from gossamer.crawl import verdicts
from gossamer.crawl.verdicts import GONE, TRANSIENT_STATUSES, PageVerdict
from gossamer.frontier.protocol import Ended
from gossamer.model import MAX_HOPS, BodyState, Cause, Problem, Refusal, Url
from gossamer.politeness.usage import UsageStatement

HTML: dict[str, Any] = {"content_type": "text/html"}
LAST = Config().crawl.attempts - 1  # attempts before the last one
KNOWN = {"etag": '"1"', "last_modified": "Mon, 02 Mar 2026 00:00:00 GMT"}
KEPT: dict[str, Any] = {**KNOWN, "digest": b"1", "archived": "a.warc.gz 1 2"}


def of(verdict: PageVerdict) -> tuple[Ended, str, bytes | None]:
    """How the page ended, the word for why, and what its graph shall be."""
    why = (verdict.settlement.why or "").partition(":")[0]
    return verdict.settlement.ended, why, verdict.nquads


# What became of an answer


@pytest.mark.parametrize(
    ("status", "why", "nquads"),
    [
        (400, "status-400", None),
        (401, "status-401", None),
        (403, "status-403", None),
        (404, "status-404", b""),
        (410, "status-410", b""),
        (451, "status-451", None),
        (501, "status-501", None),
    ],
)
def test_a_page_that_is_gone_loses_its_graph_and_others_keep_the_last_good_one(
    status: int, why: str, nquads: bytes | None
) -> None:
    verdict = judge().answered(assignment(), answered(status), None, NOW)
    assert of(verdict) == (Ended.FAILED, why, nquads)
    assert verdict.settlement.status == status
    assert verdict.archive


@pytest.mark.parametrize("status", sorted(TRANSIENT_STATUSES))
def test_a_server_in_trouble_is_asked_again_until_attempts_are_used_up(status: int) -> None:
    again = judge().answered(assignment(), answered(status), None, NOW)
    assert of(again) == (Ended.RETRY, f"status-{status}", None)
    assert not again.archive
    last = judge().answered(assignment(attempts=LAST), answered(status), None, NOW)
    assert of(last) == (Ended.FAILED, f"status-{status}", None)


@pytest.mark.parametrize("cause", Cause)
def test_a_failure_is_settled_by_its_cause(cause: Cause) -> None:
    first = judge().failed(assignment(), failed(cause))
    assert of(first) == (Ended.RETRY if cause.transient else Ended.FAILED, cause, None)
    last = judge().failed(assignment(attempts=LAST), failed(cause))
    assert of(last) == (Ended.FAILED, cause, None)
    assert not last.archive
    assert last.settlement.retry_at is None


def test_waits_between_attempts_double() -> None:
    config = Config(politeness=Politeness(backoff_first=SECOND), crawl=Crawl(attempts=9))
    waits = []
    for attempts in range(3):
        page = assignment(attempts=attempts)
        at = judge(config=config).failed(page, failed(Cause.RESET)).settlement.retry_at
        assert at is not None
        waits.append(at - NOW)
    assert waits == [SECOND, 2 * SECOND, 4 * SECOND]


def test_what_a_sparql_server_cannot_keep_is_a_problem_of_the_page() -> None:
    said = extracted(nquads=f'<{PAGE}> <http://v.test/p> "x"@ar--rtl <{PAGE}> .\n'.encode())
    usual = judge().answered(assignment(), answered(200, **HTML), said, NOW)
    config = Config(index=Index(url="http://sparql.test/"))
    verdict = judge(config=config).answered(assignment(), answered(200, **HTML), said, NOW)
    assert (usual.settlement.problems, verdict.settlement.problems) == (0, 1)
    assert verdict.extracted is not None
    assert "RDF 1.1" in verdict.extracted.problems[0].message


def test_an_answer_that_broke_off_is_never_taken_for_whole() -> None:
    half = answered(state=BodyState.TRUNCATED, **HTML)
    assert of(judge().answered(assignment(), half, None, NOW)) == (Ended.RETRY, "truncated", None)
    last = judge().answered(assignment(attempts=LAST), half, None, NOW)
    assert of(last) == (Ended.FAILED, "truncated", None)


NOT_READ = [
    Cause.TOO_LARGE,
    Cause.TRUNCATED,
    Cause.BAD_ENCODING,
    Cause.UNREADABLE,
    Cause.READER_KILLED,
]


@pytest.mark.parametrize("cause", NOT_READ)
def test_a_page_that_cannot_be_read_in_whole_keeps_its_last_good_graph(cause: Cause) -> None:
    read = extracted(problems=(Problem("It is broken."),), cause=cause)
    fetched, known = answered(etag='"2"'), KEPT
    first = judge().answered(assignment(**known), fetched, read, NOW)
    assert of(first) == (Ended.RETRY if cause.transient else Ended.FAILED, cause, None)
    last = judge().answered(assignment(attempts=LAST, **known), fetched, read, NOW)
    assert of(last) == (Ended.FAILED, cause, None)
    assert last.settlement.why == f"{cause}: It is broken."
    assert (last.settlement.keep_content, last.settlement.etag) == (True, '"1"')
    never_had = judge().answered(assignment(attempts=LAST), fetched, read, NOW)
    assert (never_had.settlement.keep_content, never_had.settlement.etag) == (False, None)


def test_what_can_hold_nothing_is_skipped_and_has_no_graph() -> None:
    image = answered(body=b"", state=BodyState.SKIPPED, content_type="image/png")
    verdict = judge().answered(assignment(), image, None, NOW)
    assert verdict.settlement.ended is Ended.SKIPPED
    assert verdict.settlement.media_type == "image/png"
    assert verdict.nquads == b""
    assert not verdict.archive


def test_a_failure_keeps_all_that_a_conditional_request_needs() -> None:
    page = assignment(attempts=LAST, **KEPT)
    settlement = judge().answered(page, answered(500), None, NOW).settlement
    assert {name: getattr(settlement, name) for name in KEPT} == KEPT
    settlement = judge().answered(page, answered(404), None, NOW).settlement
    assert {getattr(settlement, name) for name in KEPT} == {None}


# Content


def test_content_is_kept_with_its_quads_links_and_problems() -> None:
    said = extracted("http://a.test/x", "http://b.test/", problems=(Problem("Hm."),))
    fetched = answered(etag='"2"', **HTML)
    verdict = judge().answered(assignment(depth=3), fetched, said, NOW)
    settlement = verdict.settlement
    assert of(verdict) == (Ended.CONTENT, "", QUAD)
    assert (settlement.status, settlement.quads, settlement.problems) == (200, 1, 1)
    assert (settlement.etag, settlement.media_type) == ('"2"', "text/html")
    assert list(settlement.links) == ["http://a.test/x"]
    assert list(settlement.outside) == ["http://b.test/"]
    assert [link.rule for link in settlement.refused] == ["scope-host"]
    assert settlement.digest is not None
    assert verdict.archive


def test_the_digest_tells_one_body_from_another() -> None:
    bodies = (b"one", b"one", b"two")
    one, same, other = (
        judge().answered(assignment(), answered(body=body), extracted(), NOW).settlement.digest
        for body in bodies
    )
    assert one == same != other


@pytest.mark.parametrize("word", ["noindex", "nofollow", "noarchive", "none", "unheard-of"])
@pytest.mark.parametrize("where", ["header", "meta"])
def test_pages_say_what_may_be_kept_of_them(word: str, where: str) -> None:
    said = extracted("http://a.test/x", directives=(("robots", word),) if where == "meta" else ())
    fetched = answered(x_robots_tag=word) if where == "header" else answered()
    verdict = judge().answered(assignment(), fetched, said, NOW)
    noindex, nofollow = word in ("noindex", "none"), word in ("nofollow", "none")
    assert of(verdict) == (Ended.CONTENT, "", b"" if noindex else QUAD)
    assert verdict.settlement.quads == (0 if noindex else 1)
    assert len(verdict.settlement.links) == (0 if nofollow else 1)
    assert [link.rule for link in verdict.settlement.refused] == ["nofollow"] * nofollow
    assert verdict.archive == (word != "noarchive")


@pytest.mark.parametrize("where", ["header", "meta", "site"])
@pytest.mark.parametrize(
    ("purposes", "kept"),
    [(["search"], False), (["train-ai"], True), (["search", "ai-input"], True)],
)
def test_of_a_page_that_is_not_for_our_purposes_only_links_are_kept(
    purposes: list[str], kept: bool, where: str
) -> None:
    strict = judge(config=Config(consent=Consent(purposes=tuple(purposes))))
    metas = (("content-usage", "search=n"),) if where == "meta" else ()
    fetched = answered(content_usage="search=n") if where == "header" else answered()
    usage = (UsageStatement("content-usage", "search=n", "robots.txt"),) if where == "site" else ()
    said = extracted("http://a.test/x", directives=metas)
    verdict = strict.answered(assignment(), fetched, said, NOW, usage)
    assert of(verdict) == (Ended.CONTENT, "", QUAD if kept else b"")
    assert verdict.archive == kept
    assert len(verdict.settlement.links) == 1
    assert (
        verdict.settlement.etag is None
    ) or kept  # a 304 would not say that it may be kept by now


@pytest.mark.parametrize("word", ["noarchive", "nocache", "other: noarchive", "noindex", ""])
@pytest.mark.parametrize("status", [301, 302, 304, 404, 410, 403, 500])
def test_headers_say_of_every_answer_whether_it_may_be_archived(status: int, word: str) -> None:
    page = assignment(attempts=LAST, **KEPT)
    location = "/x" if status == 301 else "mailto:me@a.test"
    fetched = answered(status, b"", location=location, x_robots_tag=word)
    verdict = judge().answered(page, fetched, None, NOW)
    # What is not to be indexed is not left at a 304: it is asked for plainly.
    asked_anew = status == 304 and word == "noindex"
    assert verdict.archive == (not asked_anew and word not in ("noarchive", "nocache"))


def test_content_that_was_not_read_is_not_archived_whatever_its_headers_say() -> None:
    page, broken_off = assignment(attempts=LAST), answered(state=BodyState.TRUNCATED, **HTML)
    assert not judge().answered(page, broken_off, None, NOW).archive
    for cause in NOT_READ:
        read = extracted(problems=(Problem("It is broken."),), cause=cause)
        assert not judge().answered(page, answered(**HTML), read, NOW).archive


def test_a_304_to_content_that_is_not_in_the_archive_is_not_there_either() -> None:
    for kept in (KNOWN, KEPT):
        verdict = judge().answered(assignment(**kept), answered(304, b""), None, NOW)
        assert verdict.settlement.ended is Ended.CONTENT
        assert verdict.archive == ("archived" in kept)


def test_a_page_whose_service_is_absent_is_tried_again_and_then_kept_with_the_problem() -> None:
    said = extracted(problems=(Problem("It is not there."),), cause=Cause.SERVICE_ABSENT)
    fetched = answered(etag='"2"', **HTML)
    later = judge().answered(assignment(), fetched, said, NOW)
    assert of(later) == (Ended.RETRY, "service-absent", None)
    assert not later.archive
    kept = judge().answered(assignment(attempts=LAST), fetched, said, NOW)
    assert of(kept) == (Ended.CONTENT, "", QUAD)
    assert kept.archive
    # With a validator, a 304 would keep us from asking the service ever again.
    assert (kept.settlement.problems, kept.settlement.etag) == (1, None)


def test_only_pages_with_data_are_archived_if_that_is_wanted() -> None:
    """Data are statements other than those about the fetch."""
    strict = judge(config=Config(archive=Archive(keep="data")))
    page = assignment(attempts=LAST, **KEPT)
    noindex = extracted(directives=(("robots", "noindex"),))
    noarchive = extracted(directives=(("robots", "noarchive"),))
    for said, kept in (
        (extracted(), True),
        (extracted(nquads=b"", problems=(Problem("Hm."),)), False),
        (noindex, False),
        (noarchive, False),
    ):
        assert strict.answered(page, answered(**HTML), said, NOW).archive == kept
    for status, kept in ((304, True), (301, False), (404, False), (500, False)):
        unread = strict.answered(page, answered(status, b"", location="/x"), None, NOW)
        assert unread.archive == kept
    # The copy of a page that keeps its content stays where it is.
    failed = strict.answered(page, answered(500, b""), None, NOW)
    assert failed.settlement.archived == KEPT["archived"]


# Not modified


def test_a_304_leaves_everything_as_it_was() -> None:
    page = assignment(**KEPT)
    verdict = judge().answered(page, answered(304, b"", etag='"1"'), None, NOW)
    assert of(verdict) == (Ended.CONTENT, "", None)
    assert verdict.settlement.keep_content
    assert (verdict.settlement.etag, verdict.settlement.last_modified) == tuple(KNOWN.values())


@pytest.mark.parametrize("attempts", [0, LAST, LAST + 1])
def test_a_304_about_another_state_has_the_page_asked_for_plainly(attempts: int) -> None:
    other = answered(304, b"", etag='"2"')
    verdict = judge().answered(assignment(attempts=attempts, **KEPT), other, None, NOW)
    assert of(verdict) == (Ended.RETRY, "status-304", None)
    assert verdict.settlement.ask_plainly
    assert verdict.settlement.retry_at == NOW
    plainly = assignment(attempts=attempts + 1, digest=b"1")
    last = judge().answered(plainly, other, None, NOW)
    assert of(last) == (Ended.FAILED, "status-304", None)  # so there is an end to it
    assert last.settlement.keep_content


def test_a_304_that_nobody_asked_for_is_no_content() -> None:
    verdict = judge().answered(assignment(), answered(304, b""), None, NOW)
    assert of(verdict) == (Ended.FAILED, "status-304", None)


PAST, TO_COME = "Sun, 01 Mar 2026 00:00:00 GMT", "Sun, 01 Mar 2037 00:00:00 GMT"
UNWANTED = ["noindex", "none", "noindex, noarchive", f"unavailable_after: {PAST}"]
WANTED = ["", "nofollow", "other: noindex", f"unavailable_after: {TO_COME}"]


@pytest.mark.parametrize("word", UNWANTED)
def test_a_304_that_says_not_to_index_has_the_page_asked_for_plainly(word: str) -> None:
    page, same = assignment(**KEPT), answered(304, b"", etag='"1"', x_robots_tag=word)
    verdict = judge().answered(page, same, None, NOW)
    assert of(verdict) == (Ended.RETRY, "status-304", None)
    assert verdict.settlement.ask_plainly
    assert "not to index" in (verdict.settlement.why or "")
    plainly = assignment(attempts=1, digest=b"1", archived="a.warc.gz 1 2")
    last = judge().answered(plainly, same, None, NOW)
    assert of(last) == (Ended.FAILED, "status-304", b"")  # it does not say more, so that counts
    assert not last.settlement.keep_content


@pytest.mark.parametrize("word", WANTED)
def test_a_304_with_other_words_to_robots_leaves_everything_as_it_was(word: str) -> None:
    same = answered(304, b"", etag='"1"', x_robots_tag=word)
    verdict = judge().answered(assignment(**KEPT), same, None, NOW)
    assert of(verdict) == (Ended.CONTENT, "", None)
    assert verdict.settlement.keep_content


@pytest.mark.parametrize("word", [*UNWANTED, *WANTED])
@pytest.mark.parametrize("where", ["header", "meta"])
def test_a_page_is_asked_for_in_whole_where_what_we_may_do_with_it_may_change(
    word: str, where: str
) -> None:
    said = extracted(directives=(("robots", word),) if where == "meta" else ())
    headers: dict[str, Any] = {"x_robots_tag": word} if where == "header" else {}
    verdict = judge().answered(assignment(), answered(etag='"1"', **headers), said, NOW)
    in_doubt = word in UNWANTED or word.startswith("unavailable_after")
    assert verdict.settlement.etag == (None if in_doubt else '"1"')


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_leads_on_from_the_same_depth(status: int) -> None:
    fetched = answered(status, b"", location="/elsewhere#part")
    verdict = judge().answered(assignment(), fetched, None, NOW)
    settlement = verdict.settlement
    assert (settlement.ended, verdict.nquads) == (Ended.REDIRECTED, b"")
    assert settlement.why == "http://a.test/elsewhere"
    assert list(settlement.links) == ["http://a.test/elsewhere"]


@pytest.mark.parametrize(
    "location", ["javascript:alert(1)", "file:///etc/passwd", "http://[::", ""]
)
def test_a_redirect_to_nowhere_is_a_failure(location: str) -> None:
    verdict = judge().answered(assignment(), answered(302, b"", location=location), None, NOW)
    assert of(verdict) == (Ended.FAILED, "bad-redirect", b"")


def test_a_redirect_out_of_scope_is_kept_for_a_wider_one() -> None:
    fetched = answered(301, b"", location="http://b.test/")
    settlement = judge().answered(assignment(), fetched, None, NOW).settlement
    assert (settlement.ended, settlement.links) == (Ended.REDIRECTED, ())
    assert list(settlement.outside) == ["http://b.test/"]
    assert [link.rule for link in settlement.refused] == ["scope-host"]


def test_redirects_in_a_row_are_followed_ten_times() -> None:
    fetched = answered(302, b"", location="/next")
    for hops in range(12):
        settlement = judge().answered(assignment(hops=hops), fetched, None, NOW).settlement
        assert settlement.ended is Ended.REDIRECTED
        followed = list(settlement.links)
        refused = [(link.url, link.rule) for link in settlement.refused]
        if hops < MAX_HOPS:
            assert (followed, refused) == (["http://a.test/next"], [])
        else:
            assert (followed, refused) == ([], [("http://a.test/next", "redirects")])


def test_a_redirect_into_a_trap_is_not_kept_for_a_wider_scope() -> None:
    fetched = answered(302, b"", location="/x/x/x/x/x/x")
    settlement = judge().answered(assignment(), fetched, None, NOW).settlement
    assert (settlement.links, settlement.outside) == ((), ())
    assert [link.rule for link in settlement.refused] == ["trap-repeats"]


def test_a_redirect_to_a_url_of_any_length_is_not_kept() -> None:
    fetched = answered(302, b"", location=f"/{'x' * 60_000}")
    verdict = judge().answered(assignment(seed=True), fetched, None, NOW)
    assert of(verdict) == (Ended.FAILED, "bad-redirect", b"")
    assert (verdict.settlement.links, verdict.settlement.refused) == ((), ())
    assert len(verdict.settlement.why or "") < 200


def test_what_a_server_calls_a_page_is_kept_as_far_as_types_go() -> None:
    fetched = answered(content_type=f"image/{'x' * 60_000}", state=BodyState.SKIPPED)
    settlement = judge().answered(assignment(), fetched, None, NOW).settlement
    assert settlement.ended is Ended.SKIPPED
    assert len(settlement.media_type or "") == 255
    assert len(settlement.why or "") < 400


def test_a_validator_of_any_length_is_not_kept() -> None:
    fetched = answered(**HTML, etag=f'"{"x" * 2_000}"', last_modified="Mon, " + "9" * 2_000)
    settlement = judge().answered(assignment(), fetched, extracted(), NOW).settlement
    assert (settlement.ended, settlement.etag) == (Ended.CONTENT, None)
    assert settlement.last_modified is None


def test_where_a_seed_leads_is_a_seed() -> None:
    judged = judge("http://a.test/")
    page = assignment("http://a.test/", seed=True, depth=0)
    fetched = answered(301, b"", url=page.url, location="https://www.a.test/")
    settlement = judged.answered(page, fetched, None, NOW).settlement
    assert list(settlement.links) == ["https://www.a.test/"]
    assert judged.admission.refusal(Url("https://www.a.test/further"), NOW) is None


# Nobody was asked


def test_a_refusal_names_its_rule_and_a_page_out_of_scope_is_put_aside() -> None:
    refusal = Refusal("robots", "Disallow: /")
    refused, aside = judge().refused(assignment(), refusal), judge().aside(assignment(), refusal)
    assert refused.settlement.ended is Ended.REFUSED
    assert aside.settlement.ended is Ended.ASIDE
    assert refused.settlement.why == aside.settlement.why == "robots: Disallow: /"
    assert refused.answer is None


def test_a_page_out_of_reach_keeps_what_it_had_and_a_forbidden_one_nothing() -> None:
    refusal, page = Refusal("robots", "The host is closed."), assignment(**KEPT)
    away, forbidden = judge().out_of_reach(page, refusal), judge().refused(page, refusal)
    assert of(away) == (Ended.REFUSED, "robots", None)
    assert away.settlement.keep_content
    assert {name: getattr(away.settlement, name) for name in KEPT} == KEPT
    assert of(forbidden) == (Ended.REFUSED, "robots", b"")
    assert not forbidden.settlement.keep_content
    assert {getattr(forbidden.settlement, name) for name in KEPT} == {None}


# Whatever comes


@given(
    status=st.integers(100, 599),
    state=st.sampled_from(BodyState),
    attempts=st.integers(0, 5),
    hops=st.integers(0, 12),
    location=st.none() | st.sampled_from(["/x", "http://b.test/", "mailto:me@a.test", PAGE]),
    seed=st.booleans(),
    known=st.booleans(),
    scope=st.sampled_from(["host", "any"]),
)
def test_every_answer_is_settled_by_the_rules(
    status: int,
    state: BodyState,
    attempts: int,
    hops: int,
    location: str | None,
    seed: bool,
    known: bool,
    scope: str,
) -> None:
    config = Config(scope=Scope(kind="host" if scope == "host" else "any"))
    page = assignment(attempts=attempts, hops=hops, seed=seed, **(KNOWN if known else {}))
    headers: dict[str, Any] = {} if location is None else {"location": location}
    fetched = answered(status, state=state, **headers)
    read = extracted() if 200 <= status < 300 and state is BodyState.WHOLE else None
    verdict = judge(config=config).answered(page, fetched, read, NOW)
    settlement, ended = verdict.settlement, verdict.settlement.ended
    assert settlement.page == page
    assert (ended is Ended.RETRY) == (settlement.retry_at is not None)
    if ended is Ended.RETRY:
        assert attempts < LAST
        assert settlement.retry_at is not None
        assert settlement.retry_at - NOW > timedelta(0)
    if ended is Ended.CONTENT:
        assert 200 <= status < 300 or (status == 304 and known)
        assert (state is BodyState.WHOLE) or status == 304
    if ended is Ended.REDIRECTED:
        assert 300 <= status < 400
        assert bool(settlement.links) <= (hops < MAX_HOPS)
    if verdict.nquads is None:  # the graph stays: nothing was learnt about the page
        assert ended is not Ended.REDIRECTED
        assert status not in GONE or ended is Ended.RETRY


@pytest.mark.parametrize(("points", "more"), [(100, 100), (-100, -100), (10**9, None)])
def test_points_of_other_packages_make_the_links_of_a_page_more_or_less_urgent(
    points: int, more: int | None
) -> None:
    plain, pointed = (
        judge().answered(
            assignment(), answered(content_type="text/html"), extracted(points=each), NOW
        )
        for each in (0, points)
    )
    most = 1000 if more is None else plain.settlement.priority + more
    assert pointed.settlement.priority == most


# The visible text of a page


@pytest.mark.parametrize(
    ("asks", "keeps"),
    [
        ("", True),
        ("index, nofollow", True),
        ("noindex", False),
        ("noarchive", False),
        ("nosnippet", False),
        ("none", False),
    ],
)
def test_a_text_is_kept_unless_the_page_forbids_copies_or_excerpts(asks: str, keeps: bool) -> None:
    page = replace(extracted(), text=b"packed", directives=(("robots", asks),))
    verdict = judge().answered(assignment(), answered(**HTML), page, NOW)
    assert verdict.text == (b"packed" if keeps else b"")


def test_a_text_goes_with_the_graph_and_stays_with_it() -> None:
    assert judge().answered(assignment(), answered(404), None, NOW).text == b""
    assert judge().answered(assignment(), answered(500), None, NOW).text is None
    assert judge().refused(assignment(), Refusal("robots", "no")).text == b""


def test_a_pdf_without_its_reader_is_skipped_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pdf = answered(body=b"", state=BodyState.SKIPPED, content_type="application/pdf")
    monkeypatch.setattr(verdicts, "is_readable", lambda: False)
    why = judge().answered(assignment(), pdf, None, NOW).settlement.why
    assert why is not None
    assert "pip install 'gossamer[pdf]'" in why
