"""The polite proxy beside squid: pages of 8 KB from a server on this machine.

| ratio | what is compared: below 1, ours takes less |
| --- | --- |
| overhead_1, overhead_32 | what a proxy adds to the median time of an answer that is not kept, with 1 and 32 clients at a time |
| hit_1, hit_32 | the median time of an answer from the cache |
| cpu_miss, cpu_hit | CPU seconds a request, of the proxy alone |

Ours has robots.txt and clock on, with a delay of 0, and writes its log and its cache to disk;
squid keeps its cache in memory. Each client asks a host of its own, since ours sends one request to
a host at a time. All take turns, round by round, on one machine with clients and server; the
median is that of all rounds. Without squid (Debian: `apt-get install squid`) the ratios are left out.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.proxy_cases.clients import Line, Load, load
from bench.proxy_cases.origin import BODY_BYTES, Origin
from bench.proxy_cases.proxies import Proxy, names, ours, squid

CLIENTS = (1, 32)
DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is asked."""

    rounds: int
    requests: dict[int, int]  # of each client, by how many there are
    warm_up: int


FULL = Size(rounds=15, requests={1: 1000, 32: 100}, warm_up=20)
QUICK = Size(rounds=5, requests={1: 300, 32: 40}, warm_up=10)
TINY = Size(rounds=1, requests={1: 4, 32: 4}, warm_up=4)


@dataclass(slots=True)
class Measured:
    """What was measured of one way to the pages, for one kind of page and number of clients."""

    medians: list[float] = field(default_factory=list)
    p99s: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0
    requests: int = 0

    def add(self, took: Load, cpu_seconds: float) -> None:
        """One more round."""
        self.medians.append(took.median_ms)
        self.p99s.append(took.p99_ms)
        self.rates.append(took.per_second)
        self.cpu_seconds += cpu_seconds
        self.requests += len(took.latencies)

    @property
    def cpu_us(self) -> float:
        """CPU time of the proxy for one request, in microseconds."""
        return self.cpu_seconds / self.requests * 1e6


Key = tuple[str, str, int]
"""Way, kind of page, number of clients."""


def line(kind: str, port: int, way: str) -> Line:
    """How a request looks: the long form for a proxy, the short one for a server."""
    hosts = names()

    def request(client: int, number: int) -> bytes:
        host = f"{hosts[client]}:{port}"
        target = f"/{kind}/{number % 10}"
        start = target if way == DIRECT else f"http://{host}{target}"
        return f"GET {start} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n".encode()

    return request


def measure(origin: Origin, proxies: list[Proxy], size: Size) -> dict[Key, Measured]:
    """Everything, in turns."""
    ways: dict[str, Proxy | None] = {DIRECT: None, **{each.name: each for each in proxies}}
    found: dict[Key, Measured] = {}
    for _ in range(size.rounds):
        for kind in ("never", "fresh"):
            for clients in CLIENTS:
                for way, proxy in ways.items():
                    if way == DIRECT and kind == "fresh":
                        continue  # there is no cache on the way
                    took, cpu = one(origin, way, proxy, kind, clients, size)
                    found.setdefault((way, kind, clients), Measured()).add(took, cpu)
    return found


def one(
    origin: Origin, way: str, proxy: Proxy | None, kind: str, clients: int, size: Size
) -> tuple[Load, float]:
    """One round of one way; that a cache is used, or is not, is checked."""
    port = origin.port if proxy is None else proxy.port
    request, each = line(kind, origin.port, way), size.requests[clients]
    load(port, request, clients, size.warm_up, BODY_BYTES)
    origin.asked()
    before = 0.0 if proxy is None else proxy.cpu_seconds
    took = load(port, request, clients, each, BODY_BYTES)
    cpu = 0.0 if proxy is None else proxy.cpu_seconds - before
    wanted = 0 if kind == "fresh" else clients * each
    if (asked := origin.asked()) != wanted:
        raise SystemExit(f"{way}: the server was asked {asked} times, not {wanted}.")
    return took, cpu


def ratios_of(found: Mapping[Key, Measured]) -> dict[str, float]:
    """Ours to squid's."""
    ratios = {}
    for clients in CLIENTS:
        ratios[f"overhead_{clients}"] = overhead(found, "gossamer", clients) / max(
            overhead(found, "squid", clients), 0.001
        )
        hits = [median(found[way, "fresh", clients].medians) for way in ("gossamer", "squid")]
        ratios[f"hit_{clients}"] = hits[0] / hits[1]
    for name, kind in (("cpu_miss", "never"), ("cpu_hit", "fresh")):
        one, other = (found[way, kind, CLIENTS[-1]].cpu_us for way in ("gossamer", "squid"))
        ratios[name] = one / other
    return {name: round(value, 2) for name, value in ratios.items()}


def overhead(found: Mapping[Key, Measured], way: str, clients: int) -> float:
    """Milliseconds that a way adds at the median, round by round."""
    pairs = zip(
        found[way, "never", clients].medians, found[DIRECT, "never", clients].medians, strict=True
    )
    return median(through - direct for through, direct in pairs)


def figures_of(found: Mapping[Key, Measured], proxies: list[Proxy]) -> dict[str, object]:
    figures: dict[str, object] = {
        f"{way}_{kind}_{clients}": {
            "median_ms": round(median(each.medians), 3),
            "p99_ms": round(median(each.p99s), 3),
            "per_second": round(median(each.rates)),
            "cpu_us": round(each.cpu_us),
        }
        for (way, kind, clients), each in found.items()
    }
    for proxy in proxies:
        figures[f"{proxy.name}_memory_mb"] = round(proxy.memory_bytes / 1e6, 1)
        for clients in CLIENTS:
            figures[f"{proxy.name}_overhead_{clients}_ms"] = round(
                overhead(found, proxy.name, clients), 3
            )
    return figures


def tell(found: Mapping[Key, Measured], proxies: list[Proxy]) -> None:
    say: Callable[[str], None] = lambda text: print(text, file=sys.stderr)  # noqa: E731 (one line)
    say(f"{'':34}{'median':>9}{'p99':>10}{'a second':>10}{'CPU':>10}")
    for (way, kind, clients), each in sorted(
        found.items(), key=lambda item: item[0][1:] + item[0][:1]
    ):
        title = {"never": "not kept", "fresh": "from the cache"}[kind]
        say(
            f"{way:<10}{title:<16}{clients:>3} client{'s' if clients > 1 else ' '}"
            f"{median(each.medians):8.3f} ms{median(each.p99s):7.2f} ms"
            f"{median(each.rates):10,.0f}{each.cpu_us:7.0f} us"
        )
    for proxy in proxies:
        added = ", ".join(f"{overhead(found, proxy.name, clients):+.3f} ms" for clients in CLIENTS)
        say(
            f"{proxy.name:<10}adds {added} with 1 and 32 clients; {proxy.memory_bytes / 1e6:.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL
    with ExitStack() as life:
        origin = life.enter_context(Origin())
        folders = [Path(life.enter_context(tempfile.TemporaryDirectory())) for _ in range(2)]
        there = [
            life.enter_context(squid(folders[0])),
            life.enter_context(ours(folders[1], origin.port)),
        ]
        proxies = [each for each in there if each is not None]
        found = measure(origin, proxies, size)
        tell(found, proxies)
        ratios = ratios_of(found) if len(proxies) > 1 else {}
        figures = figures_of(found, proxies)
    print(json.dumps({"name": "proxy", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
