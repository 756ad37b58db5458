"""Links to keys: joining, canonical form and a 64-bit key, beside w3lib and urljoin.

The peer does what crawlers built on it do: `urljoin`, `canonicalize_url`, the
first 64 bits of SHA-1. The links are a made-up but ordinary mix: navigation,
relative and absolute links, queries, fragments, letters beyond ASCII, other hosts.
"""

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from urllib.parse import urljoin

from w3lib.url import canonicalize_url

from gossamer.model import Refusal, Url
from gossamer.urls import UrlKeys, canonical

Link = tuple[Url, str]  # the page, and the link as it stands there
Work = Callable[[Sequence[Link]], list[int]]

LINKS_PER_PAGE = 60
ROUNDS = 7
WORDS = ["news", "shop", "about", "garden", "bicycle", "harbour", "recipe", "könig", "été"]
KEYS = UrlKeys(b"sixteen bytes...")


def link(chance: random.Random, number: int) -> str:
    """One link of the mix; the weights are roughly those of a shop's or newspaper's page."""
    word, other = chance.choice(WORDS), chance.choice(WORDS)
    shapes = {
        f"/{word}/{other}/": 25,
        f"/{word}/{number}-{other}-{word}.html": 20,
        f"{other}-{number}.html": 10,
        f"../{word}/{number}": 5,
        f"?page={number % 50}&sort={word}&order=asc": 8,
        f"#{word}": 4,
        f"https://www.site{number % 40}.test/{word}/{other}?id={number}": 10,
        f"https://cdn.other{number % 90}.test/{word}/{number}/{other}.html#top": 8,
        f"//static.site{number % 40}.test/{word}/{number}.css?v={number}": 5,
        f"HTTP://WWW.Other{number % 90}.test:80/{word}/./x/../{other} {number}": 2,
        f"/search?q={word}+{other}&b={number}&a=1&c=%7e%C3%A4": 3,
    }
    return chance.choices(list(shapes), list(shapes.values()))[0]


def links(pages: int) -> list[Link]:
    """The links of that many pages, the same ones in every run."""
    chance = random.Random(2)
    made = []
    for page in range(pages):
        word = chance.choice(["news", "shop", "press"])
        base = canonical(f"https://www.site{page % 40}.test/{word}/{page // 100}/list?page={page}")
        assert not isinstance(base, Refusal)
        made += [(base, link(chance, chance.randrange(10**6))) for _ in range(LINKS_PER_PAGE)]
    return made


def ours(work: Sequence[Link]) -> list[int]:
    keys = []
    for base, text in work:
        url = canonical(text, base)
        if not isinstance(url, Refusal):
            keys.append(KEYS.of(url))
    return keys


def ours_without_join(work: Sequence[Link]) -> list[int]:
    keys = []
    for _, text in work:
        url = canonical(text)
        if not isinstance(url, Refusal):
            keys.append(KEYS.of(url))
    return keys


def sha1_key(url: str) -> int:
    return int.from_bytes(hashlib.sha1(url.encode()).digest()[:8], "big", signed=True)


def peer(work: Sequence[Link]) -> list[int]:
    return [sha1_key(canonicalize_url(urljoin(base, text))) for base, text in work]


def peer_without_join(work: Sequence[Link]) -> list[int]:
    return [sha1_key(canonicalize_url(text)) for _, text in work]


def fastest(works: dict[str, tuple[Work, Sequence[Link]]]) -> dict[str, float]:
    """Microseconds a link of each, best of several rounds that take turns."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, (work, over) in works.items():
            start = time.perf_counter()
            keys = work(over)
            took = (time.perf_counter() - start) / len(over) * 1e6
            assert len(keys) == len(over), f"{name} lost links"
            best[name] = min(best[name], took)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    joined = links(pages=2 if given.tiny else 200 if given.quick else 2_000)
    absolute = [(base, urljoin(base, text)) for base, text in joined]
    best = fastest(
        {
            "join_canonical_key": (ours, joined),
            "join_canonical_key_w3lib": (peer, joined),
            "canonical_key": (ours_without_join, absolute),
            "canonical_key_w3lib": (peer_without_join, absolute),
        }
    )
    ratios = {
        name: round(best[f"{name}_w3lib"] / best[name], 2)
        for name in ("join_canonical_key", "canonical_key")
    }
    print_table(len(joined), best, ratios)
    figures = {f"{name}_us": round(micros, 3) for name, micros in best.items()}
    result = {"name": "urls", "ratios": ratios, "figures": {"links": len(joined), **figures}}
    print(json.dumps(result))


def print_table(count: int, best: dict[str, float], ratios: dict[str, float]) -> None:
    print(f"{count:,} links, best of {ROUNDS} rounds, µs a link", file=sys.stderr)
    print(f"{'':25}{'gossamer':>10}{'w3lib':>10}{'ratio':>10}", file=sys.stderr)
    for name, ratio in ratios.items():
        row = f"{best[name]:10.2f}{best[f'{name}_w3lib']:10.2f}{ratio:8.2f} ×"
        print(f"{name.replace('_', ' + '):<25}{row}", file=sys.stderr)


if __name__ == "__main__":
    main()
