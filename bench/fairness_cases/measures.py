"""How fair a crawl was, by what hosts saw of it: shares, waits and what went to sites over their budget. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from bench.fairness_cases.web import ENDLESS, GOOD, Web


class Request(NamedTuple):
    """A request as its host saw it; moments in seconds."""

    host: str
    is_page: bool  # and not robots.txt
    started: float
    ended: float


@dataclass(frozen=True, slots=True)
class Rules:
    """What a crawl was told, and what it promises: the longest visit and the longest request, in seconds."""

    concurrency: int
    delay: float  # of a host, from the end of an answer to the next request
    stay: float  # for which a visit waits for its host
    longest_visit: float
    longest_request: float
    allowance: int  # pages of an endless site within its budget

    def bound(self, hosts: int, visit: float) -> float:
        """The longest that a ready host waits, if no visit lasts longer than this."""
        return ceil(hosts / self.concurrency) * visit + self.longest_request


@dataclass(frozen=True, slots=True)
class Fairness:
    """What one crawl was like for its hosts."""

    seconds: float
    pages: int
    jain: float  # index of the pages that equal hosts got: 1 where all got the same
    least_share: float  # of an equal host, by the mean
    most_share: float
    longest_wait: float  # of an equal host that was ready
    longest_visit: float
    bound_by_visit: float  # on waits, if visits are as long as the longest one seen
    bound: float  # as promised
    endless_share: float  # of an endless host, by the mean of equal ones
    over_budget_share: float  # of all pages, those of sites over their budget
    bad_share: float  # of all requests, those to endless and broken hosts


def jain(shares: Sequence[float]) -> float:
    """Jain's index of fairness: 1 where all have the same, 1/n where one of n has all."""
    squares = sum(share * share for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else 0.0


def fairness(web: Web, requests: Sequence[Request], rules: Rules, end: float) -> Fairness:
    """Measure a crawl that began with the first request and ended at some moment."""
    start = min(request.started for request in requests)
    pages = Counter(request.host for request in requests if request.is_page)
    names = web.hosts
    equal = [pages[host] for host in names if host.startswith(GOOD)]
    endless = [pages[host] for host in names if host.startswith(ENDLESS)]
    mean = sum(equal) / len(equal)
    by_host: dict[str, list[Request]] = defaultdict(list)
    for request in sorted(requests, key=lambda request: request.started):
        by_host[request.host].append(request)
    longest_visit = max(visit for each in by_host.values() for visit in _visits(each, rules.stay))
    over = sum(max(0, count - rules.allowance) for count in endless)
    return Fairness(
        seconds=end - start,
        pages=pages.total(),
        jain=jain(equal),
        least_share=min(equal) / mean,
        most_share=max(equal) / mean,
        longest_wait=max(
            wait
            for host in names
            if host.startswith(GOOD)
            for wait in _waits(by_host.get(host, ()), rules.delay, start, end)
        ),
        longest_visit=longest_visit,
        bound_by_visit=rules.bound(len(names), longest_visit),
        bound=rules.bound(len(names), rules.longest_visit),
        endless_share=sum(endless) / max(len(endless), 1) / mean,
        over_budget_share=over / pages.total(),
        bad_share=sum(not each.host.startswith(GOOD) for each in requests) / len(requests),
    )


def _waits(requests: Sequence[Request], delay: float, start: float, end: float) -> Iterable[float]:
    """How long one host waited each time that it was ready."""
    ready = start
    for request in requests:
        yield request.started - ready
        ready = request.ended + delay
    yield end - ready


def _visits(requests: Sequence[Request], apart: float) -> Iterable[float]:
    """The length of each visit of one host: requests that are further apart are of different ones."""
    first = last = requests[0]
    for request in requests[1:]:
        if request.started - last.ended > apart:
            yield last.ended - first.started
            first = request
        last = request
    yield last.ended - first.started
