"""Freshness: how near the learned plan comes to the optimum, on pages whose rates of change are known.

Intervals between changes are log-normal (medians of 20 and 60 days, deviations of 1.5 and 2 of their logarithm), a crawl
lasts 240 days, and all pages are new at its beginning. The oracle knows the rates and gives up pages that change too
often; "known rates" does too, within our floor. The peer is Nutch's rule: shorter where something has changed, longer
where nothing has.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.freshness_cases.simulation import DAYS, MARKS, POLICIES, Setting, run

OUT = Path(__file__).parent / "out"
HALF = MARKS.index(DAYS // 2) + 1
Runs = dict[tuple[Setting, float, str], list[list[float]]]


@dataclass(frozen=True, slots=True)
class Size:
    """What is simulated."""

    settings: tuple[Setting, ...]
    budgets: tuple[float, ...]  # looks a page and day
    pages: int
    seeds: int


SETTINGS = tuple(Setting(median, sigma) for median in (20, 60) for sigma in (1.5, 2.0))
FULL = Size(SETTINGS, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5), pages=200, seeds=20)
QUICK = Size(SETTINGS, (0.02, 0.05, 0.1), pages=100, seeds=4)
TINY = Size(SETTINGS[2:3], (0.05, 0.1), pages=40, seeds=2)


def simulate(
    executor: ProcessPoolExecutor, size: Size, setting: Setting, budget: float
) -> Iterator[tuple[str, list[list[float]]]]:
    """All policies in a setting, at a budget, for all seeds."""
    seeds = range(size.seeds)
    for name in POLICIES:
        columns = ([each] * size.seeds for each in (name, setting, size.pages, budget))
        yield name, [*executor.map(run, *columns, seeds)]


def second_half(fresh: Sequence[float]) -> float:
    """The share of the second half for which pages were fresh."""
    return sum(fresh[HALF:]) / (DAYS - DAYS // 2)


def level(runs: Runs, setting: Setting, budget: float, name: str) -> float:
    """The mean freshness of a policy in the second half."""
    halves = [second_half(fresh) for fresh in runs[setting, budget, name]]
    return float(mean(halves))


def way(runs: Runs, setting: Setting, budget: float, name: str = "learned") -> float:
    """How far a policy comes on the way from round-robin (0) to the oracle (1)."""
    low = level(runs, setting, budget, "round-robin")
    high = level(runs, setting, budget, "oracle")
    return (level(runs, setting, budget, name) - low) / (high - low)


def worst(runs: Runs, setting: Setting, budget: float) -> float:
    """The least advantage over round-robin from the beginning to any mark, or in the second half, in standard errors."""
    pairs = list(
        zip(runs[setting, budget, "learned"], runs[setting, budget, "round-robin"], strict=True)
    )
    series = [
        [sum(ours[:end]) - sum(theirs[:end]) for ours, theirs in pairs]
        for end in range(1, len(MARKS) + 1)
    ]
    series.append([second_half(ours) - second_half(theirs) for ours, theirs in pairs])
    return min(mean(each) / max(stdev(each) / sqrt(len(each)), 1e-9) for each in series)


def saved(
    runs: Runs, setting: Setting, budgets: Sequence[float], at: int, name: str
) -> float | None:
    """The share of requests that a policy saves, for as much freshness as round-robin has at a budget."""
    wanted = level(runs, setting, budgets[at], "round-robin")
    low, high = (level(runs, setting, budgets[i], name) for i in (at - 1, at))
    if not low < wanted < high:
        return None
    share = (wanted - low) / (high - low)
    enough = exp(log(budgets[at - 1]) + share * log(budgets[at] / budgets[at - 1]))
    return 1 - enough / budgets[at]


def measure(
    runs: Runs,
    setting: Setting,
    budgets: Sequence[float],
    at: int,
    ratios: dict[str, float],
    figures: dict[str, float],
) -> None:
    """Note and tell the figures of a setting at a budget; those below it are known."""
    budget = budgets[at]
    name = f"{setting.median}d_{setting.sigma}_{100 * budget:g}%"
    best = level(runs, setting, budget, "oracle")
    for policy in POLICIES:
        figures[f"{policy} {name}"] = round(level(runs, setting, budget, policy), 4)
    ratios[f"learned_to_oracle_{name}"] = level(runs, setting, budget, "learned") / best
    ratios[f"known_to_oracle_{name}"] = level(runs, setting, budget, "known rates") / best
    figures[f"way {name}"] = way(runs, setting, budget)
    figures[f"worst {name}"] = worst(runs, setting, budget)
    both = [
        saved(runs, setting, budgets, at, policy) if at else None
        for policy in ("learned", "oracle")
    ]
    told = ""
    if both[0] is not None and both[1] is not None:
        figures[f"of the oracle's saving {name}"] = share = both[0] / both[1]
        told = f", {both[0]:.1%} of requests saved ({share:.2f} of the oracle's {both[1]:.1%})"
    levels = ", ".join(f"{policy} {figures[f'{policy} {name}']:.4f}" for policy in POLICIES)
    say(
        f"{name:>14}: {levels}; {figures[f'way {name}']:.2f} of the way, "
        f"at worst {figures[f'worst {name}']:+.1f} standard errors from round-robin{told}"
    )


def plot(runs: Runs, size: Size) -> Path:
    """Freshness in the second half by budget, a picture for each setting."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    OUT.mkdir(exist_ok=True)
    figure, axes = pyplot.subplots(2, 2, figsize=(10, 8), squeeze=False)
    for setting, ax in zip(size.settings, axes.flat, strict=False):
        for name in POLICIES:
            gains = [
                level(runs, setting, budget, name) / level(runs, setting, budget, "oracle")
                for budget in size.budgets
            ]
            ax.plot([100 * budget for budget in size.budgets], gains, ".-", label=name)
        ax.set_xscale("log")
        ax.set_title(f"median {setting.median} days, σ {setting.sigma}")
        ax.set_xlabel("looks a day, % of pages")
        ax.set_ylabel("freshness to the oracle's, second half")
        ax.grid(alpha=0.3)
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(OUT / "freshness.png", dpi=120)
    return OUT / "freshness.png"


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    size = TINY if options.tiny else QUICK if options.quick else FULL
    runs: Runs = {}
    ratios: dict[str, float] = {}
    figures: dict[str, float] = {}
    with ProcessPoolExecutor(options.processes) as executor:
        for setting in size.settings:
            for at, budget in enumerate(size.budgets):
                for name, found in simulate(executor, size, setting, budget):
                    runs[setting, budget, name] = found
                measure(runs, setting, size.budgets, at, ratios, figures)
    if not options.tiny:
        say(f"the plot is in {plot(runs, size)}")
    print(json.dumps({"name": "freshness", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
