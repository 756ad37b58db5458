import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from tests.proxy.proxied import run, until
from tests.virtual_time import in_virtual_time

from gossamer.model import Url
from gossamer.owner.messages import AnswerError, Record
from gossamer.owner.questions import IsWanted, LendRight, NoteTimeLeft, Question, ReportRight
from gossamer.owner.unix_socket import NoOwnerError, serve_questions
from gossamer.owner.unix_socket import Owner as Remote
from gossamer.politeness.outcome import Reported
from gossamer.politeness.prospects import TimeLeft
from gossamer.proxy.lent_permits import ON_THE_WAY, LentPermits
from gossamer.proxy.permits import Denied, Permit, Wish

WISH = Wish(Url("http://a.test/"), timedelta(seconds=9), "anna", timedelta(seconds=300), "tunnel")
NO_PARTS: tuple[bytes, ...] = ()
ALLOWED = {"url": "http://a.test/", "allowed": True, "error": None, "retryAfter": 0}


@dataclass(slots=True)
class Said:
    """An answer with no bytes."""

    end: Record
    error: Exception | None = None

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        if self.error:
            raise self.error
        for part in NO_PARTS:
            yield part


@dataclass(slots=True)
class Owner:
    """Somebody who owns the folder."""

    record: Record = field(default_factory=dict)
    error: Exception | None = None
    asked: list[Question] = field(default_factory=list)

    def answer(self, question: Question) -> Said:
        self.asked.append(question)
        return Said(self.record, self.error)


def ask(owner: Owner, wish: Wish = WISH) -> tuple[Permit | Denied, Owner]:
    async def work() -> Permit | Denied:
        async with LentPermits(owner) as lent:
            permit = await lent.ask(wish)
            if not isinstance(permit, Denied):
                permit.finish(Reported(status=200, received=7))
                permit.abandon("again")
            return permit

    return run(work()), owner


def test_a_lease_is_taken_and_reported_once() -> None:
    lease = {"id": "x", "sendAt": "", "validUntil": "", "validFor": 70_000}
    permit, owner = ask(Owner({**ALLOWED, "lease": lease}))
    assert not isinstance(permit, Denied)
    assert permit.ends_by - permit.started_at == timedelta(seconds=70)
    first, second = owner.asked
    patience, lasting = timedelta(seconds=9), timedelta(seconds=300)
    assert first == LendRight("http://a.test/", patience, "proxy anna", "tunnel", lasting)
    assert second == ReportRight("x", Reported(status=200, received=7))


def test_an_exemption_from_robots_txt_travels_with_the_question() -> None:
    refused = {**ALLOWED, "allowed": False, "error": "No.", "lease": None, "retryAfter": -1}
    for heeds_robots in (True, False):
        _, owner = ask(Owner(refused), WISH._replace(heeds_robots=heeds_robots))
        (question,) = owner.asked
        assert isinstance(question, LendRight)
        assert question.heeds_robots is heeds_robots


def test_why_there_is_none() -> None:
    refused = {**ALLOWED, "allowed": False, "error": "No.", "lease": None}
    robots, _ = ask(Owner({**refused, "retryAfter": -1, "rule": "robots"}))
    clock, _ = ask(Owner({**refused, "retryAfter": 1500, "rule": None}))
    pause, _ = ask(Owner({**refused, "retryAfter": 1500, "rule": "pause"}))
    assert robots == Denied("robots", "No.", None)
    assert pause == Denied("pause", "No.", timedelta(seconds=1.5))
    assert clock == Denied("clock", "No.", timedelta(seconds=1.5))


def test_an_owner_that_is_not_there_or_cannot_say() -> None:
    for error in (NoOwnerError("x"), AnswerError("It is busy.")):
        denied, _ = ask(Owner(error=error))
        assert isinstance(denied, Denied)
        assert (denied.rule, denied.wait) == ("away", timedelta(seconds=5))


def test_a_permit_whose_request_is_broken_off_goes_back_and_says_why() -> None:
    async def work() -> Owner:
        lease = {"id": "x", "validFor": 70_000}
        owner = Owner({**ALLOWED, "lease": lease})
        async with LentPermits(owner) as lent:
            permit = await lent.ask(WISH)
            assert not isinstance(permit, Denied)
            permit.abandon("The client left.")
            await asyncio.sleep(0)
        return owner

    reported = Reported(broken_off="The client left.")
    assert run(work()).asked[-1] == ReportRight("x", reported)


@dataclass(slots=True)
class Line:
    """A lease that has to be waited for, until whoever waits is called or hangs up."""

    end: Record
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    granted: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        self.asked.set()
        try:
            await self.called.wait()
        except asyncio.CancelledError:
            self.hung_up.set()
            raise
        self.granted.set()
        for part in NO_PARTS:
            yield part


@dataclass(slots=True)
class SlowOwner:
    """Somebody who owns the folder, and lets others wait for it."""

    line: Line
    asked: list[Question] = field(default_factory=list)

    def answer(self, question: Question) -> Line | Said:
        self.asked.append(question)
        return self.line if isinstance(question, LendRight) else Said({})


def test_a_lease_that_comes_while_its_client_leaves_goes_back(tmp_path: Path) -> None:
    async def work() -> list[Question]:
        line = Line({**ALLOWED, "lease": {"id": "x", "validFor": 70_000}})
        owner, path = SlowOwner(line), tmp_path / "socket"
        async with serve_questions(path, owner), LentPermits(Remote(path)) as lent:
            leaving = asyncio.create_task(lent.ask(WISH))
            await line.asked.wait()
            line.called.set()
            await line.granted.wait()
            leaving.cancel()  # while the answer is on its way
            await asyncio.wait([leaving])
            assert leaving.cancelled()
            await until(lambda: len(owner.asked) == 2)
        return owner.asked

    _, report = run(work())
    assert report == ReportRight("x", Reported(sent=False))


def test_whoever_leaves_before_its_turn_leaves_the_line(tmp_path: Path) -> None:
    async def work() -> list[Question]:
        line = Line({})
        owner, path = SlowOwner(line), tmp_path / "socket"
        async with serve_questions(path, owner), LentPermits(Remote(path), timedelta(0)) as lent:
            leaving = asyncio.create_task(lent.ask(WISH))
            await line.asked.wait()
            leaving.cancel()
            await asyncio.wait([leaving])
            await line.hung_up.wait()
        return owner.asked

    assert [type(each) for each in run(work())] == [LendRight]


def test_an_owner_that_never_answers_is_not_waited_for_much_longer_than_wished() -> None:
    async def work() -> None:
        line = Line({})
        async with LentPermits(SlowOwner(line)) as lent:
            began = asyncio.get_running_loop().time()
            denied = await lent.ask(WISH._replace(patience=timedelta(seconds=9)))
            assert isinstance(denied, Denied)
            assert denied.rule == "away"
            assert asyncio.get_running_loop().time() - began <= 9 + ON_THE_WAY.total_seconds()
        assert line.hung_up.is_set()

    in_virtual_time(work())


def test_the_owner_is_asked_whether_somebody_waits_for_the_host() -> None:
    async def work() -> list[Question]:
        lease = {"id": "x", "validFor": 70_000}
        owner = Owner({**ALLOWED, "lease": lease, "wanted": True})
        async with LentPermits(owner) as lent:
            permit = await lent.ask(WISH)
            assert not isinstance(permit, Denied)
            assert not permit.is_wanted  # as far as is known
            await until(lambda: permit.is_wanted)
        return owner.asked

    assert run(work())[1] == IsWanted("a.test")


def test_an_owner_that_is_gone_says_nothing_of_who_waits() -> None:
    async def work() -> None:
        owner = Owner({**ALLOWED, "lease": {"id": "x", "validFor": 70_000}})
        async with LentPermits(owner) as lent:
            permit = await lent.ask(WISH)
            assert not isinstance(permit, Denied)
            owner.error = NoOwnerError("gone")
            assert not permit.is_wanted
            await until(lambda: len(owner.asked) == 2)
            assert not permit.is_wanted

    run(work())


def test_the_owner_is_told_how_much_longer_a_download_lasts_if_that_is_worth_telling() -> None:
    async def work() -> list[Question]:
        owner = Owner({**ALLOWED, "lease": {"id": "x", "validFor": 70_000}})
        long = TimeLeft(timedelta(seconds=9), timedelta(seconds=27), 1, 2)
        async with LentPermits(owner) as lent:
            permit = await lent.ask(WISH)
            assert not isinstance(permit, Denied)
            permit.note_left(long._replace(least=timedelta(seconds=1)))
            permit.note_left(long)
            await until(lambda: len(owner.asked) == 2)
            permit.finish(Reported(status=200))
            permit.note_left(long)
        assert owner.asked[1] == NoteTimeLeft("x", long)
        return owner.asked

    assert [type(each) for each in run(work())] == [LendRight, NoteTimeLeft, ReportRight]
