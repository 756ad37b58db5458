"""Reading robots.txt files and deciding about URLs, beside protego.

Files are made up, of the kind sites have: several groups, comments, sitemaps,
one rule in ten with a wild card; most rules are for everyone. URLs are half of
them like the rules' own paths. Both sides get the file as received, so protego's
time includes decoding it. Hostile files are timed for us alone.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from protego import Protego

from gossamer.model import Url
from gossamer.politeness.robots.policy import RobotsPolicy

AGENT = "gossamer"
ORIGIN = "https://shop.test"
KIB = 1024
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


def hostile_files(rules: int = 500) -> dict[str, tuple[bytes, Url]]:
    """Files with this many wild-card rules, and the URL that takes each of them longest."""
    aaa = Url(f"{ORIGIN}/" + "a" * 1900)

    def of(pattern: Callable[[int], str]) -> bytes:
        lines = [f"Disallow: {pattern(index)}" for index in range(rules)]
        return "\n".join(["User-agent: *", *lines]).encode()

    return {
        "many_stars": (of(lambda i: f"/{'*a' * 30}*{i:03}$"), aaa),
        "stars_that_match": (of(lambda i: f"/{'*a' * 30}*b*a{'*' * (i % 9)}"), Url(f"{aaa}b")),
        "common_pieces": (of(lambda i: f"/*{'a' * 20}*{'a' * 20}*ab{'*a' * (i % 9)}"), aaa),
        "almost_there": (of(lambda i: f"/*{'a' * 25}b{'a' * 25}{'*a' * (i % 9)}"), aaa),
        "almost_everywhere": (
            of(lambda i: f"/*{'a' * 25}b{'a' * 25}{'*a' * (i % 9)}"),
            Url(f"{ORIGIN}/{('a' * 24 + 'b') * 76}"),
        ),
        "plain": (of(lambda i: f"/*/section{i}/*.html$"), Url(f"{ORIGIN}/a/b/section/c.html")),
    }


def worst_matches(rounds: int) -> dict[str, float]:
    """Milliseconds one match takes against each of the hostile files."""
    figures = {}
    for name, (body, url) in hostile_files().items():
        policy = RobotsPolicy.parse(body, AGENT)
        (seconds,) = best_of(rounds, [partial(policy.allows, url)])
        figures[f"500_wildcards_{name}_ms"] = seconds * 1e3
    return figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer rounds; done within a minute")
    rounds = 15 if options.parse_args().quick else 30

    ratios: dict[str, float] = {}
    figures: dict[str, float] = {}
    for size in (4 * KIB, 130 * KIB):
        some_ratios, some_figures = beside_protego(size, rounds)
        ratios |= some_ratios
        figures |= some_figures
    figures |= growth(rounds)
    hostile = worst_matches(rounds)
    figures |= hostile | {"500_wildcards_worst_ms": max(hostile.values())}

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
