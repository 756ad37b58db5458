from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gossamer.config import Politeness
from gossamer.politeness.clock import NEVER
from gossamer.politeness.delay import Pace, pace_for
from gossamer.politeness.ledger import (
    ASK_AGAIN,
    MOST_OF_ALL_NAMES,
    MOST_WAITING,
    Expired,
    Go,
    HostLedger,
    InLine,
    InUse,
    Slot,
    Wait,
    named_client,
)
from gossamer.politeness.outcome import Answered

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PACE = pace_for("a.test", Politeness())
FREE = pace_for("a.test", Politeness(delay=timedelta(0)))
OK = Answered(200)


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


def at(n: float) -> datetime:
    return NOW + seconds(n)


def reserved(
    ledger: HostLedger, client: str, now: float = 0, patience: float = 1000, pace: Pace = PACE
) -> tuple[HostLedger, Slot]:
    ledger, slot = ledger.reserve(client, at(now), at(now + patience), pace)
    assert isinstance(slot, Slot)
    return ledger, slot


def started(ledger: HostLedger, token: int, now: float, pace: Pace = PACE) -> HostLedger:
    ledger, go = ledger.start(token, at(now), at(now + 60), pace)
    assert isinstance(go, Go)
    return ledger


def served(ledger: HostLedger, token: int, now: float, took: float = 0) -> HostLedger:
    ledger = started(ledger, token, now)
    return ledger.finish(token, at(now + took), seconds(took), OK, PACE)


def in_line(*clients: str) -> HostLedger:
    """A ledger where a slot each waits for these, who asked in this order."""
    ledger = HostLedger("a.test")
    for client in clients:
        ledger, _ = reserved(ledger, client)
    return ledger


def test_slots_of_one_client_come_in_order_a_delay_apart() -> None:
    ledger, first = reserved(HostLedger("a.test"), "me")
    ledger, second = reserved(ledger, "me")
    ledger, third = reserved(ledger, "me")
    assert [slot.at for slot in (first, second, third)] == [at(0), at(1), at(2)]
    assert len({slot.token for slot in (first, second, third)}) == 3


def test_estimates_count_the_time_that_answers_take() -> None:
    ledger, first = reserved(HostLedger("a.test"), "me")
    ledger = served(ledger, first.token, 0, took=2)
    ledger, second = reserved(ledger, "me", now=2)
    ledger, third = reserved(ledger, "me", now=2)
    assert (second.at, third.at) == (at(4), at(4 + 2 + 2))


def test_only_the_first_in_line_waits_for_a_pause() -> None:
    ledger, first = reserved(HostLedger("a.test"), "me")
    ledger = started(ledger, first.token, 0)
    ledger = ledger.finish(first.token, NOW, seconds(0), Answered(503, seconds(60)), PACE)
    ledger, second = reserved(ledger, "me")
    ledger, third = reserved(ledger, "me")
    assert (second.at, third.at) == (at(60), at(61))


def test_a_slot_whose_turn_would_come_too_late_is_refused_and_leaves_no_trace() -> None:
    ledger = in_line("a", "b", "c")
    after, wait = ledger.reserve("d", NOW, at(2.9), PACE)
    assert after == ledger
    assert wait == InLine(at(3), PACE.configured, 3)


def test_a_request_in_flight_makes_everybody_wait() -> None:
    ledger, first = reserved(HostLedger("a.test"), "a")
    ledger, second = reserved(ledger, "b")
    ledger = started(ledger, first.token, 0)
    wait = ledger.start(second.token, at(30), at(90), PACE)[1]
    assert wait == InUse(at(31), PACE.configured, at(60))
    ledger = ledger.finish(first.token, at(30), seconds(1), OK, PACE)
    assert isinstance(ledger.start(second.token, at(30.9), at(90), PACE)[1], Wait)
    started(ledger, second.token, 31)


def test_nobody_jumps_the_queue() -> None:
    ledger = in_line("a", "b")
    assert ledger.start(2, at(5), at(65), PACE)[1] == InLine(at(6), PACE.configured, 1)
    assert isinstance(ledger.start(1, at(5), at(65), PACE)[1], Go)


def test_an_overdue_head_of_the_line_does_not_make_others_spin() -> None:
    ledger, _ = reserved(HostLedger("a.test"), "a", pace=FREE)
    ledger, second = reserved(ledger, "b", pace=FREE)
    _, wait = ledger.start(second.token, at(5), at(65), FREE)
    assert wait == InLine(at(5) + ASK_AGAIN, FREE.configured, 1)


def test_a_slot_starts_once() -> None:
    ledger = served(in_line("a"), 1, 0)
    assert ledger.start(1, at(10), at(70), PACE)[1] == Expired(1)


def test_a_slot_given_back_moves_the_others_up() -> None:
    ledger = in_line("a", "b", "c").give_back(1, NOW)
    assert ledger.next_turn(NOW, PACE) == (2, NOW)
    assert ledger.start(1, NOW, at(60), PACE)[1] == Expired(1)
    ledger, slot = reserved(ledger, "d")
    assert slot.at == at(2)


def test_a_started_request_given_back_is_over_now() -> None:
    ledger = started(in_line("a"), 1, 0).give_back(1, at(7))
    assert ledger.clock.in_flight == ()
    assert ledger.clock.ready_at(PACE) == at(7 + 7)  # it may have taken all that time


def test_a_slot_nobody_uses_expires_and_lets_the_next_one_go() -> None:
    ledger, dead = reserved(HostLedger("a.test"), "dead", patience=5)
    ledger, alive = reserved(ledger, "alive")
    assert isinstance(ledger.start(alive.token, at(5), at(65), PACE)[1], Wait)
    assert isinstance(ledger.start(alive.token, at(5.1), at(65), PACE)[1], Go)
    assert ledger.start(dead.token, at(5.1), at(65), PACE)[1] == Expired(dead.token)


def test_a_request_nobody_reports_on_lapses() -> None:
    ledger = started(in_line("dead", "alive"), 1, 0)
    assert isinstance(ledger.start(2, at(61), at(99), PACE)[1], Wait)
    started(ledger, 2, 120)  # deadline at 60, and a rest as long as it may have taken


def test_a_token_never_handed_out_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="never reserved"):
        in_line("a").finish(2, NOW, seconds(0), OK, PACE)
    with pytest.raises(ValueError, match="never reserved"):
        in_line("a").give_back(0, NOW)


def test_a_client_cannot_fill_the_line_for_others() -> None:
    ledger = HostLedger("a.test")
    for _ in range(MOST_WAITING):
        ledger, _ = reserved(ledger, "greedy", pace=FREE)
    assert isinstance(ledger.reserve("greedy", NOW, at(1000), FREE)[1], Wait)
    reserved(ledger, "modest", pace=FREE)


def test_a_newcomer_goes_before_the_second_slot_of_a_greedy_client() -> None:
    ledger = in_line("greedy", "greedy", "greedy", "modest", "other", "modest")
    order = [ledger.line[place].client for place in range(6)]
    assert order == ["greedy", "modest", "other", "greedy", "modest", "greedy"]


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.integers(0, 20), st.data())
def test_at_most_two_slots_of_each_other_client_go_before_a_newcomer(
    clients: list[str], already_served: int, data: st.DataObject
) -> None:
    ledger, now = in_line(*clients), 0
    for _ in range(min(already_served, len(clients))):
        ledger, now = served(ledger, ledger.line[0].token, now), now + 1
    ledger, slot = reserved(ledger, "newcomer", now=now)
    before = 0
    while ledger.line[0].token != slot.token:
        before += 1
        client = ledger.line[0].client
        ledger, now = served(ledger, ledger.line[0].token, now), now + 1
        for _ in range(data.draw(st.integers(0, 2))):  # who was served asks again at once
            ledger, _ = reserved(ledger, client, now=now)
    assert before <= 2 * len(set(clients))  # the rest of this round, and the next


def test_a_clients_later_slots_are_served_though_others_keep_asking() -> None:
    ledger, order = in_line("many", "many", "many", "single"), []
    for now in range(6):
        client = ledger.line[0].client
        order.append(client)
        ledger = served(ledger, ledger.line[0].token, now)
        if client == "single":
            ledger, _ = reserved(ledger, client, now=now)
    assert order == ["many", "single"] * 3


def test_with_several_connections_those_in_front_may_start_in_any_order() -> None:
    two = replace(FREE, per_host=2)
    ledger = started(in_line("a", "b", "c"), 2, 0, pace=two)
    assert isinstance(ledger.start(3, NOW, at(60), two)[1], Wait)
    ledger = started(ledger, 1, 0, pace=two)
    assert isinstance(ledger.start(3, NOW, at(60), two)[1], Wait)


def test_a_restart_empties_the_line_but_keeps_the_clock_and_the_tokens() -> None:
    ledger = started(in_line("a", "b"), 1, 0).after_restart(at(3))
    assert ledger.line == ()
    assert ledger.clock.ready_at(PACE) == at(120)
    _, slot = reserved(ledger, "c", now=3)
    assert slot.token == 3


class LedgerHistory(RuleBasedStateMachine):
    """Random clients before one host, beside a plain record of slots and requests."""

    @initialize(per_host=st.integers(1, 3), delay=st.sampled_from([0, 1, 5]))
    def begin(self, per_host: int, delay: int) -> None:
        politeness = Politeness(delay=seconds(delay), per_host=per_host)
        self.pace, self.delay = pace_for("a.test", politeness), seconds(delay)
        self.ledger, self.now = HostLedger("a.test"), NOW
        self.held: dict[int, datetime] = {}  # slots by token, with their last moment
        self.ever: set[int] = set()
        self.in_flight: dict[int, datetime] = {}  # by token, with their deadline
        self.started: dict[int, tuple[Go, datetime | None]] = {}  # with the event before it
        self.gone: set[int] = set()
        self.last_event: datetime | None = None

    @rule(after=st.floats(0, 3) | st.integers(0, 40))
    def time_passes(self, after: float) -> None:
        self.now += seconds(after)
        for token, ends_by in list(self.in_flight.items()):
            if ends_by <= self.now:
                del self.in_flight[token]
                self.last_event = max(self.last_event or ends_by, ends_by)
        for token, last in list(self.held.items()):
            if last < self.now:
                self.leaves(token)

    def leaves(self, token: int) -> None:
        del self.held[token]
        self.gone.add(token)

    @rule(client=st.sampled_from("abc"), patience=st.integers(0, 30))
    def somebody_reserves(self, client: str, patience: int) -> None:
        last = self.now + seconds(patience)
        self.ledger, answer = self.ledger.reserve(client, self.now, last, self.pace)
        if isinstance(answer, Wait):
            assert answer.until > self.now
            return
        assert answer.token not in self.ever, "a slot is never given twice"
        assert self.now <= answer.at <= last
        self.ever.add(answer.token)
        self.held[answer.token] = last

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 9), limit=st.integers(1, 20))
    def somebody_tries_to_start(self, which: int, limit: int) -> None:
        token = list(self.held)[which % len(self.held)]
        ends_by = self.now + seconds(limit)
        self.ledger, answer = self.ledger.start(token, self.now, ends_by, self.pace)
        if isinstance(answer, Wait):
            assert answer.until > self.now
            return
        assert isinstance(answer, Go)
        if self.last_event is not None:
            assert self.now - self.last_event >= self.delay
        self.in_flight[token] = ends_by
        self.started[token] = answer, self.last_event
        self.last_event = self.now
        self.leaves(token)

    @precondition(lambda self: self.gone)
    @rule(which=st.integers(0, 9))
    def somebody_tries_a_slot_that_is_gone(self, which: int) -> None:
        token = sorted(self.gone)[which % len(self.gone)]
        self.ledger, answer = self.ledger.start(token, self.now, self.now, self.pace)
        assert answer == Expired(token)

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0, 9))
    def somebody_gives_a_slot_back(self, which: int) -> None:
        token = list(self.held)[which % len(self.held)]
        self.ledger = self.ledger.give_back(token, self.now)
        self.leaves(token)

    @precondition(lambda self: self.in_flight)
    @rule(which=st.integers(0, 9), status=st.sampled_from([200, 404]))
    def a_request_ends(self, which: int, status: int) -> None:
        token = list(self.in_flight)[which % len(self.in_flight)]
        self.ledger = self.ledger.finish(token, self.now, seconds(0), Answered(status), self.pace)
        del self.in_flight[token]
        self.last_event = self.now

    @precondition(lambda self: self.in_flight)
    @rule(which=st.integers(0, 9))
    def a_request_was_not_sent(self, which: int) -> None:
        token = list(self.in_flight)[which % len(self.in_flight)]
        go, before = self.started[token]
        self.ledger = self.ledger.unused(go, self.now)
        del self.in_flight[token]
        if self.pace.per_host == 1:  # else the space between two starts stands
            self.last_event = before

    @rule()
    def the_head_of_the_line_starts_when_told(self) -> None:
        turn = self.ledger.next_turn(self.now, self.pace)
        assert (turn is None) == (not self.held)
        if turn is not None and not self.in_flight and turn[1] <= self.held[turn[0]]:
            self.time_passes((turn[1] - self.now).total_seconds())
            answer = self.ledger.start(turn[0], self.now, self.now, self.pace)[1]
            assert isinstance(answer, Go), "with nothing in flight the moment is exact"

    @rule(down_for=st.integers(0, 30))
    def a_crash(self, down_for: int) -> None:
        ready_at = self.ledger.clock.ready_at(self.pace)
        self.time_passes(down_for)
        self.ledger = self.ledger.after_restart(self.now)
        assert self.ledger.clock.ready_at(self.pace) >= ready_at
        for ends_by in self.in_flight.values():
            self.last_event = max(self.last_event or ends_by, ends_by)
        self.in_flight.clear()
        for token in list(self.held):
            self.leaves(token)

    @invariant()
    def no_more_are_in_flight_than_allowed(self) -> None:
        assert len(self.in_flight) <= self.pace.per_host
        known = {request.token for request in self.ledger.clock.in_flight}
        assert self.in_flight.keys() <= known

    @invariant()
    def nobody_in_line_is_lost(self) -> None:
        assert self.held.keys() <= {waiting.token for waiting in self.ledger.line}


def test_no_history_makes_the_ledger_break_its_promises(full_size: bool) -> None:
    sizes = settings(max_examples=20_000 if full_size else 150, stateful_step_count=40)
    run_state_machine_as_test(LedgerHistory, settings=settings(sizes, deadline=None))


def test_whoever_comes_alone_goes_as_one_who_stood_in_line() -> None:
    went = HostLedger("a.test").go(at(0), at(60), PACE)
    assert went is not None
    ledger, slot = reserved(HostLedger("a.test"), "anna")
    assert went[0] == started(ledger, slot.token, 0)
    assert went[1] == Go("a.test", slot.token, at(60), NEVER)


def test_nobody_goes_past_a_line_a_request_in_flight_or_a_rest() -> None:
    waiting, _ = reserved(HostLedger("a.test"), "anna")
    assert waiting.go(at(0), at(60), PACE) is None
    ledger, slot = reserved(HostLedger("a.test"), "anna")
    in_flight = started(ledger, slot.token, 0)
    assert in_flight.go(at(5), at(60), PACE) is None
    resting = in_flight.finish(slot.token, at(1), seconds(1), OK, PACE)
    assert resting.go(at(1.5), at(60), PACE) is None
    assert resting.go(at(2), at(60), PACE) is not None


def test_what_was_certainly_not_sent_leaves_the_clock_as_it_was() -> None:
    ledger, slot = reserved(HostLedger("a.test"), "anna")
    before = started(ledger, slot.token, 0).finish(slot.token, at(1), seconds(1), OK, PACE)
    went = before.go(at(5), at(60), PACE)
    assert went is not None
    in_flight, go, _ = went
    assert in_flight.unused(go, at(9)).clock == before.clock
    lapsed = in_flight.unused(go, at(60))
    assert lapsed.clock.rested_from == at(60), "by then it counts as sent"


def test_where_several_are_in_flight_the_space_between_two_starts_stands() -> None:
    pace = pace_for("a.test", Politeness(per_host=2))
    went = HostLedger("a.test").go(at(0), at(60), pace)
    assert went is not None
    ledger, go, _ = went
    assert ledger.unused(go, at(0.5)).clock.rested_from == at(0)
    assert not ledger.unused(go, at(0.5)).clock.in_flight


def line_of(*clients: str) -> list[str]:
    """Who goes when, if all of these come at the same moment."""
    ledger = HostLedger("a.test")
    for client in clients:
        ledger, _ = reserved(ledger, client)
    return [waiting.client for waiting in ledger.line]


def test_programs_of_one_client_take_turns() -> None:
    anna, bob = "anna", named_client("anna", "bob")
    assert line_of(anna, anna, anna, bob) == [anna, bob, anna, anna]
    assert line_of(anna, bob, bob, anna) == [anna, bob, bob, anna]


def test_a_client_with_many_names_has_no_more_turns_than_others() -> None:
    names = [named_client("anna", str(number)) for number in range(5)]
    assert line_of(*names, "carl", "carl") == [names[0], "carl", names[1], "carl", *names[2:]]
    with pytest.raises(AssertionError):
        line_of(*(named_client("anna", str(number)) for number in range(MOST_OF_ALL_NAMES + 1)))


@given(st.lists(st.sampled_from(["a", "a\tx", "a\ty", "b", "b\tx", "c"]), max_size=30))
def test_names_give_a_client_neither_more_nor_earlier_rounds(clients: list[str]) -> None:
    named, nameless = HostLedger("a.test"), HostLedger("a.test")
    for client in clients:
        named, _ = reserved(named, client)
        nameless, _ = reserved(nameless, client.partition("\t")[0])
    rounds = [(each.round, each.client.partition("\t")[0]) for each in named.line]
    assert sorted(rounds) == sorted((each.round, each.client) for each in nameless.line)
