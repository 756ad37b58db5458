"""Reading robots.txt files and deciding about URLs, beside protego.

Files are made up, of the kind sites have: several groups, comments, sitemaps,
one rule in ten with a wild card; most rules are for everyone. URLs are half of
them like the rules' own paths. Both sides get the file as received, so protego's
time includes decoding it. Hostile files are timed for us alone: 500 rules with
wild cards each, made in many ways, of which the worst counts.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from protego import Protego

from gossamer.model import Url
from gossamer.politeness.robots.policy import RobotsPolicy

AGENT = "gossamer"
ORIGIN = "https://shop.test"
KIB = 1024
NUMBERS = range(500)  # of rules in a hostile file
MAX_PATH = 1990  # octets: with its origin, a URL as long as we take


@dataclass(frozen=True, slots=True)
class Size:
    """How often each thing is timed, and how many there are."""

    rounds: int
    files: tuple[int, ...] = (4 * KIB, 130 * KIB)  # bytes of those that protego reads too
    families: int | None = None  # of hostile files; None for all


FULL = Size(rounds=30)
QUICK = Size(rounds=15)
TINY = Size(rounds=1, files=(4 * KIB,), families=10)
WORDS = [
    "search",
    "cart",
    "tag",
    "user",
    "admin",
    "p",
    "blog",
    "archive",
    "api",
    "media",
    "img",
    "basket",
    "account",
    "help",
    "news",
]
OTHER_AGENTS = [
    "googlebot",
    "bingbot",
    "gptbot",
    "ccbot",
    "ahrefsbot",
    "semrushbot",
    "yandex",
    "baiduspider",
]


def made_path(chance: random.Random) -> str:
    parts = [
        f"{chance.choice(WORDS)}{chance.randrange(300)}" for _ in range(chance.randrange(1, 4))
    ]
    return "/" + "/".join(parts)


def made_rule(chance: random.Random) -> str:
    field = "Allow" if chance.random() < 0.15 else "Disallow"
    kind = chance.random()
    if kind < 0.04:
        path = f"/*?*{chance.choice(WORDS)}{chance.randrange(1000)}="
    elif kind < 0.07:
        path = f"{made_path(chance)}/*.pdf$"
    elif kind < 0.10:
        path = f"{made_path(chance)}/*/print"
    else:
        path = made_path(chance) + chance.choice(("", "/"))
    return f"{field}: {path}"


def made_file(size: int, seed: int = 9309) -> bytes:
    """A robots.txt of about this many bytes; two thirds of it for everyone, the rest for others."""
    chance = random.Random(seed)
    lines = ["# robots.txt of shop.test", "User-agent: *", "Crawl-delay: 2"]
    length = 0
    while length < size * 2 // 3:
        lines.append(made_rule(chance))
        length += len(lines[-1]) + 1
    while length < size:
        if chance.random() < 0.05:
            lines += ["", f"User-agent: {chance.choice(OTHER_AGENTS)}"]
        lines.append(made_rule(chance))
        length += len(lines[-1]) + 1
    return "\n".join([*lines, "", f"Sitemap: {ORIGIN}/sitemap.xml", ""]).encode()


def made_urls(count: int, seed: int = 5) -> list[Url]:
    chance = random.Random(seed)
    urls = []
    for _ in range(count):
        page = f"/page-{chance.randrange(10_000)}.html" if chance.random() < 0.5 else "/print"
        query = (
            f"?{chance.choice(WORDS)}{chance.randrange(1000)}=1" if chance.random() < 0.3 else ""
        )
        urls.append(Url(ORIGIN + made_path(chance) + page + query))
    return urls


def best_of(rounds: int, actions: Sequence[Callable[[], object]], times: int = 1) -> list[float]:
    """The shortest time of each action in seconds, in turn: machines are noisy."""
    best = [float("inf")] * len(actions)
    for _ in range(rounds):
        for index, action in enumerate(actions):
            start = time.perf_counter()
            for _ in range(times):
                action()
            best[index] = min(best[index], (time.perf_counter() - start) / times)
    return best


def match_all(allows: Callable[[Url], object], urls: Sequence[Url]) -> None:
    for url in urls:
        allows(url)


def beside_protego(size: int, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Ratios (theirs to ours) and our times: to parse, to match, and for one of each."""
    body, urls = made_file(size), made_urls(1000)
    name = f"{size // KIB}k"
    ours, theirs = RobotsPolicy.parse(body, AGENT), Protego.parse(body.decode())
    agreed = sum(ours.allows(url) == theirs.can_fetch(url, AGENT) for url in urls)
    assert agreed == len(urls), f"the two agree about {agreed} of {len(urls)} URLs only"

    pairs: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "parse": (
            lambda: RobotsPolicy.parse(body, AGENT),
            lambda: Protego.parse(body.decode()),
        ),
        "match": (
            lambda: match_all(ours.allows, urls),
            lambda: match_all(lambda url: theirs.can_fetch(url, AGENT), urls),
        ),
        "parse_and_match_once": (
            lambda: RobotsPolicy.parse(body, AGENT).allows(urls[0]),
            lambda: Protego.parse(body.decode()).can_fetch(urls[0], AGENT),
        ),
    }
    ratios, figures = {}, {}
    for what, pair in pairs.items():
        per = len(urls) if what == "match" else 1
        times = 1 if what == "match" else max(1, 80 * KIB // size)
        our_time, their_time = best_of(rounds, pair, times)
        ratios[f"{what}_{name}"] = their_time / our_time
        figures[f"{what}_{name}_us"] = our_time / per * 1e6
        figures[f"{what}_{name}_protego_us"] = their_time / per * 1e6
    return ratios, figures


def growth(rounds: int) -> dict[str, float]:
    """Microseconds a match takes in files of growing size."""
    urls = made_urls(200)
    figures = {}
    for size in (4, 32, 128, 500):
        policy = RobotsPolicy.parse(made_file(size * KIB), AGENT)
        (seconds,) = best_of(rounds, [partial(match_all, policy.allows, urls)])
        figures[f"growth_match_{size}k_us"] = seconds / len(urls) * 1e6
    return figures


def hostile_pieces(length: int) -> dict[str, str]:
    """Pieces of this length that are almost, and nowhere, in paths made of their own parts."""
    pieces = {}
    for percent in (0, 25, 50, 75, 90, 99):
        before = (length - 1) * percent // 100
        pieces[f"b_at_{percent}"] = "a" * before + "b" + "a" * (length - 1 - before)
    word, shorter = "a", "b"
    while len(word) < length:
        word, shorter = word + shorter, word
    pieces["fibonacci"] = word[: length - 1] + "c"
    pieces["period_2"] = "ab" * (length // 2 - 1) + "bb"
    pieces["period_3"] = "%3A" * (length // 3 - 1) + "%3B"
    return pieces


def hostile_paths(piece: str) -> dict[str, str]:
    """Paths without this piece in which every place looks as if it began there."""
    quarter = piece[: max(1, len(piece) // 4)]
    made = {"start": quarter, "but_end": piece[:-1], "but_start": piece[1:], "all_a": "a"}
    paths = {name: f"/{part * MAX_PATH}"[:MAX_PATH] for name, part in made.items() if part}
    return {name: path for name, path in paths.items() if piece not in path}


def hostile_rules() -> Iterator[tuple[str, str, str]]:
    """Rules, `#` for their number, by name, each with the path that takes long."""
    aaa = "/" + "a" * (MAX_PATH - 1)
    for length in (4, 10, 16, 30, 63, 100, 300, 990):
        for shape, piece in hostile_pieces(length).items():
            for kind, path in hostile_paths(piece).items():
                name = f"{length}_{shape}_{kind}"
                yield name, f"/*{piece}*#", path
                yield f"{name}_end", f"/*{piece}*#*{path[-1]}$", path
        last = "a" * (length * 9 // 10) + "b" + "a" * (length // 10)
        such = "a" * (length - 1) + "b"
        for count in (1, 4, 9):
            yield f"{length}_after_{count}_short", f"/{'*aa' * count}*{last}*#", aaa
            if (length + 1) * count < 1000:
                path = f"/{such * MAX_PATH}"[:MAX_PATH]
                yield f"{length}_after_{count}_such", f"/{f'*{such}' * count}*{such}b*#", path
    for count in (30, 500):
        yield f"{count}_stars", f"/{'*a' * count}*#$", aaa
    yield "plain", "/*/section#/*.html$", "/a/b/section/c.html"


def hostile_files() -> Iterator[tuple[str, list[str], str]]:
    """500 rules each, by name, with the path that takes long."""
    for name, rule, path in hostile_rules():
        yield name, [rule.replace("#", str(n)) for n in NUMBERS], path
    yield from near_pieces()
    yield from parts_of_the_path()
    yield from grown_paths()
    yield from grown_queries()
    yield "all_sizes", [f"/*{'a' * growing(n)}b" for n in NUMBERS], f"/{'a' * (MAX_PATH - 1)}"
    yield "heads", [f"/{'a' * n}*{'a' * 300}b" for n in NUMBERS], f"/{'a' * (MAX_PATH - 1)}"
    for length in (8, 30, 60, 120):
        piece = "a" * (length * 9 // 10) + "b" + "a" * (length // 10)
        for octets in (128, 256):
            path = f"/{'a' * (octets - 1)}"
            yield f"in_{octets}_{length}", [f"/*{piece}*{n}" for n in NUMBERS], path
            rules = [f"/{'*aa' * 9}*{piece}*{n}" for n in NUMBERS]
            yield f"in_{octets}_{length}_after_9", rules, path


def growing(number: int) -> int:
    """Lengths of up to some 900, of which each doubling has as many."""
    return int(1.0137**number)


def near_pieces() -> Iterator[tuple[str, list[str], str]]:
    """Pieces that all differ and mostly are in the path, before one that is not."""
    for length in (12, 15, 30, 60, 100, 127, 300, 990):
        block = "a" * (length - 2) + "b"
        befores = [n % (length - 1) for n in NUMBERS]
        pieces = [f"{'a' * before}b{'a' * (length - before)}" for before in befores]
        rules = [f"/*{piece}*{block}aab*{n}" for n, piece in enumerate(pieces)]
        yield f"near_{length}", rules, f"/{block * MAX_PATH}"[:MAX_PATH]


def parts_of_the_path() -> Iterator[tuple[str, list[str], str]]:
    """Up to nine parts of a path that repeats itself unevenly, in order, and one that is not there."""
    chance = random.Random(9309)
    words = ["".join(chance.choices("ab", k=12)) for _ in range(6)]
    path = f"/{''.join(chance.choices(words, k=MAX_PATH // 12))}"
    for count in (1, 3, 9):
        for least, most in ((3, 8), (8, 15), (16, 40), (30, 100)):
            rules = [parts_rule(chance, path, count, least, most) for _ in NUMBERS]
            yield f"parts_{count}_{least}", rules, path


def parts_rule(chance: random.Random, path: str, count: int, least: int, most: int) -> str:
    share = len(path) // count
    starts = [chance.randrange(at * share, (at + 1) * share) for at in range(count)]
    pieces = [path[at : at + chance.randrange(least, most)] for at in starts]
    return f"/*{'*'.join(pieces)}*{pieces[-1][:-1]}c"


def grown_paths() -> Iterator[tuple[str, list[str], str]]:
    """Paths that are compared in a form three times as long."""
    path = f"/{'*' * (MAX_PATH - 1)}"
    yield "stars_all_sizes", [f"/*{'%2A' * (growing(n) // 3)}%24" for n in NUMBERS], path
    yield "stars_inside", [f"/*2A{'%2A' * (n % 100)}%24*{n}" for n in NUMBERS], path
    yield "stars_tiny", [f"/*24*{n}" for n in NUMBERS], path
    for length in (2, 5, 20, 100, 300):
        piece = f"{'%2A' * (length * 3 // 4)}%24{'%2A' * (length // 4)}"
        yield f"stars_{length}", [f"/*{piece}*{n}" for n in NUMBERS], path
        rules = [f"/*{'%2A' * (n % 40)}{piece}*{n}" for n in NUMBERS]
        yield f"stars_{length}_and_more", rules, path


def grown_queries() -> Iterator[tuple[str, list[str], str]]:
    """Rules and paths that are compared in two forms each, one of them three times as long."""
    one = f"/?{':' * (MAX_PATH - 2)}"
    two = f"/?{':' * 700}?{':' * (MAX_PATH - 703)}"
    for name, path in (("one", one), ("two", two)):
        sizes = [f"/*?{':' * growing(n)}b" for n in NUMBERS]
        yield f"query_{name}_all_sizes", sizes, path
        for length in (5, 20, 100, 300, 900):
            start, end = ":" * (length * 9 // 10), ":" * (length // 10)
            rules = [f"/*?{start}b{end}*{n}" for n in NUMBERS]
            yield f"query_{name}_{length}", rules, path
            rules = [f"/*?{':' * (n % 40)}{start}b{end}*{n}" for n in NUMBERS]
            yield f"query_{name}_{length}_and_more", rules, path
            rules = [f"/*{':' * n}?{':' * (n % 40)}b{end}*{n}" for n in NUMBERS]
            yield f"query_{name}_{length}_before", rules, path


def hostile_match(rules: Sequence[str], path: str) -> Callable[[], object]:
    lines = [f"Disallow: {rule}" for rule in rules]
    policy = RobotsPolicy.parse("\n".join(["User-agent: *", *lines]).encode(), AGENT)
    return partial(policy.allows, Url(ORIGIN + path))


def worst_matches(rounds: int, families: int | None) -> dict[str, float]:
    """Milliseconds of the three slowest matches of all against 500 rules, and of the one between.

    Processor time: a match waits for nothing, and others at work on the machine do
    not count. The slowest are timed again, with more rounds.
    """
    files = islice(hostile_files(), families)
    matches = {name: hostile_match(rules, path) for name, rules, path in files}
    roughly = processor_times(matches, 3)
    slowest = sorted(roughly, key=lambda name: roughly[name], reverse=True)[:30]
    times = processor_times({name: matches[name] for name in slowest}, rounds)
    worst = sorted(times, key=lambda name: times[name], reverse=True)[:3]
    middle = sorted(roughly.values())[len(roughly) // 2]
    return {f"500_wildcards_{name}_ms": times[name] * 1e3 for name in worst} | {
        "500_wildcards_worst_ms": times[worst[0]] * 1e3,
        "500_wildcards_median_ms": middle * 1e3,
        "500_wildcards_families": len(matches),
    }


def processor_times(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The shortest time of each action in seconds, in turn: a quiet moment is for all of them."""
    best = dict.fromkeys(actions, float("inf"))
    for _ in range(rounds):
        for name, action in actions.items():
            start = time.thread_time()
            action()
            best[name] = min(best[name], time.thread_time() - start)
    return best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer rounds; done within a minute")
    options.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = options.parse_args()
    size = TINY if given.tiny else QUICK if given.quick else FULL

    ratios: dict[str, float] = {}
    figures: dict[str, float] = {}
    for file_bytes in size.files:
        some_ratios, some_figures = beside_protego(file_bytes, size.rounds)
        ratios |= some_ratios
        figures |= some_figures
    figures |= growth(size.rounds)
    figures |= worst_matches(4 * size.rounds, size.families)

    for name, ratio in ratios.items():
        ours, theirs = figures[f"{name}_us"], figures[f"{name}_protego_us"]
        print(
            f"{name:28} {ours:10.1f} us  protego {theirs:10.1f} us  {ratio:6.1f} x", file=sys.stderr
        )
    for name, value in figures.items():
        if name.startswith(("growth", "500")):
            print(f"{name:44} {value:10.3f}", file=sys.stderr)
    rounded = {name: round(value, 3) for name, value in figures.items()}
    print(
        json.dumps(
            {
                "name": "robots",
                "ratios": {name: round(ratio, 2) for name, ratio in ratios.items()},
                "figures": rounded,
            }
        )
    )


if __name__ == "__main__":
    main()
